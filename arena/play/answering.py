"""A person's moves and resignation: the site's side of the row that the worker watches.

Invariants: the rules check a move before it is stored, so the referee never rejects one. The first answer to a turn is
final: sending the same answer again has no effect, and any other answer is rejected with the reason.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from arena.games.base import IllegalMove, Json
from arena.games.localized_messages import translate_message
from arena.matches.models import MatchStatus
from arena.matches.services import cancel
from arena.platform.refusal import Refused
from arena.play import moves
from arena.play.models import Duel
from arena.play.opponents import people_settings
from arena.play.turns import DuelState, duel_state
from arena.play.wake_channel import wake_worker

_PLAYED = (MatchStatus.QUEUED, MatchStatus.RUNNING)


def submit_move(match_id: int, turn: int, text: str) -> Json:
    """Play a move in the turn with this number, and return the move as the match page will show it.

    Raises Refused, with ``retry_after`` if the move may be sent again.
    """
    duel = Duel.objects.select_related("match").get(pk=match_id)
    if duel.match.status not in _PLAYED:
        raise Refused(_("This match has ended. Reload the page to see the result."), code="game_over")
    game = duel_state(duel.match, duel.seat)
    if turn < game.next_turn:
        return _repeated_move(duel, game, turn, text)
    move = _check_move(duel, game, turn, text)
    with transaction.atomic():
        if Duel.objects.filter(pk=match_id, answer_turn__lt=turn).update(answer_turn=turn, answer=move):
            transaction.on_commit(partial(wake_worker, match_id))
            return move
    answered = Duel.objects.filter(pk=match_id, answer_turn=turn).values_list("answer", flat=True)
    if not answered:
        raise Refused(_stale_turn_text(), code="stale_turn")
    if answered[0] != move:
        raise Refused(
            _("You have already played %(move)s. Wait for your next turn.")
            % {"move": _move_label(duel, game, answered[0])},
            code="already_played",
        )
    return move


def resign(match_id: int) -> bool:
    """Resign a match on behalf of the person playing in it; return False if the match has already ended.

    If it is not the player's turn, the resignation takes effect at their next turn. A match that has not begun is
    cancelled.
    """
    with transaction.atomic():
        duel = Duel.objects.select_for_update().select_related("match").get(pk=match_id)
        if duel.match.status not in _PLAYED:
            return False
        if duel.match.status == MatchStatus.QUEUED and not duel.turns.exists():
            cancel([match_id])
            return True
        Duel.objects.filter(pk=match_id).update(resigned=True)
        transaction.on_commit(partial(wake_worker, match_id))
    return True


def _repeated_move(duel: Duel, game: DuelState, turn: int, text: str) -> Json:
    """Return the move if it repeats the one already played, for example after a double-click.

    Raises Refused otherwise.
    """
    if turn > 0:
        played = [one["move"] for one in game.moves[turn - 1] if one["seat"] == duel.seat and not one["fault"]]
        try:
            if moves.parse_move(text, game.rules, game.states[turn - 1], duel.seat) in played:
                return played[0]
        except IllegalMove:
            pass
    raise Refused(_stale_turn_text(), code="stale_turn")


def _check_move(duel: Duel, game: DuelState, turn: int, text: str) -> Json:
    if turn > game.next_turn:  # a worker may announce a turn before the database has it
        raise Refused(
            _("The arena is still storing the last move. Send your move again in a moment."),
            code="being_stored",
            retry_after=1,
        )
    if duel.seat not in game.to_move:
        raise Refused(_("It is not your turn. Wait for the others to move."), code="not_your_turn")
    try:
        return moves.parse_move(text, game.rules, game.state, duel.seat)
    except IllegalMove as illegal:
        raise Refused(
            _("You cannot play that: %(reason)s. Choose another move.")
            % {"reason": translate_message(illegal.message)},
            code="illegal_move",
        ) from None


def _move_label(duel: Duel, game: DuelState, move: Json) -> str:
    people = people_settings(duel.match.game)
    return moves.labelled_move(move, moves.possible_moves(people, game.view, duel.seat) if people else ()).label


def _stale_turn_text() -> str:
    return _("That move has already been played. Reload the page to see the current position.")
