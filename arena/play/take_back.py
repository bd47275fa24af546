"""Take back a move: play continues from the position before it, in a new match.

Invariants: moves can be taken back only in games that allow it and only against house bots, so nobody learns hidden
information or changes somebody else's result. No match ever loses a turn: the old match is cancelled, and the new match
begins with the remaining turns, so its record can be replayed from the first turn. A duplicate request returns the same
match.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from arena.matches.models import Match, Purpose
from arena.matches.services import UNFINISHED, MatchRequest, cancel, create_matches
from arena.platform.refusal import Refused
from arena.play.models import Duel, DuelTurn
from arena.play.opponents import people_settings

MAX_TAKE_BACKS: Final = 20  # maximum per game, because each take-back begins a match


def reason_against(duel: Duel) -> str:
    """Return why no move of this match can be taken back, or "" if moves can be taken back."""
    people = people_settings(duel.match.game)
    if people is None or not people.takes_back:
        return str(people.no_take_back if people else "") or _("Moves cannot be taken back in this game.")
    bots = duel.match.seats.filter(submission__isnull=False)
    if bots.exclude(submission__bot__is_house=True).exists():
        return _("Moves can be taken back only against house bots.")
    return ""


def has_moved(duel: Duel) -> bool:
    """Return whether the stored turns contain a move by the person, which could be taken back."""
    return any(_is_own_move(duel, moves) for moves in duel.turns.values_list("moves", flat=True))


def _is_own_move(duel: Duel, moves: list[dict[str, Any]]) -> bool:
    return any(move["seat"] == duel.seat and move["move"] is not None for move in moves)


def take_back(match_id: int) -> int:
    """Continue a match from the position before the person's last move; return the new match's id. Raises Refused."""
    with transaction.atomic():
        old = Duel.objects.select_for_update(of=("self",)).select_related("match").get(pk=match_id)
        again = Duel.objects.filter(taken_back_from=old).values_list("pk", flat=True).first()
        if again is not None:
            return again
        _check_allowed(old)
        if not cancel([match_id]):  # before its turns are read, so that no worker stores another turn afterwards
            raise Refused(_("This match has ended. Reload the page to see the result."), code="game_over")
        return _create_continuation(old, _turns_before_last_move(old))


def _check_allowed(duel: Duel) -> None:
    if duel.match.status not in UNFINISHED:
        raise Refused(_("This match has ended. Reload the page to see the result."), code="game_over")
    reason = reason_against(duel)
    if reason:
        raise Refused(reason, code="no_take_back")
    if duel.take_backs >= MAX_TAKE_BACKS:
        raise Refused(
            _("You have taken back %(n)s moves, which is the limit for one match. Play on, or start another match.")
            % {"n": MAX_TAKE_BACKS},
            code="too_many_taken_back",
        )


def _turns_before_last_move(duel: Duel) -> list[DuelTurn]:
    """Return the turns before the person's last move. Raises Refused if the person has not moved yet."""
    turns = list(duel.turns.order_by("number"))
    for place in range(len(turns) - 1, -1, -1):
        if _is_own_move(duel, turns[place].moves):
            return turns[:place]
    raise Refused(_("You have not moved yet, so there is nothing to take back."), code="nothing_to_take_back")


def _create_continuation(old: Duel, kept: list[DuelTurn]) -> int:
    seats = list(old.match.seats.order_by("index").values_list("submission_id", "clock"))
    match = old.match
    request = MatchRequest(
        game=match.game,
        settings=match.settings,
        limits=match.limits,
        seed=match.seed,
        purpose=Purpose.DUEL,
        submissions=tuple(submission for submission, _clock in seats),
        requested_by=match.requested_by_id,
        clock=seats[old.seat][1],
        party=match.party,
    )
    (pk,) = create_matches([request])
    # The bots' seeds derive from this seed, so a rerun of the new match repeats their moves.
    Match.objects.filter(pk=pk).update(secret=match.secret)
    Duel.objects.create(
        match_id=pk,
        seat=old.seat,
        guest=old.guest,
        origin=old.origin,
        taken_back_from=old,
        take_backs=old.take_backs + 1,
    )
    DuelTurn.objects.bulk_create(
        DuelTurn(duel_id=pk, number=turn.number, moves=turn.moves, resumed=turn.resumed) for turn in kept
    )
    return pk
