"""What a person does in their game: move, resign. The site's side of the row that the worker watches.

Invariants: a move is checked by the rules before it is stored, so the referee never refuses one; the first answer to
a turn stands, the same one again changes nothing, and any other is refused with the reason.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from arena.games.registry import GAMES
from arena.matches.models import MatchStatus
from arena.matches.services import cancel
from arena.platform.refusal import Refused
from arena.play.models import Duel
from arena.play.turns import SoFar, so_far
from arena.play.wake_channel import wake

_PLAYED = (MatchStatus.QUEUED, MatchStatus.RUNNING)


def answer(match_id: int, turn: int, move: str) -> None:
    """Play a move in the turn of this number. Raises Refused, with ``retry_after`` where it may be sent again."""
    move = move.strip().upper()
    duel = Duel.objects.select_related("match").get(pk=match_id)
    if duel.match.status not in _PLAYED:
        raise Refused(_("This game has ended."))
    game = so_far(duel.match)
    if turn < game.next_turn:
        _check_played(duel, game, turn, move)
        return
    _check(duel, game, turn, move)
    with transaction.atomic():
        if Duel.objects.filter(pk=match_id, answer_turn__lt=turn).update(answer_turn=turn, answer=move):
            transaction.on_commit(partial(wake, match_id))
            return
    stands = Duel.objects.filter(pk=match_id, answer_turn=turn).values_list("answer", flat=True).first()
    if stands is None:
        raise Refused(_stale(turn))
    if stands != move:
        raise Refused(_("You have played %(move)s already.") % {"move": stands})


def resign(match_id: int) -> bool:
    """Give up: at once where it is one's turn, else as soon as the bot has moved; what has not begun is cancelled.

    Returns whether there was a game to give up.
    """
    with transaction.atomic():
        duel = Duel.objects.select_for_update().select_related("match").get(pk=match_id)
        if duel.match.status not in _PLAYED:
            return False
        if duel.match.status == MatchStatus.QUEUED and not duel.turns.exists():
            cancel([match_id])
            return True
        Duel.objects.filter(pk=match_id).update(resigned=True)
        transaction.on_commit(partial(wake, match_id))
    return True


def _check_played(duel: Duel, game: SoFar, turn: int, move: str) -> None:
    """A click that arrives twice is nothing to complain about."""
    if not any((one["seat"], one["move"]) == (duel.seat, move) for one in game.turns[max(0, turn)]["moves"]):
        raise Refused(_stale(turn))


def _check(duel: Duel, game: SoFar, turn: int, move: str) -> None:
    if turn > game.next_turn:  # a worker tells of a turn that the database could not take at once
        raise Refused(_("The arena is still storing the bot's last move. Send yours again in a moment."), retry_after=1)
    if duel.seat not in game.to_move:
        raise Refused(_("It is not your turn. Wait for the bot's move."))
    if move not in game.legal:
        color = GAMES[duel.match.game].colors[duel.seat]
        text = _("%(move)s is not legal here. Black may play %(legal)s.")
        if color == "O":
            text = _("%(move)s is not legal here. White may play %(legal)s.")
        raise Refused(text % {"move": move[:4] or "–", "legal": " ".join(game.legal)})


def _stale(turn: int) -> str:
    return _("Turn %(turn)s has been played already: your page was older than the game.") % {"turn": turn}
