"""The Reversi package inside the jail: the course's board, the adapters, and dialects of scripts from other sites."""

from __future__ import annotations

from bots.reversi.sdk import detect
from bots.reversi.sdk.adapter import ReversiAdapter
from bots.reversi.sdk.board64 import Board64Adapter
from bots.reversi.sdk.scripts.botzone import Botzone, BotzoneSimple
from bots.reversi.sdk.scripts.codingame import CodinGame
from bots.reversi.sdk.scripts.othello_gui import OthelloGui
from bots.reversi.sdk.scripts.saiblo import Saiblo
from bots.sdk.game import GameSdk, register

SDK = register(
    GameSdk(
        game="reversi",
        file=__file__,
        adapter=ReversiAdapter,
        state="bots.reversi.sdk.board:Board",
        dialects={
            "botzone": Botzone,
            "botzone-simple": BotzoneSimple,
            "codingame": CodinGame,
            "othello-gui": OthelloGui,
            detect.SAIBLO: Saiblo,
        },
        resignation="Q",
        functions={detect.FUNCTION: Board64Adapter},
        recognize=detect.recognize,
        choose=detect.choose,
        shims="course",
        former_names={"bots.sdk.board": "bots.reversi.sdk.board"},
    )
)
