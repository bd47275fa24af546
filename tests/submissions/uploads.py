"""Uploads for tests."""

from __future__ import annotations

import io
import zipfile

from django.utils import timezone

from arena.accounts.models import User
from arena.core.sandbox.uploads.package import read_package
from arena.submissions import services
from arena.submissions.models import Submission
from arena.submissions.services import BotDraft, Upload

WORKING = "def get_move(board):\n    return next(board.get_legal_actions('X'))\n"


def upload(source: str = WORKING, filename: str = "bot.py") -> Upload:
    data = source.encode()
    return Upload(read_package(data, filename), filename, len(data))


def upload_bot(owner: User, name: str = "Deep", source: str = WORKING, game: str = "reversi") -> Submission:
    """Create a bot with its first submission through the site's service."""
    return services.create_bot(owner, BotDraft(game, name), upload(source), now=timezone.now())


def zip_archive(**files: bytes | str) -> bytes:
    """Return a ZIP archive; ``__`` in a keyword becomes a dot in the file name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "."), content)
    return buffer.getvalue()
