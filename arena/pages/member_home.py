"""The home page of a signed-in member: bots, losses, deadlines, own tournaments, learning paths and a next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max

from arena.accounts.models import User
from arena.accounts.permissions import Action, may
from arena.core.ranking.rating import CENTRE
from arena.games.localized_messages import FAULT_LABELS, translate_message
from arena.learning_path.queries import GamePath, game_paths
from arena.matches.losses import OwnLoss, own_losses
from arena.matches.queries import MatchCard, SeatRow, cards_of_ids
from arena.matches.reviews import VerdictJob, expected_verdict, verdict_on_seat
from arena.ratings.history import ratings_before
from arena.ratings.queries import ratings_of
from arena.submissions.queries import BotFilter, BotRow, bot_rows, bots
from arena.tournaments.queries.deadlines import Deadline, deadlines
from arena.tournaments.queries.tournaments import TournamentCard, tournaments_organized_by

BOTS: Final = 5
LOSSES: Final = 4
DEADLINES: Final = 5
TOURNAMENTS: Final = 4
CHANGE_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class OwnBot:
    """One of the member's bots.

    ``change``: the rating change over the past week. Like ``rating``, it is None before the first rated match. A bot
    that had no rating a week ago is compared with the mean of all first versions, so that a change is shown from the
    first day on.
    """

    line: BotRow
    rating: float | None
    change: float | None


@dataclass(frozen=True, slots=True)
class ExplainedLoss:
    """A lost match and why it was lost.

    ``own``: the seat of the member's bot. ``why``: the verdict of the game's review, or the fault; "" if unknown.
    ``turn``: the turn to look at, None if no single turn explains the loss.

    ``expected``: the state of the job that will produce the verdict; None if there is a verdict or none is expected.
    """

    card: MatchCard
    own: SeatRow
    why: str
    turn: int | None
    expected: VerdictJob | None = None

    @property
    def opponents(self) -> tuple[SeatRow, ...]:
        """Return the other seats, best first."""
        others = (seat for seat in self.card.seats if seat.index != self.own.index)
        return tuple(sorted(others, key=lambda seat: (seat.rank or 0, seat.index)))

    @property
    def listed_opponents(self) -> tuple[SeatRow, ...]:
        return self.opponents[: MatchCard.SHOWN]

    @property
    def unlisted_count(self) -> int:
        return len(self.opponents) - len(self.listed_opponents)


@dataclass(frozen=True, slots=True)
class MemberHome:
    """The data of a member's home page.

    ``paths``: learning paths of games with the member's bots, or of all games if there are no bots yet.
    ``organizes``: whether the member may create tournaments; ``tournaments``: the newest that the member organizes.
    """

    bots: Sequence[OwnBot]
    has_more_bots: bool
    losses: Sequence[ExplainedLoss]
    deadlines: Sequence[Deadline]
    paths: Sequence[GamePath]
    organizes: bool = False
    tournaments: Sequence[TournamentCard] = ()

    @property
    def has_rated_bot(self) -> bool:
        return any(bot.rating is not None for bot in self.bots)


def member_home(person: User, *, now: datetime) -> MemberHome:
    """Return the page's data. Runs a constant number of queries, plus those for reviewing a few matches."""
    rows = bots(BotFilter(owner=person.username)).annotate(newest=Max("submissions__pk")).order_by("-newest", "-pk")
    lines = bot_rows(rows[: BOTS + 1])
    shown = lines[:BOTS]
    ids = [line.id for line in shown]
    ratings, before = ratings_of(ids), ratings_before(ids, (now - timedelta(days=CHANGE_DAYS)).date())
    games = {line.game for line in lines}
    organizes = may(person, Action.CREATE_TOURNAMENT)
    return MemberHome(
        bots=[
            OwnBot(line, ratings.get(line.id), _rating_change(ratings.get(line.id), before.get(line.id, CENTRE)))
            for line in shown
        ],
        has_more_bots=len(lines) > BOTS,
        losses=_explained_losses(own_losses(person, LOSSES), now),
        deadlines=deadlines(person, DEADLINES, now=now),
        paths=[path for path in game_paths(person) if not games or path.game in games],
        organizes=organizes,
        tournaments=tournaments_organized_by(person, TOURNAMENTS) if organizes else (),
    )


def _rating_change(rating: float | None, before: float) -> float | None:
    return None if rating is None else rating - before


def _explained_losses(found: Sequence[OwnLoss], now: datetime) -> list[ExplainedLoss]:
    shown = {card.id: card for card in cards_of_ids([loss.match_id for loss in found])}
    return [_explained_loss(loss, shown[loss.match_id], now) for loss in found if loss.match_id in shown]


def _explained_loss(loss: OwnLoss, card: MatchCard, now: datetime) -> ExplainedLoss:
    own = card.seats[loss.seat]
    if loss.fault:
        return ExplainedLoss(card, own, str(FAULT_LABELS.get(loss.fault, loss.fault)), None)
    verdict = verdict_on_seat(loss.game, loss.match_id, loss.seat)
    if verdict is None:
        return ExplainedLoss(card, own, "", None, expected_verdict(loss.match_id, loss.game, now=now))
    return ExplainedLoss(card, own, translate_message(verdict.message), verdict.turn if verdict.turn else None)
