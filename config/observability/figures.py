"""The figures that one process counts as it works. Those of the whole installation are read at each scrape
(`installation`).

Whoever counts imports the family and asks it for a child: `moves("gg", "accepted").inc()`. Nothing here may block, fail
or take longer than a few microseconds.
"""

from __future__ import annotations

from config.observability.families import FAST, SIZES, SLOW, Family, counter, gauge, histogram

# --- moves ----------------------------------------------------------------------------------------------------------

moves = Family(
    counter(
        "repli_moves_total",
        "players' moves by what became of them: `accepted`, `repeated` (the first answer again) or the refusal's code",
        *("rules", "result"),
        unit="moves",
    ),
    ("rules", "result"),
)
appends = Family(
    counter(
        "repli_appends_total",
        "appends to games by who caused them; `stands` is `no` where another one was faster",
        *("by", "stands"),
        unit="appends",
    ),
    ("by", "stands"),
)
append_seconds = histogram(
    "repli_append_seconds", "one batch, from its statement to its commit", unit="seconds", buckets=FAST
)
append_batch = histogram("repli_append_batch_size", "appends in one batch", unit="appends", buckets=SIZES)
writer_waiting = gauge(
    "repli_writer_waiting", "moves decided in this process that no batch has taken yet", unit="moves"
)
fanout_seconds = Family(
    histogram(
        "repli_fanout_seconds",
        "from an append's commit until it is queued to the game's sockets here; `local`: committed by this process",
        "way",
        unit="seconds",
        buckets=FAST,
    ),
    ("way",),
)

# --- sockets --------------------------------------------------------------------------------------------------------

sockets = Family(gauge("repli_sockets", "open sockets of this process", "kind", unit="sockets"), ("kind",))
sockets_closed = Family(
    counter(
        "repli_sockets_closed_total",
        "closed sockets by code; 4409 is one that did not read, 4429 a flood, 1000 to 1006 their own wish",
        *("kind", "code"),
        unit="sockets",
    ),
    ("kind", "code"),
)
socket_messages = Family(
    counter(
        "repli_socket_messages_total",
        "well-formed or not, what sockets sent, and what became of it",
        *("message", "result"),
        unit="messages",
    ),
    ("message", "result"),
)
rooms = gauge("repli_rooms", "games with an open socket at this process", unit="games")

# --- what lies between processes ------------------------------------------------------------------------------------

bus_up = gauge("repli_bus_up", "1 while this process hears the bus; 0 also before its first socket", unit="0 or 1")
bus_lost = counter("repli_bus_lost_total", "times that the bus was lost and had to be found again", unit="times")
lost = Family(
    counter(
        "repli_lost_total",
        "what could not be said for want of Valkey or the broker: wake-ups, hints to workers, signs of life",
        "lost",
        unit="messages",
    ),
    ("lost",),
)
cache_lookups = Family(
    counter(
        "repli_cache_lookups_total",
        "lookups by cache; `behind`: a game that had to catch up from the table",
        *("cache", "found"),
        unit="lookups",
    ),
    ("cache", "found"),
)
cache_entries = Family(gauge("repli_cache_entries", "entries kept", "cache", unit="entries"), ("cache",))

# --- the process ----------------------------------------------------------------------------------------------------

loop_lag = histogram(
    "repli_loop_lag_seconds",
    "how late the event loop wakes what asked to be woken, looked at five times a second",
    unit="seconds",
    buckets=FAST,
)
requests = Family(
    counter(
        "repli_http_requests_total",
        "answered requests; `route` is the template, never the address; `other` method: one that the route has not",
        *("route", "method", "status"),
        unit="requests",
    ),
    ("route", "method", "status"),
)
request_seconds = Family(
    histogram(
        "repli_http_request_seconds",
        "from the request's head to the answer's end",
        *("route", "method"),
        unit="seconds",
        buckets=SLOW,
    ),
    ("route", "method"),
)
tasks = Family(
    counter("repli_tasks_total", "Celery tasks that ended, at the worker", *("task", "outcome"), unit="tasks"),
    ("task", "outcome"),
)
task_seconds = Family(
    histogram("repli_task_seconds", "how long they took, at the worker", "task", unit="seconds", buckets=SLOW),
    ("task",),
)
