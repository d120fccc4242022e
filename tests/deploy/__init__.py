"""The files under `deploy/` and the tools that judge them, without any network or container engine."""
