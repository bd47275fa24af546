"""A tournament's rules in words: pairing, scoring and ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.core.ranking.pairing.groups import Finals
from arena.core.ranking.tiebreaks import Tiebreak
from arena.games.sites import SITES
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.formats.traits import TRAITS, tiebreaks_of
from arena.tournaments.models import Format, Openings, Seeding

_F = Format
_BRACKETS: Final = (_F.KNOCKOUT, _F.DOUBLE_ELIMINATION)
Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A term and the rule for it, in full sentences.

    ``code``: identifies the rule in links to it; ``points``: the rule's parts, in order.
    """

    code: str
    term: str
    text: str
    points: tuple[tuple[str, str], ...] = ()


def rules_of(pairing: Options, game: str) -> list[RuleText]:
    """Return the rules of a tournament. ``pairing``: the values of its columns that define the pairing."""
    if TRAITS[pairing["format"]].scored:
        return list(_score_attack_rules(pairing, game))
    return [
        *_pairing(pairing),
        *_scoring(pairing),
        _tie_rule(pairing, game),
        _withdrawal(pairing["format"]),
        *_failure(pairing),
    ]


def _score_attack_rules(pairing: Options, game: str) -> Iterator[RuleText]:
    yield RuleText("deals", _("Deals"), _deals(pairing["repeats"]))
    yield RuleText("matches", _("Matches"), _shared_table_text(pairing["options"].get("together", 1)))
    yield RuleText(
        "ranking",
        _("Ranking"),
        _(
            "Bots are ranked by total score (%(score)s), or by mean score while they have played "
            "different numbers of matches."
        )
        % {"score": SITES[game].score_name},
    )
    yield RuleText("ties", _("Ties"), _("The best single score decides. Bots that are still tied share a rank."))
    yield RuleText(
        "faults",
        _("Faults"),
        _(
            "After a timeout, a crash or too many illegal answers in one turn, a bot keeps its score so far in "
            "that match and ranks below all bots with fewer faults."
        ),
    )
    yield RuleText(
        "withdrawal", _("Withdrawal"), _("A bot that withdraws keeps its scores on this page but is unranked.")
    )
    yield RuleText(
        "arena_failure",
        _("Arena failure"),
        _("A void match does not count. The organizer can rerun the same deal."),
    )


def _deals(deals: int) -> str:
    text = ngettext("Every bot plays the same deal.", "Every bot plays the same %(n)s deals.", deals)
    return text % {"n": deals}


def _shared_table_text(together: int) -> str:
    if together == 1:
        return _("Each bot plays in a match of its own.")
    return _("Up to %(n)s bots share a match without affecting each other.") % {"n": together}


def _pairing(pairing: Options) -> Iterator[RuleText]:
    yield RuleText("pairing", _("Pairing"), _PAIRING[pairing["format"]](pairing["options"], pairing["repeats"]))
    yield from _rounds(pairing["format"], pairing["options"], pairing["repeats"])
    if pairing["format"] != _F.TABLE and pairing["games"] > 1:
        text = ngettext(
            "Each encounter has %(n)s match.",
            "Each encounter has %(n)s matches, with alternating seats.",
            pairing["games"],
        )
        yield RuleText("encounters", _("Encounters"), text % {"n": pairing["games"]})
    if pairing["openings"] == Openings.BALANCED:
        yield RuleText("openings", _("Openings"), _openings(pairing))
    seeds = {
        Seeding.LOT: _("Seeds are drawn at random at the start."),
        Seeding.RATING: _(
            "Seeds follow the leaderboard ratings at the start; unrated bots come last, in random order."
        ),
    }
    yield RuleText("seeds", _("Seeds"), seeds[Seeding(pairing["seeding"])])


def _openings(pairing: Options) -> str:
    if pairing["games"] > 1 or pairing["format"] == _F.DOUBLE_ROUND_ROBIN:
        return _(
            "Openings are drawn from a list of balanced openings. Each opening is played with both "
            "colours, and all encounters in a round use the same openings."
        )
    return _("Openings are drawn from a list of balanced openings. All encounters in a round use the same opening.")


