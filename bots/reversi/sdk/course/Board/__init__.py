"""``from Board import Board``; a package, because board.py and Board.py are one file on some systems."""

from bots.reversi.sdk.board import Board

__all__ = ["Board"]
