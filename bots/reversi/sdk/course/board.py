"""``from board import Board``."""

from bots.reversi.sdk.board import Board

__all__ = ["Board"]
