"""Permissions on reports: rows of the table in ``arena/accounts/permissions.py``."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.accounts.permissions import OWNER, STAFF, Rules


class ReportAction(StrEnum):
    """What not everybody may do with the analysis of a game."""

    REPEAT_REPORT = "repeat_report"  # after a failure of the arena: the owner of the recording or match


RULES: Final[Rules] = {ReportAction.REPEAT_REPORT: OWNER | STAFF}
