"""Matchmaking: tickets of players who look for a table, and the tables made of them.

Must live here: tickets, blocks, conduct, the matcher. Must not: ratings (they are asked for), rules, moves.
"""
