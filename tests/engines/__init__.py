"""The suite on other engines than the embedded ones: events in partitions, servers from Debian's packages, pgbouncer.

`python -m tests.engines --help` says how; `servers` starts Debian's servers, also for drills.
"""