def _rounds(format_: str, options: Options, repeats: int) -> Iterator[RuleText]:
    match format_:
        case _F.SWISS:
            yield from _swiss_rules(options.get("rounds", 0))
        case _F.GAUNTLET:
            yield from _gauntlet_rules(options, repeats)
        case _F.TABLE:
            yield RuleText("rounds", _("Rounds"), _table_rounds(options.get("seats", 0), repeats))
        case _F.GROUPS:
            yield from _group_rules(options)
        case _F.KNOCKOUT:
            yield from _knockout_rules(third_place=options.get("third_place", True))
        case _F.DOUBLE_ELIMINATION:
            yield from _double_elimination_rules()


def _swiss_rounds(chosen: int) -> str:
    if chosen:
        text = _("The number of rounds is %(n)s or half the number of bots, rounded up, whichever is smaller.")
        return text % {"n": chosen}
    return _(
        "The number of rounds is two more than in a knockout of the same size, but at most half the number of "
        "bots, rounded up."
    )


def _table_rounds(seats: int, repeats: int) -> str:
    if seats:
        text = ngettext("There is %(n)s round.", "There are %(n)s rounds, each with a new draw of the tables.", repeats)
    else:
        text = ngettext("There is %(n)s match.", "There are %(n)s matches.", repeats)
    return text % {"n": repeats}


def _gauntlet_rules(options: Options, repeats: int) -> Iterator[RuleText]:
    if not options.get("heroes", 0):
        yield RuleText(
            "one_kind",
            _("Exceptions"),
            _(
                "Without house bots, the top seed meets all other bots. If only house bots play, they all meet the "
                "last seed."
            ),
        )
    if repeats > 1:
        yield RuleText(
            "rounds",
            _("Rounds"),
            _("Each pair meets %(n)s times and swaps seats after each meeting.") % {"n": repeats},
        )


def _swiss_rules(rounds: int) -> Iterator[RuleText]:
    yield RuleText(
        "score_groups",
        _("Equal points"),
        _("Among bots on equal points, the upper half meets the lower half, first against first (FIDE C.04.3, D.1)."),
    )
    yield RuleText(
        "floats",
        _("Unequal points"),
        _(
            "If possible, no bot meets a bot with more points twice in a row, or a bot with fewer points twice in a "
            "row (FIDE C.04.3, C14 and C15)."
        ),
    )
    yield RuleText(
        "seats",
        _("Seats"),
        _(
            "If possible, no bot starts in one seat more than two times more often than in the other, or in the same "
            "seat three times in a row (FIDE C.04.1, f and g)."
        ),
    )
    yield RuleText(
        "byes",
        _("Byes"),
        _(
            "With an odd number of bots, a bot with as few points as possible gets a bye, which scores as a win in "
            "each match of an encounter (FIDE C.04.1, c)."
        ),
    )
    yield RuleText(
        "second_byes",
        _("Second byes"),
        _(
            "A bot that has already had a bye or an encounter without a played match gets no bye (based on FIDE "
            "C.04.1, d)."
        ),
    )
    yield RuleText("rounds", _("Rounds"), _swiss_rounds(rounds))
    yield RuleText(
        "early_end",
        _("Early end"),
        _("If withdrawals leave no pairing without a rematch, the tournament ends early."),
    )


def _group_rules(options: Options) -> Iterator[RuleText]:
    yield RuleText(
        "groups",
        _("Groups"),
        _("Seeds are assigned to groups in serpentine order: with three groups, 1, 2, 3, 3, 2, 1."),
    )
    yield RuleText(
        "group_ties",
        _("Ties in a group"),
        _("If a tie in a group remains after all tiebreaks, the higher seed advances."),
    )
    yield RuleText(
        "replacements",
        _("Replacements"),
        _("If a bot withdraws before the finals, the next bot in its group takes its place."),
    )
    yield RuleText(
        "finals",
        _("Finals"),
        _("Finalists are seeded by their group rank. Group results do not count in the finals."),
    )
    if options.get("finals") != Finals.ROUND_ROBIN:
        yield from _knockout_rules(third_place=True)


