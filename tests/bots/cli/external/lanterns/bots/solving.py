"""A program that prints a fixed solution: burn all the oil."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    print("ten", *arguments)
