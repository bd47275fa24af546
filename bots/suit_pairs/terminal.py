"""Suit Pairs in the terminal: one line per decision, and the table at the start of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.games.base import Json
from bots.cli.terminal import Program, Terminal
from bots.suit_pairs.sdk.cards import ACTIONS, CARDS


def draw(turn: Mapping[str, Json], names: Sequence[str]) -> str:
    """Format the decision and, at the start of a turn, the table, the hands and the points."""
    view = turn["view"]
    lines = [f"{turn['number']:4}.  {_format_decision(decision, names)}" for decision in view["decisions"]]
    for move in turn["moves"]:
        if move["fault"]:
            lines.append(f"{turn['number']:4}.  {names[move['seat']]} faults: {move['fault']}")
        elif move["refused"]:
            lines.append(f"       (illegal answers before: {move['refused']})")
    if view["stage"] in ("init", "pair") and view["pending"] == [None, None] and view["discarded"] == 0:
        lines += _format_table(view, names)
    return "\n".join(lines)


def _format_decision(decision: Mapping[str, Json], names: Sequence[str]) -> str:
    who, action = names[decision["seat"]], decision["action"]
    shown = "a selected card that needs a second one" if action is None else ACTIONS[action].name
    if decision["first"] is not None:
        shown = f"{CARDS[decision['first']].name} {shown}"
    stage = "enters" if decision["stage"] == "init" else decision["stage"]
    ends = " and passes" if decision["passes"] else ""
    forced = " (the only stage)" if decision["forced"] else ""
    return f"{who}  {stage} {shown}{ends}{forced}"


def _format_table(view: Mapping[str, Json], names: Sequence[str]) -> list[str]:
    state = "the end" if view["to_move"] is None else f"{names[view['to_move']]} to move"
    lines = [
        f"       deal {view['deal']} of {view['deals']}, turn {view['turn']} of the deal, "
        f"{view['deck']} in the deck, {state}",
        f"       table  {_format_cards(view['table'])}",
    ]
    for seat, name in enumerate(names):
        hand = view["hands"][seat]
        shown = f"{view['hand_sizes'][seat]} cards" if hand is None else _format_cards(hand)
        lines.append(f"       {name}  {view['points'][seat]} points  {shown}")
    return lines


def _format_cards(cards: Iterable[int]) -> str:
    return " ".join(CARDS[card].name for card in cards) or "–"


TERMINAL = Terminal(
    draw=draw,
    programs=(
        Program("train", "learn", "bots.suit_pairs.training.selfplay"),
        Program("evaluate", "levels", "bots.suit_pairs.training.evaluation"),
    ),
    needs_history=False,
)
