"""What state and view both speak of. Nothing here knows either of them."""

from __future__ import annotations

from typing import Literal

Stage = Literal["dealing", "bidding", "tricks", "over"]
