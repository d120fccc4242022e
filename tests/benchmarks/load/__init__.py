"""The load: processes of their own that play many games over sockets and REST, and what they are told."""
