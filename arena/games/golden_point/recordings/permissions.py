"""Permissions on recordings: rows of the table in ``arena/accounts/permissions.py``."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.accounts.permissions import OWNER, SIGNED_IN, STAFF, Rules


class RecordingAction(StrEnum):
    """What not everybody may do with games that were played elsewhere."""

    UPLOAD_RECORDING = "upload_recording"
    DELETE_RECORDING = "delete_recording"  # and find it in the list, whether it is listed or not


RULES: Final[Rules] = {
    RecordingAction.UPLOAD_RECORDING: SIGNED_IN,
    RecordingAction.DELETE_RECORDING: OWNER | STAFF,
}
