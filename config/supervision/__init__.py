"""Running several programs as one: start in order, restart what dies, stop in order, leave nothing behind.

`program` says what to run, `child` is one run of it, `service` keeps it alive, `console` is the one log,
`stack` lists the programs of this project. Nothing here imports Django.
"""
