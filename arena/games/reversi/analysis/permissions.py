"""Permissions on analyses: rows of the table in ``arena/accounts/permissions.py``."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.accounts.permissions import SIGNED_IN, Rules


class AnalysisAction(StrEnum):
    """What not everybody may have analysed."""

    REQUEST_ANALYSIS = "request_analysis"  # of a match that they may see, or of a position


RULES: Final[Rules] = {AnalysisAction.REQUEST_ANALYSIS: SIGNED_IN}
