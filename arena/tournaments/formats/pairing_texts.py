"""Explain who meets whom, and in which seats, in all formats except brackets and the Swiss system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.core.ranking.pairing.groups import Finals
from arena.core.ranking.pairing.tables import DRAW_BUDGET, MAX_PARTNERS, MAX_PASSES
from arena.tournaments.formats.base import Options, RuleText
from arena.tournaments.formats.bracket_texts import double_elimination_rules, knockout_bracket, knockout_rules
from arena.tournaments.formats.swiss_texts import swiss_rules
from arena.tournaments.models import Format

_F = Format


def format_rules(format_: str, options: Options, repeats: int) -> Iterator[RuleText]:
    """Yield a format's rules for pairing and seats, starting with the rule that best describes the format."""
    yield from _RULES[format_](options, repeats)


def _round_robin_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    if repeats > 1:
        yield from _repeated_round_robin(repeats)
        return
    text = _("Every bot meets every other bot once, in the order of the Berger tables (FIDE C.05, Annex 1).")
    yield RuleText("pairing", _("Pairing"), text)
    yield _round_robin_byes()


def _double_round_robin_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    if repeats > 1:
        yield from _repeated_round_robin(2 * repeats)
        return
    text = _(
        "Every bot meets every other bot twice, once in each seat, in the order of the Berger "
        "tables (FIDE C.05, Annex 1)."
    )
    yield RuleText("pairing", _("Pairing"), text)
    yield _round_robin_byes()


def _repeated_round_robin(times: int) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), round_robin_text(times))
    yield RuleText(
        "pairing_order",
        _("Order"),
        _(
            "The order follows the Berger tables (FIDE C.05, Annex 1), with the seats swapped each time the tables "
            "are repeated."
        ),
    )
    yield _round_robin_byes()


def _round_robin_byes() -> RuleText:
    return RuleText(
        "byes", _("Byes"), _("With an odd number of bots, one bot in each round has a bye, which scores nothing.")
    )


def round_robin_text(times: int) -> str:
    """Return how often the bots of a round robin meet."""
    if times == 1:
        return _("Every bot meets every other bot once.")
    if times == 2:
        return _("Every bot meets every other bot twice.")
    return _("Every bot meets every other bot %(n)s times.") % {"n": times}


def _group_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    yield RuleText(
        "pairing",
        _("Pairing"),
        _("Each group plays a round robin in the order of the Berger tables (FIDE C.05, Annex 1)."),
    )
    yield RuleText(
        "group_size",
        _("Group size"),
        _("There are as few groups as possible, with at most %(n)s bots in each.")
        % {"n": options.get("group_size", 4)},
    )
    yield RuleText(
        "groups",
        _("Groups"),
        _("Seeds are assigned to groups in serpentine order: with three groups, 1, 2, 3, 3, 2, 1."),
    )
    yield RuleText(
        "group_byes",
        _("Byes in the groups"),
        _("A bot without an opponent in a round has a bye, which scores nothing."),
    )
    yield RuleText("advance", _("Advancing"), _advance(options))
    yield RuleText(
        "group_ties",
        _("Ties in a group"),
        _("If a tie in a group remains after all tiebreaks, the higher seed advances."),
    )
    yield from _finals_rules(options)


def _advance(options: Options) -> str:
    if options.get("finals") == Finals.ROUND_ROBIN:
        text = _("The top %(n)s in each group advance to the finals, another round robin.")
    else:
        text = _("The top %(n)s in each group advance to the finals, a knockout.")
    return text % {"n": options.get("advance", 2)}


def _finals_rules(options: Options) -> Iterator[RuleText]:
    yield RuleText(
        "replacements",
        _("Replacements"),
        _("If a bot withdraws before the finals, the next bot in its group advances instead."),
    )
    yield RuleText("finals", _("Finals"), _("Group results do not count in the finals."))
    yield RuleText(
        "final_seeds",
        _("Seeding for the finals"),
        _("Finalists are seeded by group rank and, within each rank, by group number."),
    )
    yield RuleText(
        "final_seeds_start",
        _("First group at each rank"),
        _(
            "At each rank, seeding starts with the group for which the fewest bots would meet a bot of their own group "
            "if the finalists seeded so far played the first round of a knockout; after the last group, it continues "
            "with group 1."
        ),
    )
    if options.get("finals") != Finals.ROUND_ROBIN:
        yield from knockout_bracket(third_place=True)


