"""The application's label."""

from __future__ import annotations

from django.apps import AppConfig


class UsualConfig(AppConfig):
    name = "tests.benchmarks.usual"
    label = "usual"
