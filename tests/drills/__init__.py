"""Drills on the whole service: several server processes, many clients, processes killed while they play.

`python -m tests.drills` runs the long forms and prints what was observed; the suite runs short ones. Must live here:
clients that know nothing but the wire contract, and the comparison of what they were told with the database.
Must not: anything of ours inside the clients. Timings are printed, never asserted by a test.
"""
