"""Load a bot or a version for a request, and check the reader's permission. All raise Http404 or PermissionDenied."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from arena.accounts.permissions import Action, require
from arena.submissions import queries


def bot_or_404(bot_id: int) -> queries.BotRow:
    line = queries.bot_row(bot_id)
    if line is None:
        raise Http404
    return line


def changeable_bot(request: HttpRequest, bot_id: int) -> queries.BotRow:
    line = bot_or_404(bot_id)
    require(request.user, Action.CHANGE_BOT, line.owner_id)
    return line


def submission_or_404(submission_id: int) -> queries.SubmissionCard:
    card = queries.submission(submission_id)
    if card is None:
        raise Http404
    return card


def readable_submission(request: HttpRequest, submission_id: int) -> queries.SubmissionCard:
    """Return a version whose check and log the reader may see."""
    card = submission_or_404(submission_id)
    require(request.user, Action.SEE_LOG, card.owner_id)
    return card


def changeable_submission(request: HttpRequest, submission_id: int) -> queries.SubmissionCard:
    card = submission_or_404(submission_id)
    require(request.user, Action.CHANGE_BOT, card.owner_id)
    return card


def submission_with_files(request: HttpRequest, submission_id: int) -> queries.SubmissionCard:
    """Return a version whose files the reader may read; those of house bots are public."""
    card = submission_or_404(submission_id)
    if not card.is_house:
        require(request.user, Action.SEE_SOURCE, card.owner_id)
    return card
