"""Sockets: thin. Decode, authenticate, call one service, encode; wake-ups are read from the bus."""
