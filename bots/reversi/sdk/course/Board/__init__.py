"""``from Board import Board``; a package, because board.py and Board.py are the same file on some systems."""

from bots.reversi.sdk.board import Board

__all__ = ["Board"]
