"""Read-only queries for the bot and submission pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from arena.core.plain_text import one_line
from arena.core.referee.record import load
from arena.core.referee.replay import replay
from arena.games.localized_messages import translate_stored_message
from arena.games.registry import GAMES
from arena.submissions.elapsed import shown_steps
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.ui.localized import localized_name

# Columns that lists and cards of submissions do not need.
_LARGE = ("log", "record", "steps", "position")


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot in a list; ``newest_number`` and ``status`` describe its newest submission."""

    id: int
    name: str
    game: str
    description: str
    owner: str
    owner_id: int
    is_house: bool
    level: int | None
    texts: Mapping[str, Any]
    plays_people: bool
    retired: bool
    active_number: int | None
    newest_number: int | None
    versions: int
    status: str
    status_label: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class BotFilter:
    """The filters for the bot list; empty fields are ignored."""

    game: str = ""
    owner: str = ""
    text: str = ""
    retired: bool = False  # whether to include retired bots


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A row in a bot's table of submissions."""

    id: int
    number: int
    status: str
    status_label: str
    filename: str
    size: int
    short_hash: str
    uploaded_at: datetime
    is_active: bool

    @property
    def may_be_activated(self) -> bool:
        return self.status == SubmissionStatus.PASSED and not self.is_active


@dataclass(frozen=True, slots=True)
class SubmissionCard:
    """A submission as shown on its own page."""

    id: int
    number: int
    bot_id: int
    bot_name: str
    game: str
    owner: str
    owner_id: int
    is_house: bool
    retired: bool
    sha256: str
    filename: str
    size: int
    status: str
    status_label: str
    is_active: bool
    uploaded_at: datetime
    asked_at: datetime
    checked_at: datetime | None
    event_seq: int
    attempts: int
    failure: str

    @property
    def is_unfinished(self) -> bool:
        return self.status in {SubmissionStatus.WAITING, SubmissionStatus.CHECKING}

    @property
    def may_be_checked_again(self) -> bool:
        return self.status in {SubmissionStatus.VOID, SubmissionStatus.FAILED}

    @property
    def may_be_activated(self) -> bool:
        return self.status == SubmissionStatus.PASSED and not self.is_active


def bots(chosen: BotFilter) -> QuerySet[Bot]:
    """Return bots ordered by name, for a paginator; callers convert a page of them with ``bot_rows``."""
    rows = Bot.objects.all() if chosen.retired else Bot.objects.filter(retired=False)
    if chosen.game:
        rows = rows.filter(game=chosen.game)
    if chosen.owner:
        rows = rows.filter(owner__username__iexact=chosen.owner)
    if chosen.text:
        rows = rows.filter(
            Q(name__icontains=chosen.text)
            | Q(owner__username__icontains=chosen.text)
            | Q(description__icontains=chosen.text)
        )
    return rows.order_by("name", "pk")


def bot_rows(rows: Iterable[Bot] | QuerySet[Bot]) -> list[BotRow]:
    """Convert bots to rows in the given order. Runs two queries in total."""
    order = [row.pk for row in rows]
    newest = Submission.objects.filter(bot=OuterRef("pk")).order_by("-number")
    columns = {f"newest_{name}": Subquery(newest.values(name)[:1]) for name in ("number", "status")}
    found = {
        bot.pk: bot
        for bot in Bot.objects.filter(pk__in=order)
        .select_related("owner", "active")
        .annotate(versions=Count("submissions"), **columns)
    }
    return [_bot_row(found[pk]) for pk in order if pk in found]


def bot_row(bot_id: int) -> BotRow | None:
    return next(iter(bot_rows(Bot.objects.filter(pk=bot_id))), None)


def _bot_row(bot: Any) -> BotRow:
    status = bot.newest_status or ""
    return BotRow(
        id=bot.pk,
        name=bot.name,
        game=bot.game,
        description=bot.description,
        owner=bot.owner.username,
        owner_id=bot.owner_id,
        is_house=bot.is_house,
        level=bot.level,
        texts=bot.texts,
        plays_people=bot.plays_people,
        retired=bot.retired,
        active_number=bot.active.number if bot.active else None,
        newest_number=bot.newest_number,
        versions=bot.versions,
        status=status,
        status_label=str(SubmissionStatus(status).label) if status else "",
        created_at=bot.created_at,
    )


