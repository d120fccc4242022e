"""Benchmarks, run by command and never by the test suite: how fast the service is, beside what others do."""
