"""What the service tells about itself while it runs: figures, log lines that belong together, spans.

A floor below all apps, like `config.wire`: it imports none of them, so that each may count, and they add what only they
know (rulesets, close codes, followers) to its closed sets. Invariant: no label, line or span holds a player's name, a
token, a card, a seed, an address with ids, or any text that a client has made up.
"""