def versions(bot_id: int) -> QuerySet[Submission]:
    """Return a bot's submissions, newest first, for a paginator; callers convert a page with ``version_rows``."""
    return Submission.objects.filter(bot_id=bot_id).select_related("bot").defer(*_LARGE)


def version_rows(rows: Iterable[Submission]) -> list[VersionRow]:
    return [
        VersionRow(
            id=row.pk,
            number=row.number,
            status=row.status,
            status_label=row.get_status_display(),
            filename=one_line(row.filename),
            size=row.size,
            short_hash=row.sha256[:10],
            uploaded_at=row.uploaded_at,
            is_active=row.bot.active_id == row.pk,
        )
        for row in rows
    ]


def submission(submission_id: int) -> SubmissionCard | None:
    row = Submission.objects.select_related("bot__owner").defer(*_LARGE).filter(pk=submission_id).first()
    if row is None:
        return None
    bot = row.bot
    return SubmissionCard(
        id=row.pk,
        number=row.number,
        bot_id=bot.pk,
        bot_name=localized_name(bot),
        game=bot.game,
        owner=bot.owner.username,
        owner_id=bot.owner_id,
        is_house=bot.is_house,
        retired=bot.retired,
        sha256=row.sha256,
        filename=one_line(row.filename),
        size=row.size,
        status=row.status,
        status_label=row.get_status_display(),
        is_active=bot.active_id == row.pk,
        uploaded_at=row.uploaded_at,
        asked_at=row.asked_at,
        checked_at=row.checked_at,
        event_seq=row.event_seq,
        attempts=row.attempts,
        failure=translate_stored_message(row.failure) if row.failure else "",
    )


def newest_event(submission_id: int) -> int:
    """Return the sequence number of a check's newest live event; 0 if there is none."""
    return Submission.objects.values_list("event_seq", flat=True).filter(pk=submission_id).first() or 0


def snapshot(submission_id: int) -> dict[str, Any]:
    """Return the initial state of the check's page; events with numbers above ``seq`` update it."""
    row = Submission.objects.only("status", "steps", "event_seq", "record").get(pk=submission_id)
    turns = replay(load(bytes(row.record)), GAMES) if row.record else []
    steps = shown_steps(row.steps, timezone.now(), waiting=row.status == SubmissionStatus.WAITING)
    return {"seq": row.event_seq, "status": row.status, "steps": steps, "turns": turns}


def bot_ids_of_versions(submission_ids: Sequence[int]) -> list[int]:
    """Return each version's bot id, in the order of the versions; versions that no longer exist are omitted."""
    bot_of = dict(Submission.objects.filter(pk__in=submission_ids).values_list("pk", "bot_id"))
    return [bot_of[pk] for pk in submission_ids if pk in bot_of]


def owner_of_submission(submission_id: int) -> int | None:
    """Return the id of the submission's owner; None if there is no such submission."""
    return Submission.objects.filter(pk=submission_id).values_list("bot__owner_id", flat=True).first()


def newest_content_hash(bot_id: int) -> str | None:
    """Return the content hash of a bot's newest submission; None if the bot has none."""
    return Submission.objects.filter(bot_id=bot_id).order_by("-number").values_list("sha256", flat=True).first()


def version_with_content(bot_id: int, sha256: str) -> int | None:
    """Return the number of a bot's newest version with this content hash; None if there is none."""
    found = Submission.objects.filter(bot_id=bot_id, sha256=sha256).order_by("-number")
    return found.values_list("number", flat=True).first()


def newest_submission_id(bot_id: int) -> int | None:
    """Return the id of a bot's newest submission; None if the bot has none."""
    return Submission.objects.filter(bot_id=bot_id).order_by("-number").values_list("pk", flat=True).first()
