"""Read-only queries for the page of a duel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from arena.accounts.panels import Panel, match_actions
from arena.accounts.permissions import Action, Person, may
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import shared_queue
from arena.matches.snapshots import match_snapshot
from arena.platform.jobs.fair_share import count_rows_ahead
from arena.play.hints import RequestedHint, hint_for
from arena.play.identity import Visitor, visitor_of
from arena.play.models import Duel
from arena.play.moves import ShownMove, labelled_move, possible_moves
from arena.play.opponents import people_settings
from arena.play.requests import next_seat
from arena.play.take_back import has_moved, reason_against
from arena.play.turns import duel_state, turns_seen_by

OWN_ACTION: Final = "play/own_action.html"  # this app's part of the match page


@dataclass(frozen=True, slots=True)
class TakeBacks:
    """A person's take-backs in a match.

    ``refusal``: why the person cannot take back moves in this match, "" if they can; ``has_moved``: whether there is a
    move to take back; ``count``: how many moves they have taken back; ``in_progress``: whether the match has yet to
    resume after that; ``continuation``: the match that continues this one.
    """

    refusal: str
    has_moved: bool
    count: int
    in_progress: bool
    continuation: int | None


@dataclass(frozen=True, slots=True)
class DuelPage:
    """The page of a person's match: its current state and what the person can do.

    ``turn``: the person's open turn, 0 for none; ``moves``: the legal moves, if the game lists them; ``view``: what the
    person sees. ``hint``: the requested hint, None if not requested; ``hint_move``: the suggested move, None while it
    is being computed. ``since``: seconds since the turn was requested. ``ahead``: how many matches begin before this
    one. ``answered``: the move already sent for this turn. ``next_seat``: the person's seat in a rematch.
    ``stored_turns``: the number of turns already played, which a worker that resumes the match first replays.
    """

    match_id: int
    game: str
    status: str
    status_label: str
    seat: int
    seats: int
    next_seat: int
    turn: int
    view: dict[str, Any]
    moves: tuple[ShownMove, ...]
    answered: ShownMove | None
    gives_hints: bool
    hint: RequestedHint | None
    since: float
    ahead: int
    resigned: bool
    rematch: int | None
    take_backs: TakeBacks
    stored_turns: int

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
        return bool(self.turn) and self.answered is None and not self.resigned and not self.is_over

    @property
    def hint_move(self) -> ShownMove | None:
        return labelled_move(self.hint.answer, self.moves) if self.hint and self.hint.answer is not None else None

    def to_json(self) -> dict[str, Any]:
        """Return the player's private state as JSON for scripts."""
        hint = self.hint_move
        return {
            "match": self.match_id,
            "seat": self.seat,
            "since": self.since,
            "stored_turns": self.stored_turns,
            "hint": hint.to_json() if hint else None,
        }


def may_play(visitor: Visitor, match_id: int) -> bool:
    """Return whether the match belongs to the visitor, who is identified by account or, as a guest, by browser."""
    row = Duel.objects.filter(pk=match_id).values_list("match__requested_by_id", "guest").first()
    if row is None:
        return False
    owner_id, guest = row
    if guest:
        return constant_time_compare(guest, visitor.guest)
    return visitor.user is not None and may(visitor.user, Action.PLAY_DUEL, owner_id)


def guest_seat(request: HttpRequest, match_id: int) -> int | None:
    """Return the seat of the guest who is using this browser; None for other people's matches."""
    visitor = visitor_of(request)
    if not visitor.guest:
        return None
    return Duel.objects.filter(pk=match_id, guest=visitor.guest).values_list("seat", flat=True).first()


def own_duel(match_id: int, reader: Person) -> int | None:
    """Return the id of the match if the reader is playing in it, otherwise None."""
    owner_id = Duel.objects.filter(pk=match_id).values_list("match__requested_by_id", flat=True).first()
    return match_id if owner_id and may(reader, Action.PLAY_DUEL, owner_id) else None


def duel_page(match_id: int) -> DuelPage | None:
    duel = Duel.objects.select_related("match", "rematch").filter(pk=match_id).first()
    if duel is None:
        return None
    match = duel.match
    people = people_settings(match.game)
    game = duel_state(match, duel.seat) if match.status == MatchStatus.RUNNING else None
    if game is not None and duel.seat not in game.to_move:
        game = None
    turn = game.next_turn if game else 0
    moves = possible_moves(people, game.view, duel.seat) if game and people else ()
    seats = match.seats.count()
    rematch: Duel | None = getattr(duel, "rematch", None)
    return DuelPage(
        match_id=match_id,
        game=match.game,
        status=match.status,
        status_label=match.get_status_display(),
        seat=duel.seat,
        seats=seats,
        next_seat=next_seat(duel.seat, seats),
        turn=turn,
        view=game.view if game else {},
        moves=moves,
        answered=labelled_move(duel.answer, moves) if turn and duel.answer_turn == turn else None,
        gives_hints=people is not None and people.gives_hints,
        hint=hint_for(duel, game) if game else None,
        since=_seconds_since_request(duel, turn),
        ahead=_matches_ahead(match),
        resigned=duel.resigned,
        rematch=rematch.pk if rematch else None,
        take_backs=_take_backs(duel),
        stored_turns=duel.turns.count(),
    )


def _take_backs(duel: Duel) -> TakeBacks:
    match, refusal = duel.match, reason_against(duel)
    return TakeBacks(
        refusal=refusal,
        has_moved=not refusal and has_moved(duel),
        count=duel.take_backs,
        in_progress=match.status == MatchStatus.QUEUED and match.started_at is None and duel.take_backs > 0,
        continuation=Duel.objects.filter(taken_back_from=duel).values_list("pk", flat=True).first(),
    )


def player_snapshot(match_id: int) -> dict[str, Any]:
    """Return the match's snapshot as the person playing in it sees it.

    While no worker is running the match, and after the broker has lost its data, the snapshot is built from the stored
    turns.
    """
    seat, take_backs = Duel.objects.values_list("seat", "take_backs").get(pk=match_id)
    found = match_snapshot(match_id, seat, whole=True).sent
    if found["match"]["status"] in (MatchStatus.QUEUED, MatchStatus.RUNNING) and not found["turns"]:
        turns = turns_seen_by(Match.objects.get(pk=match_id), seat)
        if len(turns) > 1 or take_backs:  # after a take-back, even the start position is the continuation of a match
            found["turns"] = turns
    return found


def _seconds_since_request(duel: Duel, turn: int) -> float:
    if not turn or duel.asked_turn != turn or duel.asked_at is None:
        return 0.0
    return max(0.0, (timezone.now() - duel.asked_at).total_seconds())


def _matches_ahead(match: Match) -> int:
    if match.status != MatchStatus.QUEUED:
        return 0
    return count_rows_ahead(shared_queue(Purpose.DUEL, now=timezone.now()), match.pk)


def hint_json(match_id: int, turn: int) -> dict[str, Any] | None:
    """Return the hint for this turn, for scripts; None while it is being computed, and once the turn is over.

    ``more``: whether the page has more to show than the move.
    """
    found = duel_page(match_id)
    if found is None or found.turn != turn or found.hint is None or found.hint_move is None:
        return None
    return {**found.hint_move.to_json(), "more": bool(found.hint.context)}


def actions_after_match(match_id: int, reader: Person) -> list[Panel]:
    """Return the panels for the actions that other apps offer for this finished match."""
    return [panel for panel in match_actions.panels_for(match_id, reader) if panel.template != OWN_ACTION]
