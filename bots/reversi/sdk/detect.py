"""Detect the dialect of a Reversi script from its source; nothing is executed.

If a module defines ``reversi_ai``, that function is called; if it requires more than three arguments, the module is a
script for Saiblo. Other scripts are recognized in this order:

- Botzone with JSON: ``requests`` and ``responses``, or the keep-running line in a file that uses ``json``.
- Othello GUI: ``SCORE`` or ``FINAL``.
- Botzone's simple interaction: the name Botzone, or the keep-running line.
- CodinGame: its name, or names from its starter code; an endless loop too, but only in a file that cannot be a module.

A file can be a module if a class has ``get_move`` and importing ``main.py`` would not read standard input.
"""

from __future__ import annotations

import re

from bots.reversi.sdk.board64 import FUNCTION as FUNCTION_NAME
from bots.reversi.sdk.scripts.botzone import KEEP_RUNNING
from bots.sdk.scripts.dialect import UnknownDialect
from bots.sdk.scripts.static_analysis import SourceFacts, source_facts

FUNCTION, SAIBLO = "reversi-ai", "saiblo"
_FUNCTION_TAKES = 3
_IS_FUNCTION = re.compile(rb"^def[ \t]+reversi_ai\b", re.MULTILINE)
# CodinGame's name, and names in its starter code.
_CODINGAME = re.compile(rb"codingame|action_?count")


def recognize(main: bytes) -> str | None:
    """Return the name of the dialect if ``main.py`` defines the function that Saiblo bots have, otherwise None."""
    if not _IS_FUNCTION.search(main):
        return None
    return SAIBLO if source_facts(main).needs.get(FUNCTION_NAME, 0) > _FUNCTION_TAKES else FUNCTION


def choose(look: SourceFacts, may_be_module: bool) -> str | None:
    """Return the dialect if the file is a script, or None if it is a module. Raises UnknownDialect."""
    if {"requests", "responses"} <= look.strings or (KEEP_RUNNING in look.strings and "json" in look.bound):
        return "botzone"
    if look.strings & {"SCORE", "FINAL"}:
        return "othello-gui"
    if b"botzone" in look.text or KEEP_RUNNING in look.strings:
        return "botzone-simple"
    if _CODINGAME.search(look.text):
        return "codingame"
    if may_be_module:
        return None
    if look.endless:
        return "codingame"
    raise UnknownDialect