def _gauntlet_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), _gauntlet_pairing(options))
    yield RuleText("gauntlet_bots", _("Gauntlet bots"), _gauntlet_bots(options))
    yield RuleText(
        "first_round",
        _("First round"),
        _(
            "In the first round, the top seed of the gauntlet bots meets the top seed of the other bots, the second "
            "seed meets the second seed, and so on."
        ),
    )
    yield RuleText(
        "later_rounds",
        _("Later rounds"),
        _(
            "In each later round, every bot on the smaller side (the gauntlet bots if the sides are equal) meets the "
            "seed below its last opponent or, after the lowest seed, the top seed."
        ),
    )
    yield RuleText(
        "seats",
        _("Seats"),
        _(
            "When a gauntlet bot meets another bot for the first time, the gauntlet bot has the first seat in odd "
            "rounds and the second seat in even rounds."
        ),
    )
    yield RuleText(
        "byes",
        _("Byes"),
        _(
            "All bots on the smaller side (the gauntlet bots or the other bots) play in every round; a bot without an "
            "opponent has a bye, which scores nothing."
        ),
    )
    if repeats > 1:
        yield RuleText("rounds", _("Rounds"), _repeated_gauntlet(repeats))


def _gauntlet_pairing(options: Options) -> str:
    if options.get("gauntlet_bots", 0) == 1:
        return gauntlet_text(options)
    return _("The gauntlet bots meet all other bots, but not each other.")


def _gauntlet_bots(options: Options) -> str:
    count = options.get("gauntlet_bots", 0)
    if not count:
        return _(
            "The gauntlet bots are the house bots or, if no house bot plays, the top seed; if only house bots play, "
            "they are all bots except the last seed."
        )
    if count == 1:
        return _("The top seed is the gauntlet bot.")
    text = _("The gauntlet bots are the top %(n)s seeds, or all bots except the last seed if no more than %(n)s play.")
    return text % {"n": count}


def _repeated_gauntlet(times: int) -> str:
    if times == 2:
        return _("Each pair meets twice and swaps seats after the first meeting.")
    return _("Each pair meets %(n)s times and swaps seats after each meeting.") % {"n": times}


def gauntlet_text(options: Options) -> str:
    """Return a sentence that says which bots meet in a gauntlet."""
    count = options.get("gauntlet_bots", 0)
    if not count:
        return _("The house bots meet all other bots, but not each other; if none plays, the top seed does.")
    text = ngettext(
        "The top seed meets all other bots.",
        "The top %(n)s seeds meet all other bots, but not each other.",
        count,
    )
    return text % {"n": count}


def _table_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    seats = options.get("seats", 0)
    if not seats:
        yield RuleText("pairing", _("Pairing"), _("All bots play at one table."))
        text = ngettext("There is %(n)s match.", "There are %(n)s matches.", repeats)
    else:
        yield RuleText("pairing", _("Pairing"), _("Bots play at tables of at most %(n)s.") % {"n": seats})
        yield from _draw_of_tables()
        text = ngettext("There is %(n)s round.", "There are %(n)s rounds, each with newly drawn tables.", repeats)
    yield RuleText("rounds", _("Rounds"), text % {"n": repeats})
    yield RuleText(
        "seats",
        _("Seats"),
        _(
            "The seats at a table are assigned from first to last: each goes to the bot that has had it least often, "
            "or, if several are tied, to the one that has had the later seats most often."
        ),
    )
    if seats:
        text = _(
            "If a tie for a seat remains, the seat goes to the bot that has met other bots the fewest times so far; "
            "if bots are still tied, the seat is drawn at random, or goes to the highest seed if there is only one "
            "table."
        )
    else:
        text = _("If a tie for a seat remains, the seat goes to the highest seed.")
    yield RuleText("seat_ties", _("Ties for a seat"), text)


def _draw_of_tables() -> Iterator[RuleText]:
    yield RuleText(
        "table_sizes",
        _("Table size"),
        _("There are as few tables as possible, and their sizes differ by at most one bot."),
    )
    yield RuleText(
        "larger_tables",
        _("Larger tables"),
        _("The bots that have met other bots the fewest times so far play at the larger tables."),
    )
    yield RuleText(
        "draw",
        _("Draw"),
        _(
            "The tables are drawn at random several times: %(budget)s divided by the number of bots, rounded down, but "
            "at least once."
        )
        % {"budget": DRAW_BUDGET},
    )
    yield RuleText(
        "swaps",
        _("Swaps"),
        _(
            "After each draw, there are up to %(passes)s passes over all bots, until a pass swaps none: each bot is "
            "swapped with the one of up to %(partners)s randomly chosen bots for which the number of earlier meetings "
            "between bots at the same table falls most, if it falls at all."
        )
        % {"passes": MAX_PASSES, "partners": MAX_PARTNERS},
    )
    yield RuleText(
        "chosen_draw",
        _("Choice of the draw"),
        _(
            "The draw with the fewest earlier meetings between bots at the same table is used, or the first of them "
            "if several have equally few."
        ),
    )


_RULES: Final[Mapping[str, Callable[[Options, int], Iterator[RuleText]]]] = {
    _F.ROUND_ROBIN: _round_robin_rules,
    _F.DOUBLE_ROUND_ROBIN: _double_round_robin_rules,
    _F.GROUPS: _group_rules,
    _F.SWISS: swiss_rules,
    _F.KNOCKOUT: knockout_rules,
    _F.DOUBLE_ELIMINATION: double_elimination_rules,
    _F.GAUNTLET: _gauntlet_rules,
    _F.TABLE: _table_rules,
}
