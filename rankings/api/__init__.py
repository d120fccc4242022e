"""Matchmaking and rankings over REST: decode, call one function, encode."""
