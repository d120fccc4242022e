"""The one exception for what a person can put right: its text is shown as it is, with no traceback."""


class Trouble(Exception):
    """Something about the machine or the settings stops us; `str()` says what, and what to do."""
