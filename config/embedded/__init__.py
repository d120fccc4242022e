"""The embedded servers: PostgreSQL and Valkey from the wheels, run from our own data folder.

Here lives what it takes to prepare them (folders, secrets, ports, configuration, whom they run as) and to ask
whether they answer. Running and restarting them is the supervisor's part. Nothing here imports Django.
"""
