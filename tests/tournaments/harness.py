"""A test harness for tournaments: real rows, a manual clock, and results set by the test."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.games.base import Outcome, Termination
from arena.games.registry import GAMES
from arena.matches.callbacks import StoredResult
from arena.matches.models import Match, MatchStatus, Seat
from arena.platform.live.testing import MemoryBroker
from arena.submissions.models import Bot
from arena.tournaments import lifecycle, scheduler
from arena.tournaments.entries import registration
from arena.tournaments.events.publishing import log_activity, publish_event
from arena.tournaments.events.snapshots import entries_event, snapshot
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.match_callbacks import CALLBACKS
from arena.tournaments.models import ActivityKind, Entry, Format, Tournament, TournamentStatus
from arena.tournaments.services import creation
from arena.tournaments.services.creation import TournamentPlan
from arena.tournaments.standings import store
from tests import factories

_GAMES = {Format.TABLE: "golden_point", Format.SCORE_ATTACK: "dare"}
FORFEIT_RANKS = (1, 2)


class TournamentHarness:
    """A harness that runs tournaments in tests, with an organizer and a manual clock.

    Only ``pass_time`` advances ``now``; every change runs its callbacks as after a commit.
    """

    def __init__(self, broker: MemoryBroker, commits: Callable[..., Any]) -> None:
        self.broker, self._commits = broker, commits
        self.now = timezone.now()
        self.organizer = factories.person(role=Role.ORGANIZER)

    def commit_context(self) -> Any:
        """Return a context manager that runs the block's ``on_commit`` callbacks at its end."""
        return self._commits(execute=True)

    def run_committed(self, change: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        with self.commit_context():
            return change(*args, **kwargs)

    def pass_time(self, by: timedelta) -> datetime:
        self.now += by
        return self.now

    def tick(self) -> None:
        self.run_committed(scheduler.tick, now=self.now)

    # --- tournaments

    def create_tournament(self, format_: Format = Format.ROUND_ROBIN, **changes: Any) -> Tournament:
        """Create an open tournament whose deadline and start are in an hour."""
        game = changes.pop("game", _GAMES.get(format_, "reversi"))
        deadline = changes.pop("deadline", self.now + timedelta(hours=1))
        settings = (
            {"numbers": 2, "rounds": 10}
            if game == "golden_point"
            else GAMES[game].settings_json(GAMES[game].settings({}))
        )
        plan = TournamentPlan(
            name=changes.pop("name", "Cup"),
            game=game,
            format=format_,
            deadline=deadline,
            starts_at=changes.pop("starts_at", deadline),
            settings={**settings, **changes.pop("settings", {})},
            limits={"move_seconds": 5.0, "start_seconds": 10.0, "illegal_answers": 3, "pace_seconds": 0.0},
            **changes,
        )
        pk = self.run_committed(creation.create, self.organizer, plan, rng=random.Random(7))
        return Tournament.objects.get(pk=pk)

    def create_bot(self, tournament: Tournament, owner: User | None = None, **kwargs: Any) -> Bot:
        return factories.bot(owner, tournament.game, **kwargs)

    def enter_bots(self, tournament: Tournament, bots: int | Sequence[Bot]) -> list[Entry]:
        """Enter these bots one after the other, or this number of new bots at once, which is much faster."""
        if isinstance(bots, int):
            return self._enter_new_bots(tournament, bots)
        return [self.run_committed(registration.enter, bot.owner, tournament.pk, bot.pk, now=self.now) for bot in bots]

    def _enter_new_bots(self, tournament: Tournament, count: int) -> list[Entry]:
        bots = [self.create_bot(tournament) for _ in range(count)]
        with self.commit_context(), transaction.atomic():
            version = lifecycle.raise_version_if_status(tournament.pk, (TournamentStatus.OPEN,))
            assert version is not None, "bots enter only open tournaments"
            entries = Entry.objects.bulk_create(Entry(tournament=tournament, bot=bot) for bot in bots)
            for entry in entries:
                log_activity(tournament.pk, ActivityKind.ENTERED, actor=entry.bot.owner, entry=entry)
            publish_event(tournament.pk, version, entries_event(tournament.pk))
        return entries

    def start_tournament(self, entries: int = 4, format_: Format = Format.ROUND_ROBIN, **changes: Any) -> Tournament:
        """Create a tournament that has just started."""
        tournament = self.create_tournament(format_, **changes)
        self.enter_bots(tournament, entries)
        self.pass_time(timedelta(hours=1))
        self.tick()
        tournament.refresh_from_db()
        return tournament

    # --- matches

    def matches(self, tournament: Tournament, *statuses: MatchStatus) -> list[Match]:
        rows = Match.objects.filter(pairing__tournament=tournament).order_by("pk")
        return list(rows.filter(status__in=statuses) if statuses else rows)

    def name_of(self, match: Match) -> str:
        """Return the name of a match in its tournament, such as "Round 1, encounter 2"."""
        return match_names([match.pk])[match.pk]

    def begin_match(self, match: Match) -> None:
        """Start a queued match as a worker does."""
        assert Match.objects.filter(pk=match.pk, status=MatchStatus.QUEUED).update(status=MatchStatus.RUNNING)
        with self.commit_context(), transaction.atomic():
            CALLBACKS.started(match.pk)

    def finish_match(
        self, match: Match, ranks: Sequence[int], margins: Sequence[float] | None = None, faults: Sequence[str] = ()
    ) -> None:
        """Store a result as arena.matches.result_store does, and refresh the standings."""
        self._store_result(match, ranks, margins, faults)
        self.refresh_standings()

    def _store_result(
        self, match: Match, ranks: Sequence[int], margins: Sequence[float] | None = None, faults: Sequence[str] = ()
    ) -> None:
        margins = tuple(margins or (float(2 * len(ranks) - 4 * rank) for rank in ranks))
        faults = tuple(faults) or ("",) * len(ranks)
        outcome = Outcome(margins, tuple(ranks), margins, Termination.COMPLETED)
        with self.commit_context(), transaction.atomic():
            changed = Match.objects.filter(pk=match.pk, status__in=(MatchStatus.QUEUED, MatchStatus.RUNNING)).update(
                status=MatchStatus.FINISHED, finished_at=self.now
            )
            assert changed, "only a match that plays can end"
            for seat, rank, margin, fault in zip(match.seats.order_by("index"), ranks, margins, faults, strict=True):
                Seat.objects.filter(pk=seat.pk).update(rank=rank, points=margin, margin=margin, fault=fault)
            CALLBACKS.finished(StoredResult(match.pk, outcome, faults))

    def refresh_standings(self) -> None:
        """Refresh all outdated standings, as a tick does once the minimum interval has passed."""
        for tournament_id in store.stale_tournaments():
            self.run_committed(store.refresh, tournament_id, now=self.now)

    def void_match(self, match: Match) -> None:
        with self.commit_context(), transaction.atomic():
            Match.objects.filter(pk=match.pk).update(status=MatchStatus.VOID)
            CALLBACKS.void(match.pk)
        self.refresh_standings()

    def play_all(self, tournament: Tournament, rng: random.Random) -> None:
        """End every match with a random result, and refresh the standings whenever all queued matches have ended."""
        while queued := self.matches(tournament, MatchStatus.QUEUED, MatchStatus.RUNNING):
            for match in queued:
                seats = match.seats.count()
                places = [rng.randint(1, seats) for _ in range(seats)]
                ranks = [1 + sum(other < place for other in places) for place in places]
                faults = ["crash" if rng.random() < 0.1 and rank == max(ranks) else "" for rank in ranks]
                self._store_result(match, ranks, [float(rng.randint(-9, 9)) for _ in ranks], faults)
            self.refresh_standings()

    # --- checks

    def events(self, tournament: Tournament) -> list[dict[str, Any]]:
        return self.broker.events(f"tournaments/{tournament.pk}")

    def snapshot(self, tournament: Tournament) -> dict[str, Any]:
        return snapshot(tournament.pk)

    def status(self, tournament: Tournament) -> str:
        tournament.refresh_from_db()
        return tournament.status

    def activity_kinds(self, tournament: Tournament) -> list[str]:
        """Return the kinds of entries in the activity log, oldest first."""
        return [notice.kind for notice in tournament.activities.order_by("pk")]
