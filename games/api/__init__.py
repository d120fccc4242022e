"""The games over HTTP: decode, authenticate, call one service, encode. No rule and no decision lives here."""
