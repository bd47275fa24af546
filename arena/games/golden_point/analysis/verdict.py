"""Describe how a match was decided: the decisive turn, and a sentence about it."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.core.messages import Message, Parameter, Template
from arena.games.golden_point import verdict_messages as messages
from arena.games.golden_point.evaluation.final_lead import FinalLead

_NAMED = 2  # if more seats share a rank, only their number is given


def verdict(
    lead: FinalLead, rounds: int, names: Sequence[str], resigned: Set[int] = frozenset()
) -> tuple[int, Message]:
    """Return the turn that decided the match (0 if no turn did) and the message that explains how.

    ``rounds``: number of rounds in the settings. ``resigned``: the seats that resigned instead of being removed.
    """
    if lead.all_out:
        return lead.end, _all_out_message(lead, rounds, names, resigned)
    if len(lead.leaders) > 1:
        return _turn_of_final_lead(lead, rounds), _tie_message(lead, rounds, names)
    if lead.removed and rounds > 1:
        return lead.turn, _removal_message(lead, rounds, names, resigned)
    return _turn_of_final_lead(lead, rounds), _winner_message(lead, rounds, names)


def _turn_of_final_lead(lead: FinalLead, rounds: int) -> int:
    """Return the turn in which the final lead began; 0 if it began in the first round, which may be the only one."""
    return lead.turn if lead.turn > 1 and rounds > 1 else 0


def _winner_message(lead: FinalLead, rounds: int, names: Sequence[str]) -> Message:
    template = _choose_template(
        lead, rounds, messages.WON_ONLY_ROUND, messages.LED_THROUGHOUT, messages.LED_IN_LAST_ROUND, messages.TOOK_LEAD
    )
    winner = names[lead.leaders[0]]
    return template(winner=winner, round=lead.turn, rounds=rounds, ending=_margin_message(lead, names))


def _choose_template(
    lead: FinalLead, rounds: int, only_round: Template, throughout: Template, last_round: Template, since: Template
) -> Template:
    """Choose the message template according to when the final lead began."""
    if rounds == 1:
        return only_round
    if lead.turn <= 1:
        return throughout
    return last_round if lead.turn == rounds else since


def _margin_message(lead: FinalLead, names: Sequence[str]) -> Message:
    if not lead.next:
        return messages.ALONE()
    behind = (
        _player_names(lead.next, names) if len(lead.next) <= _NAMED else messages.NEXT_PLAYERS(count=len(lead.next))
    )
    if lead.margin == 1:
        return messages.AHEAD_BY_ONE(next=behind)
    return messages.AHEAD(points=lead.margin, next=behind)


def _removal_message(lead: FinalLead, rounds: int, names: Sequence[str], resigned: Set[int]) -> Message:
    winner, gone = names[lead.leaders[0]], lead.removed
    has_resigned = not resigned.isdisjoint(gone)
    if len(gone) == 1:
        template = messages.LEADER_RESIGNED if has_resigned else messages.LEADER_OUT
        return template(loser=names[gone[0]], winner=winner, round=lead.turn, rounds=rounds)
    template = messages.LEADERS_LEFT if has_resigned else messages.LEADERS_OUT
    return template(count=len(gone), winner=winner, round=lead.turn, rounds=rounds)


def _all_out_message(lead: FinalLead, rounds: int, names: Sequence[str], resigned: Set[int]) -> Message:
    if len(lead.leaders) == 1:
        template = messages.ALL_LEFT if resigned else messages.ALL_OUT
        return template(winner=names[lead.leaders[0]], round=lead.end, rounds=rounds)
    return (messages.ALL_LEFT_TIED if resigned else messages.ALL_OUT_TIED)(round=lead.end, rounds=rounds)


def _tie_message(lead: FinalLead, rounds: int, names: Sequence[str]) -> Message:
    template = _choose_template(
        lead,
        rounds,
        messages.SHARED_ONLY_ROUND,
        messages.SHARED_THROUGHOUT,
        messages.SHARED_AFTER_LAST_ROUND,
        messages.SHARED_SINCE,
    )
    return template(leaders=_player_names(lead.leaders, names), round=lead.turn, rounds=rounds, score=lead.score)


def _player_names(seats: Sequence[int], names: Sequence[str]) -> Parameter:
    """Return the names of one or two seats, or the number of seats if there are more."""
    if len(seats) == 1:
        return names[seats[0]]
    if len(seats) == _NAMED:
        return messages.TWO_PLAYERS(one=names[seats[0]], other=names[seats[1]])
    return messages.PLAYERS(count=len(seats))
