"""Bots written for other sites: programs that read their standard input and print their answer.

``DIALECTS`` is the table of what such programs may speak, by the name that an author writes into
``main.py`` as ``# arena: NAME``. Which one it is where nothing is written, ``detect`` tells.
"""

from __future__ import annotations

from bots.sdk.scripts.botzone import Botzone, BotzoneSimple
from bots.sdk.scripts.codingame import CodinGame
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.golden_lines import GoldenLines
from bots.sdk.scripts.othello_gui import OthelloGui
from bots.sdk.scripts.saiblo import Saiblo

DIALECTS: dict[str, type[Dialect]] = {
    "golden-lines": GoldenLines,
    "botzone": Botzone,
    "botzone-simple": BotzoneSimple,
    "codingame": CodinGame,
    "othello-gui": OthelloGui,
    "saiblo": Saiblo,
}
