"""The page at `/`: a client like any other, which uses the public API and sockets and nothing else."""
