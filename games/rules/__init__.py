"""Pure rules: no Django, no clock, no randomness, no input or output.

Everything here is a function of its arguments, so every game can be replayed anywhere and at any time.
Only the standard library and msgspec may be imported.
"""
