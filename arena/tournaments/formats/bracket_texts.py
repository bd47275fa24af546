"""Explain the rules of arena.core.ranking.pairing.knockout and arena.core.ranking.pairing.double_elimination."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from arena.tournaments.formats.base import Options, RuleText


def knockout_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), _("A bot that loses an encounter is eliminated."))
    yield from knockout_bracket(third_place=options.get("third_place", True))


def knockout_bracket(*, third_place: bool) -> Iterator[RuleText]:
    """Yield the rules of a bracket, which are also those of the finals after groups."""
    yield from _first_rounds(_("Bracket"))
    yield RuleText(
        "later_rounds",
        _("Later rounds"),
        _("The winners of adjacent encounters meet, so seeds 1 and 2 cannot meet before the last round."),
    )
    if third_place:
        text = _(
            "With four or more bots in the bracket, the losers of the semifinals meet in the third-place play-off."
        )
        yield RuleText("third_place", _("Third-place play-off"), text)
    yield _bracket_seats()


def double_elimination_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), _("A bot is eliminated after losing two encounters."))
    yield from _first_rounds(_("Winners' bracket"))
    yield RuleText(
        "later_rounds",
        _("Later rounds"),
        _(
            "The winners of adjacent encounters meet, so in this bracket, seeds 1 and 2 can meet only in the last "
            "round."
        ),
    )
    yield from _losers_bracket()
    yield RuleText("final", _("Final"), _("The winners of the two brackets meet in the final."))
    yield RuleText(
        "second_final",
        _("Second final"),
        _("If the winner of the winners' bracket loses the final, the two bots meet again to decide first place."),
    )
    yield _bracket_seats()
    yield from _seats_across_brackets()


def _first_rounds(term: str) -> Iterator[RuleText]:
    yield RuleText(
        "bracket_size",
        _("Bracket size"),
        _("The number of slots in the bracket is the smallest power of two that is not less than the number of bots."),
    )
    yield RuleText(
        "bracket",
        term,
        _(
            "The numbers of two seeds that meet in the first round add up to one more than the number of slots: "
            "with eight, from top to bottom, 1 meets 8, 4 meets 5, 2 meets 7 and 3 meets 6."
        ),
    )
    yield RuleText("byes", _("Byes"), _("A bot whose opponent's slot is empty gets a bye in the first round."))


def _bracket_seats() -> RuleText:
    return RuleText(
        "bracket_seats",
        _("Seats in the bracket"),
        _(
            "In the first match of an encounter, the bot that comes from the upper of two slots, or from the upper of "
            "two earlier encounters, has the first seat."
        ),
    )


def _seats_across_brackets() -> Iterator[RuleText]:
    yield RuleText(
        "losers_seats",
        _("Seats in the losers' bracket"),
        _(
            "When a bot from the losers' bracket meets a loser from the winners' bracket, the bot from the losers' "
            "bracket has the first seat in the first match."
        ),
    )
    yield RuleText(
        "final_seats",
        _("Seats in the final"),
        _(
            "The winner of the winners' bracket has the first seat in the first match of the final, and the other bot "
            "has it in the first match of the second final."
        ),
    )


def _losers_bracket() -> Iterator[RuleText]:
    yield RuleText(
        "losers_bracket",
        _("Losers' bracket"),
        _(
            "The losers of adjacent encounters in the first round of the winners' bracket meet in the first round "
            "of the losers' bracket."
        ),
    )
    yield RuleText(
        "losers_rounds",
        _("Later losers"),
        _(
            "After each later round of the winners' bracket, its losers meet the bots that are left in the losers' "
            "bracket; then the winners of adjacent encounters meet."
        ),
    )
    yield RuleText(
        "losers_byes",
        _("Byes in the losers' bracket"),
        _("A bot in the losers' bracket whose opponent's slot is empty gets a bye."),
    )
    yield RuleText(
        "winners_byes",
        _("Byes in the winners' bracket"),
        _("In a round in which only the losers' bracket is played, the bots in the winners' bracket get a bye."),
    )
    yield RuleText(
        "losers_order",
        _("Order of the losers"),
        _(
            "To delay rematches, the losers of even rounds enter the losers' bracket in reverse order; from the third "
            "round on, the losers of odd rounds enter with the upper and lower halves swapped."
        ),
    )