def _knockout_rules(*, third_place: bool) -> Iterator[RuleText]:
    yield RuleText(
        "bracket",
        _("Bracket"),
        _(
            "The top seeds meet the bottom seeds first: in a bracket of eight, 1 meets 8, 4 meets 5, 2 meets 7 and "
            "3 meets 6. The winners of neighbouring encounters then meet, so seeds 1 and 2 can meet only in the final."
        ),
    )
    if third_place:
        yield RuleText("third_place", _("Third place"), _("The losers of the semifinals play for third place."))


def _double_elimination_rules() -> Iterator[RuleText]:
    yield RuleText(
        "bracket",
        _("Winners' bracket"),
        _(
            "The top seeds meet the bottom seeds first: in a bracket of eight, 1 meets 8, 4 meets 5, 2 meets 7 and "
            "3 meets 6. The winners of neighbouring encounters then meet, so seeds 1 and 2 cannot meet before the "
            "last round of this bracket."
        ),
    )
    yield RuleText(
        "losers_bracket",
        _("Losers' bracket"),
        _(
            "Bots that lose in the winners' bracket continue in the losers' bracket. They enter it in an order that "
            "delays rematches."
        ),
    )


def _round_robin(options: Options, repeats: int) -> str:
    if repeats > 1:
        return _meetings(repeats)
    return _("Every bot meets every other bot once, in the order of the Berger tables (FIDE C.05, Annex 1).")


def _double_round_robin(options: Options, repeats: int) -> str:
    if repeats > 1:
        return _meetings(2 * repeats)
    return _(
        "Every bot meets every other bot twice, once in each seat, in the order of the Berger "
        "tables (FIDE C.05, Annex 1)."
    )


def _meetings(times: int) -> str:
    text = _(
        "Every bot meets every other bot %(n)s times. The order is that of the Berger tables (FIDE C.05, "
        "Annex 1), with seats exchanged each time the tables are repeated."
    )
    return text % {"n": times}


def _groups(options: Options, repeats: int) -> str:
    size, advance = options.get("group_size", 4), options.get("advance", 2)
    if options.get("finals") == Finals.ROUND_ROBIN:
        text = _(
            "Bots play a round robin in groups of at most %(size)s. The top %(n)s in each group advance "
            "to a final round robin."
        )
    else:
        text = _(
            "Bots play a round robin in groups of at most %(size)s. The top %(n)s in each group advance "
            "to the finals, a knockout."
        )
    return text % {"size": size, "n": advance}


def _swiss(options: Options, repeats: int) -> str:
    return _(
        "Two bots meet at most once. Each bot meets a bot that has equally many points, or as close to that as "
        "possible (FIDE C.04.1, b and e)."
    )


def _knockout(options: Options, repeats: int) -> str:
    return _("The loser of an encounter is eliminated. If the first round is not full, the top seeds receive byes.")


def _double_elimination(options: Options, repeats: int) -> str:
    return _("A bot is eliminated when it loses its second encounter. The unbeaten finalist must be beaten twice.")


def _gauntlet(options: Options, repeats: int) -> str:
    return gauntlet_text(options)


def gauntlet_text(options: Options) -> str:
    """Return which bots meet in a gauntlet."""
    heroes = options.get("heroes", 0)
    if not heroes:
        return _("The house bots meet all other bots, but not each other.")
    text = ngettext(
        "The top seed meets all other bots.",
        "The top %(n)s seeds meet all other bots, but not each other.",
        heroes,
    )
    return text % {"n": heroes}


def _tables(options: Options, repeats: int) -> str:
    seats = options.get("seats", 0)
    if not seats:
        return _("All bots play at one table; the seats rotate from match to match.")
    return _("Bots play at tables of at most %(n)s. All pairs of bots meet about equally often.") % {"n": seats}


