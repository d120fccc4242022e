"""Settings, entry points and the embedded servers. Importing it imports nothing: the launcher needs no Django."""
