"""Histograms as a PNG, with nothing but the standard library: bars, axes and small figures."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

WIDTH, HEIGHT, MARGIN, SCALE = 460, 260, 40, 2
WHITE, BLACK = (255, 255, 255), (40, 40, 40)
COLOURS = ((70, 120, 180), (215, 110, 50))  # everybody, the chosen few
FIGURES = {
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 3, 1, 7), "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 2, 4, 4), "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7),
}  # fmt: skip


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One histogram: the samples of each series, drawn as shares side by side, from 0 to `most`."""

    series: Sequence[Sequence[float]]
    most: float
    bins: int = 20
    step: int  # between figures on the axis


class Picture:
    """Pixels, from the top left."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [bytearray(bytes(WHITE) * width) for _ in range(height)]

    def fill(self, left: int, top: int, width: int, height: int, colour: tuple[int, int, int]) -> None:
        for row in self.rows[max(0, top) : top + height]:
            row[3 * left : 3 * (left + width)] = bytes(colour) * width

    def write(self, text: str, left: int, top: int) -> None:
        """Digits of three by five dots."""
        for number, figure in enumerate(text):
            for y, bits in enumerate(FIGURES[figure]):
                for x in range(3):
                    if bits >> (2 - x) & 1:
                        self.fill(left + SCALE * (4 * number + x), top + SCALE * y, SCALE, SCALE, BLACK)

    def png(self) -> bytes:
        """The file's bytes."""
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in self.rows), 9)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def draw(path: Path, panels: Sequence[Panel]) -> None:
    """Write the panels side by side."""
    picture = Picture(WIDTH * len(panels), HEIGHT)
    for place, panel in enumerate(panels):
        _draw(picture, place * WIDTH, panel)
    path.write_bytes(picture.png())


def shares(panel: Panel) -> list[list[float]]:
    """Of each series, the share of its samples in each bin; beyond the last one counts in it."""
    found = []
    for samples in panel.series:
        counts = [0] * panel.bins
        for sample in samples:
            counts[min(panel.bins - 1, int(sample / panel.most * panel.bins))] += 1
        found.append([count / max(1, len(samples)) for count in counts])
    return found


def _draw(picture: Picture, left: int, panel: Panel) -> None:
    inner, tall, ground = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN, HEIGHT - MARGIN
    found = shares(panel)
    highest = max(max(bins) for bins in found) or 1.0
    bar = inner // panel.bins
    for number, bins in enumerate(found):
        part = bar // len(found)
        for place, share in enumerate(bins):
            height = round(tall * share / highest)
            picture.fill(
                left + MARGIN + place * bar + number * part, ground - height, part - 1, height, COLOURS[number]
            )
    picture.fill(left + MARGIN, ground, inner, 1, BLACK)
    picture.fill(left + MARGIN, MARGIN, 1, tall, BLACK)
    picture.write(str(round(100 * highest)), left + 8, MARGIN)  # per cent
    for value in range(0, round(panel.most) + 1, panel.step):
        x = left + MARGIN + round(bar * panel.bins * value / panel.most)
        picture.fill(x, ground, 1, 5, BLACK)
        picture.write(str(value), x - 6, ground + 10)
