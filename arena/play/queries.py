"""What the page of somebody's game shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from arena.accounts.permissions import Action, Person, may
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import shared_queue
from arena.matches.snapshots import snapshot
from arena.platform.jobs.fair_share import ahead_of
from arena.play.hints import hint_for
from arena.play.identity import Visitor, visitor_of
from arena.play.models import Duel
from arena.play.turns import SoFar, so_far


@dataclass(frozen=True, slots=True)
class Table:
    """One's game as it stands.

    ``turn``: the one that waits for the person, 0 where none does; ``legal``: the moves they have then. ``hint``: see
    ``hints.hint_for``. ``since``: seconds for which they have been asked. ``ahead``: how many games begin before it
    does. ``answered``: what they said in this turn, "" nothing yet.
    """

    match_id: int
    status: str
    status_label: str
    seat: int
    color: str
    turn: int
    legal: tuple[str, ...]
    answered: str
    hint: str | None
    since: float
    ahead: int
    resigned: bool
    rematch: int | None

    @property
    def is_waiting(self) -> bool:
        return self.status == MatchStatus.QUEUED

    @property
    def is_running(self) -> bool:
        return self.status == MatchStatus.RUNNING

    @property
    def is_over(self) -> bool:
        return not self.is_waiting and not self.is_running

    @property
    def is_my_turn(self) -> bool:
        return bool(self.turn) and not self.answered and not self.resigned and not self.is_over

    def to_json(self) -> dict[str, Any]:
        """What scripts need of it."""
        return {"match": self.match_id, "seat": self.seat, "color": self.color, "since": self.since, "hint": self.hint}


def may_play(visitor: Visitor, match_id: int) -> bool:
    """Whether it is the visitor's own game: by their account, or by this browser, where they were a guest."""
    row = Duel.objects.filter(pk=match_id).values_list("match__requested_by_id", "guest").first()
    if row is None:
        return False
    owner_id, guest = row
    if guest:
        return constant_time_compare(guest, visitor.guest)
    return visitor.user is not None and may(visitor.user, Action.PLAY_DUEL, owner_id)


def guest_seat(request: HttpRequest, match_id: int) -> int | None:
    """The seat on which this browser's guest played, for the page of the match; None: somebody else's game."""
    visitor = visitor_of(request)
    if not visitor.guest:
        return None
    return Duel.objects.filter(pk=match_id, guest=visitor.guest).values_list("seat", flat=True).first()


def own_duel(match_id: int, reader: Person) -> int | None:
    """The match's id where it is the reader's game; for the page of the match."""
    owner_id = Duel.objects.filter(pk=match_id).values_list("match__requested_by_id", flat=True).first()
    return match_id if owner_id and may(reader, Action.PLAY_DUEL, owner_id) else None


def table(match_id: int) -> Table | None:
    duel = Duel.objects.select_related("match", "rematch").filter(pk=match_id).first()
    if duel is None:
        return None
    match = duel.match
    game = so_far(match, duel.seat) if match.status in (MatchStatus.QUEUED, MatchStatus.RUNNING) else None
    mine = game is not None and duel.seat in game.to_move and match.status == MatchStatus.RUNNING
    turn = game.next_turn if game is not None and mine else 0
    rematch: Duel | None = getattr(duel, "rematch", None)
    return Table(
        match_id=match_id,
        status=match.status,
        status_label=match.get_status_display(),
        seat=duel.seat,
        color=GAMES[match.game].colors[duel.seat],
        turn=turn,
        legal=tuple(game.legal) if game is not None and mine else (),
        answered=duel.answer if turn and duel.answer_turn == turn else "",
        hint=hint_for(match_id, turn) if turn else None,
        since=_since(duel, turn),
        ahead=_ahead(match),
        resigned=duel.resigned,
        rematch=rematch.pk if rematch else None,
    )


def shown(match_id: int) -> dict[str, Any]:
    """The match's snapshot as the person sees it who plays.

    Between two workers, and while a broker has forgotten it, with the turns that are kept.
    """
    seat = Duel.objects.values_list("seat", flat=True).get(pk=match_id)
    found = snapshot(match_id, seat)
    if found["match"]["status"] in (MatchStatus.QUEUED, MatchStatus.RUNNING) and not found["turns"]:
        game: SoFar = so_far(Match.objects.get(pk=match_id), seat)
        if game.next_turn > 1:
            found["turns"] = game.turns
    return found


def _since(duel: Duel, turn: int) -> float:
    if not turn or duel.asked_turn != turn or duel.asked_at is None:
        return 0.0
    return max(0.0, (timezone.now() - duel.asked_at).total_seconds())


def _ahead(match: Match) -> int:
    if match.status != MatchStatus.QUEUED:
        return 0
    return ahead_of(shared_queue(Purpose.DUEL), match.pk)
