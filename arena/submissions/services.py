"""Make all changes to bots and submissions, except those that the check itself writes.

Invariants: a submission is numbered under its bot's row lock and never changes afterwards; the active submission has
passed its check; a check is announced when the transaction is committed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.quotas import lock_person
from arena.core.plain_text import one_line
from arena.core.sandbox.uploads.package import Package
from arena.platform.jobs.fair_share import person_party
from arena.platform.lookalikes import has_reserved_prefix, skeleton
from arena.platform.refusal import Refused
from arena.submissions import check_job, quota, store
from arena.submissions.blobs import StoreUnavailable
from arena.submissions.models import Bot, Submission, SubmissionStatus

logger = logging.getLogger(__name__)

SAME_CONTENT = "same_content"
CHECKED_AGAIN = (SubmissionStatus.VOID, SubmissionStatus.FAILED)


@dataclass(frozen=True, slots=True)
class BotDraft:
    """A bot to create; name and game have been validated."""

    game: str
    name: str
    description: str = ""
    is_house: bool = False
    level: int | None = None
    plays_people: bool = True
    texts: Mapping[str, Any] = field(default_factory=dict)  # see Bot.texts


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload: its files, file name and size in bytes."""

    package: Package
    filename: str
    size: int


def create_bot(owner: User, draft: BotDraft, upload: Upload, *, now: datetime) -> Submission:
    """Create a bot with its first submission, and start the check. Raises Refused."""
    quota.check_limits(owner, now=now)  # checked before anything is stored, and again under the lock
    if not draft.is_house:
        _check_name_is_not_reserved(draft.game, draft.name)
    store_files(upload.package)
    try:
        with transaction.atomic():
            quota.check_limits(lock_person(owner.pk), now=now)
            bot = Bot.objects.create(
                owner=owner,
                game=draft.game,
                name=draft.name,
                description=draft.description,
                is_house=draft.is_house,
                level=draft.level,
                plays_people=draft.plays_people,
                texts=draft.texts,
            )
            return _create_submission(bot, upload)
    except IntegrityError as error:
        raise _name_taken_error(draft.name) from error


def submit(bot_id: int, upload: Upload, *, now: datetime) -> Submission:
    """Add a submission to a bot, and start the check.

    Raises Refused; its code is SAME_CONTENT if an earlier submission of the bot has identical files.
    """
    owner = User.objects.get(bots=bot_id)
    quota.check_limits(owner, now=now)
    store_files(upload.package)
    with transaction.atomic():
        quota.check_limits(lock_person(owner.pk), now=now)
        bot = Bot.objects.select_for_update().get(pk=bot_id)
        if bot.retired:
            raise Refused(_("This bot is retired. Restore it before you upload a new version."), code="retired")
        same = bot.submissions.filter(sha256=upload.package.sha256).order_by("-number").first()
        if same is not None:
            raise _same_content_error(same)
        return _create_submission(bot, upload)


def store_files(package: Package) -> None:
    """Store an upload's files. Raises Refused if the store is unavailable."""
    try:
        store.store_package(package)
    except StoreUnavailable as error:
        logger.error("an upload was refused: %s", error)
        raise Refused(
            _("The arena cannot store uploads right now. Your upload was not saved; try again in a few minutes."),
            code="storage_unavailable",
        ) from error
    except store.DiskFull as error:
        logger.error("an upload was refused: %s", error)
        raise Refused(
            _(
                "The arena's disk is full, so your upload was not saved. Keep your files, tell staff and try "
                "again later."
            ),
            code="disk_full",
        ) from error


def _create_submission(bot: Bot, upload: Upload) -> Submission:
    last: int = bot.submissions.aggregate(last=Max("number"))["last"] or 0
    made = Submission.objects.create(
        bot=bot,
        number=last + 1,
        sha256=upload.package.sha256,
        filename=one_line(upload.filename)[-120:],
        size=upload.size,
        party=person_party(bot.owner_id),
    )
    transaction.on_commit(partial(check_job.wake_workers, [made.pk]))
    return made


