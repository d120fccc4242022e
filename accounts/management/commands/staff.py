"""Lets a player into the admin, or out of it again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from accounts import staffing
from accounts.audit import Operator
from accounts.management.deed import Deed


class Command(Deed):
    help = "Let a full account into the admin, or take that away. Kept for ever with author and reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--may", nargs="*", default=[], choices=staffing.DEEDS, help="what else than look")
        parser.add_argument("--dismiss", action="store_true", help="no longer staff")
        super().add_arguments(parser)

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        username = options["username"]
        if options["dismiss"]:
            staffing.dismiss(username, operator, reason)
            return f"{username} is not staff any more"
        staffing.appoint(username, options["may"], operator, reason)
        return f"{username} is staff and may look" + "".join(f", {deed}" for deed in options["may"])
