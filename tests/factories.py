"""Model instances for tests, created directly, without an upload and its check."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from arena.accounts.models import Role, User
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import MatchRequest, create_matches
from arena.submissions.models import Bot, Submission, SubmissionStatus

_numbers = itertools.count(1)


def person(name: str = "", role: Role = Role.STUDENT, *, is_staff: bool = False) -> User:
    name = name or f"person{next(_numbers)}"
    user = User(username=name, email=f"{name}@example.org", role=role, is_staff=is_staff)
    user.set_unusable_password()
    user.save()
    return user


def bot(owner: User | None = None, game: str = "reversi", name: str = "", *, playable: bool = True) -> Bot:
    """Create a bot; a playable one has an active submission that passed its check."""
    made = Bot.objects.create(owner=owner or person(), game=game, name=name or f"bot{next(_numbers)}")
    if playable:
        made.active = submission(made)
        made.save()
    return made


def submission(of: Bot, status: SubmissionStatus = SubmissionStatus.PASSED) -> Submission:
    number = of.submissions.count() + 1
    return Submission.objects.create(
        bot=of, number=number, sha256=f"{next(_numbers):064x}", filename="main.py", size=10, status=status
    )


def queued_match(bots: Sequence[Bot] = (), game: str = "reversi", purpose: Purpose = Purpose.SCRIMMAGE) -> Match:
    seats = [each.active_id for each in bots or (bot(game=game), bot(game=game))]
    request = MatchRequest(
        game=game,
        settings=GAMES[game].settings_json(GAMES[game].settings({})),
        limits={},
        seed=1,
        purpose=purpose,
        submissions=tuple(pk for pk in seats if pk),
    )
    match = Match.objects.get(pk=create_matches([request])[0])
    assert match.status == MatchStatus.QUEUED
    return match