def activate(submission_id: int) -> Submission:
    """Activate a submission that has passed its check. Raises Refused."""
    with transaction.atomic():
        submission = Submission.objects.select_related("bot").get(pk=submission_id)
        if submission.status != SubmissionStatus.PASSED:
            raise Refused(
                _("This version has not passed its check, so it cannot play. Choose another version."),
                code="not_passed",
            )
        check_job.activate_submission(submission.bot_id, submission.pk)
    return submission


def roll_back(bot_id: int) -> Submission:
    """Activate the newest version that precedes the active one and has passed its check. Raises Refused."""
    with transaction.atomic():
        bot = Bot.objects.select_for_update(of=("self",)).select_related("active").get(pk=bot_id)
        passed = bot.submissions.filter(status=SubmissionStatus.PASSED)
        earlier = passed.filter(number__lt=bot.active.number).order_by("-number").first() if bot.active else None
        if earlier is None:
            raise Refused(
                _("There is no earlier version that passed its check. Upload a new version instead."),
                code="no_earlier_version",
            )
        check_job.activate_submission(bot_id, earlier.pk)
    return earlier


def update_bot(
    bot_id: int, name: str, description: str, *, plays_people: bool = True, texts: Mapping[str, Any] | None = None
) -> None:
    """Change a bot's name, its description and whether people may play against it. Raises Refused.

    ``texts`` is for house bots; see ``Bot.texts``.
    """
    bot = Bot.objects.get(pk=bot_id)
    check_rename(bot, name)
    bot.name, bot.description, bot.plays_people, bot.texts = name, description, plays_people, texts or {}
    try:
        with transaction.atomic():
            bot.save(update_fields=["name", "description", "plays_people", "texts"])
    except IntegrityError as error:
        raise _name_taken_error(name) from error


def check_rename(bot: Bot, name: str) -> None:
    """Raise Refused if a name is reserved, or resembles the name of another bot of the same owner."""
    if name != bot.name and not bot.is_house:
        _check_name_is_not_reserved(bot.game, name)
    others = Bot.objects.filter(owner=bot.owner_id, game=bot.game).exclude(pk=bot.pk)
    if others.filter(Q(name__iexact=name) | Q(skeleton=skeleton(name))).exists():
        raise _name_taken_error(name)


def retire(bot_id: int, *, retired: bool = True) -> None:
    """Retire a bot (exclude it from lists, scrimmages and new tournaments) or restore it; its matches are kept."""
    Bot.objects.filter(pk=bot_id).update(retired=retired)


def check_again(submission_id: int) -> bool:
    """Requeue a void or failed check and reset its attempts; return False if it is in any other state.

    Raises Refused.
    """
    rows = Submission.objects.filter(pk=submission_id)
    owner_id = rows.values_list("bot__owner_id", flat=True).get()
    with transaction.atomic():
        quota.check_unfinished(lock_person(owner_id))
        again = rows.filter(status__in=CHECKED_AGAIN)
        return bool(check_job.CHECKS.retry(again, asked_at=timezone.now(), steps=[]))


def _check_name_is_not_reserved(game: str, name: str) -> None:
    house = Bot.objects.filter(game=game, is_house=True, skeleton=skeleton(name))
    if has_reserved_prefix(name) or house.exists():
        text = _("The name %(name)s is reserved for the arena's own players. Choose another name.")
        raise Refused(text % {"name": name}, code="house_name", field="name")


def _name_taken_error(name: str) -> Refused:
    text = _("You already have a bot in this game with the name %(name)s or a similar one. Choose another name.")
    return Refused(text % {"name": name}, code="name_taken", field="name")


def _same_content_error(same: Submission) -> Refused:
    text = _("These files are identical to version %(n)s, so there is nothing new to upload.") % {"n": same.number}
    return Refused(text, code=SAME_CONTENT, facts={"submission": same.pk, "number": same.number})
