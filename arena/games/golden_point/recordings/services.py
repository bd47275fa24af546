"""Store and delete recordings."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.recordings.models import CODE_LENGTH, Recording
from arena.platform.refusal import Refused

MAX_RECORDINGS_PER_PERSON: Final = 50
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 characters, so twelve of them encode 60 bits


@dataclass(frozen=True, slots=True)
class RecordingDraft:
    """An upload: the text, and the parsed match."""

    title: str
    credit: str
    listed: bool
    text: str
    match: GoldenMatch


def create(owner: User, draft: RecordingDraft, *, now: datetime, rng: random.Random) -> Recording:
    """Store a recording permanently. Raises Refused if the person has too many."""
    packed = zlib.compress(draft.text.encode())
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # serializes concurrent uploads
        if Recording.objects.filter(owner=owner).count() >= MAX_RECORDINGS_PER_PERSON:
            raise Refused(
                _("You have %(most)s recordings, which is the limit. Delete one before you upload another.")
                % {"most": MAX_RECORDINGS_PER_PERSON},
                code="too_many_recordings",
            )
        return Recording.objects.create(
            code="".join(rng.choice(_ALPHABET) for _sign in range(CODE_LENGTH)),
            owner=owner,
            title=draft.title,
            credit=draft.credit,
            listed=draft.listed,
            data=packed,
            numbers=draft.match.numbers_per_player(),
            players=len(draft.match.players),
            rounds=len(draft.match.rounds),
            created_at=now,
        )


def delete(code: str) -> None:
    Recording.objects.filter(code=code).delete()
