"""``from board import Board``."""

from bots.sdk.board import Board

__all__ = ["Board"]
