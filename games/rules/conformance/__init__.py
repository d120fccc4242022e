"""The conformance suite: what every ruleset promises, checked on random games in memory.

`suite.check_game` plays one game and looks at it from all sides; tests run it over every registered ruleset with
few games, `manage.py simulate` with many. It knows no ruleset: all that it asks is in the protocol.
"""
