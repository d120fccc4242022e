"""What a player or the clock can ask for: one transaction each. Transports call these and nothing below.

Refusals leave as `config.wire.problems.Problem`; nothing is written unless the whole command stands.
"""
