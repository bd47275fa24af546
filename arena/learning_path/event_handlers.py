"""Record reached rungs in the transaction that stores the result or activates the version.

A rung is reached when a person's bot finishes ahead of the boss without a fault, in a scrimmage, a ladder match or a
tournament match. Runs of drafts, version tests and duels do not count. Withheld results count when they are released;
replaced matches do not count.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F, Min, Q
from django.utils import timezone

from arena.games.base import Termination
from arena.games.sites import SITES
from arena.learning_path.models import ReachedRung
from arena.learning_path.rungs import PASSED_CHECK, boss_names, rung_codes
from arena.matches.domain_events import ResultStored
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.submissions.domain_events import VersionActivated
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.tournaments.events.domain_events import ActivityLogged
from arena.tournaments.models import ActivityKind, Pairing, Tournament

COUNTED: Final = (Purpose.SCRIMMAGE, Purpose.LADDER, Purpose.TOURNAMENT)


def on_result(fact: ResultStored) -> None:
    """Record a result. Runs one statement, and a second one if a person's bot finished ahead of a boss."""
    if fact.purpose in COUNTED and rung_codes(fact.game):
        _store_rungs(_beaten_bosses(fact.game, Q(match_id=fact.match_id)))


def on_version_activated(fact: VersionActivated) -> None:
    owner, game, is_house = Bot.objects.values_list("owner_id", "game", "is_house").get(pk=fact.bot_id)
    if fact.is_first and not is_house and rung_codes(game):
        _store_rungs([ReachedRung(person_id=owner, game=game, rung=PASSED_CHECK, at=timezone.now())])


def on_activity(fact: ActivityLogged) -> None:
    if fact.kind == ActivityKind.RELEASED:
        game = Tournament.objects.values_list("game", flat=True).get(pk=fact.tournament_id)
        if rung_codes(game):
            matches = Pairing.objects.filter(tournament=fact.tournament_id).values("match")
            _store_rungs(_beaten_bosses(game, Q(match__in=matches)))


def rebuild() -> int:
    """Recompute all reached rungs from matches and checks; return how many there are."""
    with transaction.atomic():
        ReachedRung.objects.all().delete()
        for game in SITES:
            if rung_codes(game):
                _store_rungs([*_passed_checks(game), *_beaten_bosses(game, Q())])
    return ReachedRung.objects.count()


def _passed_checks(game: str) -> list[ReachedRung]:
    passed = Submission.objects.filter(bot__game=game, bot__is_house=False, status=SubmissionStatus.PASSED)
    rows = passed.order_by().values("bot__owner_id").annotate(first=Min("uploaded_at"), checked=Min("checked_at"))
    return [
        ReachedRung(person_id=row["bot__owner_id"], game=game, rung=PASSED_CHECK, at=row["checked"] or row["first"])
        for row in rows
    ]


def _beaten_bosses(game: str, which: Q) -> list[ReachedRung]:
    """Return the rungs reached: one per person and boss that the person's bots have beaten, with the first match won.

    ``which``: the filter for the seats of the people's bots.
    """
    names = boss_names(game)
    ahead = Seat.objects.filter(
        which,
        fault="",
        submission__bot__is_house=False,
        match__game=game,
        match__status=MatchStatus.FINISHED,
        match__purpose__in=COUNTED,
        match__withheld=False,
        match__replaced_by=None,
        match__seats__submission__bot__is_house=True,
        match__seats__submission__bot__name__in=names,
        match__seats__rank__gt=F("rank"),
    ).exclude(match__termination=Termination.TIME_LIMIT)
    person, boss = "submission__bot__owner_id", "match__seats__submission__bot__name"
    rows = list(ahead.order_by().values(person, boss).annotate(first=Min("match_id")))
    ended = dict(Match.objects.filter(pk__in={row["first"] for row in rows}).values_list("pk", "finished_at"))
    return [
        ReachedRung(
            person_id=row[person], game=game, rung=names[row[boss]], match_id=row["first"],
            at=ended[row["first"]] or timezone.now(),
        )
        for row in rows
    ]  # fmt: skip


def _store_rungs(reached: list[ReachedRung]) -> None:
    """Store newly reached rungs."""
    if reached:
        ReachedRung.objects.bulk_create(reached, ignore_conflicts=True)