_PAIRING: Final[Mapping[str, Callable[[Options, int], str]]] = {
    _F.ROUND_ROBIN: _round_robin,
    _F.DOUBLE_ROUND_ROBIN: _double_round_robin,
    _F.GROUPS: _groups,
    _F.SWISS: _swiss,
    _F.KNOCKOUT: _knockout,
    _F.DOUBLE_ELIMINATION: _double_elimination,
    _F.GAUNTLET: _gauntlet,
    _F.TABLE: _tables,
}


def _scoring(pairing: Options) -> Iterator[RuleText]:
    if pairing["format"] == _F.TABLE:
        yield RuleText(
            "points",
            _("Points"),
            _("At a table, a bot scores 1 point for each bot ranked below it and ½ for each bot tied with it."),
        )
    else:
        yield RuleText("points", _("Points"), _("A win scores 1 point, a draw ½."))
    yield RuleText("faults", _("Faults"), _faults(pairing["format"]))
    if TRAITS[pairing["format"]].orders:
        yield RuleText("places", pgettext("in a ranking", "Places"), _places(pairing["format"]))
    if _has_bracket(pairing):
        yield RuleText("encounter", _("Result of an encounter"), _("The bot with more points wins the encounter."))
        yield RuleText(
            "tied_encounter",
            _("Tied encounter"),
            _("The larger margin wins the encounter. If the margins are equal, the higher seed wins."),
        )


def _has_bracket(pairing: Options) -> bool:
    if pairing["format"] == _F.GROUPS:
        return bool(pairing["options"].get("finals") != Finals.ROUND_ROBIN)
    return pairing["format"] in _BRACKETS


def _faults(format_: str) -> str:
    if format_ == _F.TABLE:
        return _(
            "A bot that commits a fault ranks below all bots that finish the match. If two bots both commit a "
            "fault, neither scores against the other."
        )
    return _("A bot that commits a fault loses the match. If both bots commit a fault, neither scores.")


def _places(format_: str) -> str:
    if format_ in _BRACKETS:
        return _(
            "Bots are ranked by the round they reached. Bots eliminated in the same round of a bracket share a rank."
        )
    return _(
        "Finalists are ranked by their results in the finals, and all other bots by their group "
        "rank. Bots with the same rank in different groups share a rank."
    )


def _tie_rule(pairing: Options, game: str) -> RuleText:
    chosen = tiebreaks_of(pairing["format"], pairing["tiebreaks"])
    points = tuple((str(TEXTS[code].label), _explanation(code, game)) for code in chosen)
    if pairing["format"] in _BRACKETS:
        text = _(
            "These criteria do not affect the ranks. They only determine the order in which bots that "
            "share a rank are listed."
        )
    else:
        text = _("Ties are broken by these criteria, in this order. Bots that are tied on all of them share a rank.")
    return RuleText("tiebreaks", _("Tiebreaks"), text, points)


def _explanation(tiebreak: Tiebreak, game: str) -> str:
    if tiebreak == Tiebreak.MARGIN and SITES[game].margin_text:
        return str(SITES[game].margin_text)
    return str(TEXTS[tiebreak].explanation)


def _withdrawal(format_: str) -> RuleText:
    if format_ == _F.TABLE:
        code, text = (
            "withdrawal",
            _(
                "A bot that withdraws before playing half of its matches is unranked, and its results do "
                "not count. If it withdraws later, its results count."
            ),
        )
    elif TRAITS[format_].half_counts:
        code, text = (
            "withdrawal_walkovers",
            _(
                "A bot that withdraws before playing half of its matches is unranked, and its results do "
                "not count. If it withdraws later, its results count and its remaining opponents win (FIDE "
                "C.05)."
            ),
        )
    else:
        text = _("If a bot withdraws, its results still count, and its next opponent wins without playing.")
        code = "withdrawal_next_opponent"
    return RuleText(code, _("Withdrawal"), text)


def _failure(pairing: Options) -> Iterator[RuleText]:
    if TRAITS[pairing["format"]].advances:
        text = _("A void match is rerun before the next round that depends on it.")
    else:
        text = _("A void match does not count. The organizer can rerun it.")
    yield RuleText("arena_failure", _("Arena failure"), text)
