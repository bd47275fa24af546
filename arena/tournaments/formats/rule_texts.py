"""The rules of a tournament in words: pairing, scoring and ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.core.ranking.pairing.groups import Finals
from arena.games.sites import SITES
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.formats.traits import TRAITS, tiebreaks_of
from arena.tournaments.models import Format, Openings, Seeding

_F = Format
_BRACKETS: Final = (_F.KNOCKOUT, _F.DOUBLE_ELIMINATION)
Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """A term and its meaning here; ``points`` are further lines, in order."""

    term: str
    text: str
    points: tuple[tuple[str, str], ...] = ()


def rules_of(pairing: Options, game: str) -> list[Rule]:
    """Return the rules. ``pairing``: the tournament's columns that define the pairing."""
    if TRAITS[pairing["format"]].scored:
        return list(_score_attack_rules(pairing, game))
    return [*_pairing(pairing), *_scoring(pairing), _level(pairing), _withdrawal(pairing["format"]), *_failure(pairing)]


def _score_attack_rules(pairing: Options, game: str) -> Iterator[Rule]:
    together = pairing["options"].get("together", 1)
    alone = _("every bot plays the same deals, each alone in its match")
    shared = _("every bot plays the same deals, up to %(n)s bots in a match that do not affect one another")
    yield Rule(_("Deals"), shared % {"n": together} if together > 1 else alone)
    yield Rule(
        _("Ranking"),
        _("by the total of the scores (%(score)s); while bots have played different numbers of matches, by the mean")
        % {"score": SITES[game].score_name},
    )
    yield Rule(_("Tied on the mean"), _("the best single score decides; after that, bots share the rank"))
    yield Rule(
        _("Faults"),
        _(
            "a bot that times out, crashes or answers illegally too often keeps its score so far in that match "
            "and ranks below all bots with fewer faults"
        ),
    )
    yield Rule(_("Withdrawal"), _("a bot that withdraws keeps its scores on this page but is unranked"))
    yield Rule(
        _("Arena failure"),
        _("a void match does not count; the organizer can rerun the same deal"),
    )


def _pairing(pairing: Options) -> Iterator[Rule]:
    yield Rule(_("Pairing"), _PAIRING[pairing["format"]](pairing["options"]))
    if pairing["format"] != _F.TABLE and pairing["games"] > 1:
        text = ngettext(
            "%(n)s match with alternating seats",
            "%(n)s matches with alternating seats",
            pairing["games"],
        )
        yield Rule(_("An encounter"), text % {"n": pairing["games"]})
    if pairing["openings"] == Openings.BALANCED:
        yield Rule(
            _("Openings"),
            _(
                "drawn from a list of balanced openings; each is played with both colours, and all "
                "encounters of a round use the same ones"
            ),
        )
    seeds = {
        Seeding.LOT: _("a random draw at the start"),
        Seeding.RATING: _("by leaderboard rating at the start; unrated bots come last, in random order"),
    }
    yield Rule(_("Seeds"), seeds[Seeding(pairing["seeding"])])


def _round_robin(options: Options) -> str:
    return _("every bot meets every other bot once, in Berger order (FIDE C.05)")


def _double(options: Options) -> str:
    return _("every bot meets every other bot twice, once in each seat (FIDE C.05)")


def _groups(options: Options) -> str:
    size, advance = options.get("group_size", 4), options.get("advance", 2)
    if options.get("finals") == Finals.ROUND_ROBIN:
        text = _("groups of at most %(size)s play a round robin; the best %(n)s of each advance to a final round robin")
    else:
        text = _("groups of at most %(size)s play a round robin; the best %(n)s of each advance to a knockout")
    return text % {"size": size, "n": advance}


def _swiss(options: Options) -> str:
    text = _(
        "each round pairs bots with similar points that have not met, with balanced seats (based "
        "on FIDE C.04); with an odd number of bots, one has a bye, at most once, worth a won "
        "encounter"
    )
    if not options.get("rounds"):
        return text
    rounds = _("%(n)s rounds, or half the number of bots if that is fewer") % {"n": options["rounds"]}
    return ": ".join((rounds, text))


def _knockout(options: Options) -> str:
    text = _("the loser of an encounter is eliminated; if the first round is not full, the top seeds have byes")
    if not options.get("third_place", True):
        return text
    return "; ".join((text, _("the losers of the semifinals play for third place")))


def _double_elimination(options: Options) -> str:
    return _("a bot is eliminated after its second lost encounter; the unbeaten finalist has to be beaten twice")


def _gauntlet(options: Options) -> str:
    heroes = options.get("heroes", 0)
    if not heroes:
        return _("the house bots meet all other bots, never each other")
    text = ngettext(
        "the top seed meets all other bots",
        "the top %(n)s seeds meet all other bots, never each other",
        heroes,
    )
    return text % {"n": heroes}


def _tables(options: Options) -> str:
    seats = options.get("seats", 0)
    if not seats:
        return _("all bots play at one table; the seats rotate from match to match")
    return _("tables of at most %(n)s; all pairs of bots meet about equally often") % {"n": seats}


_PAIRING: Final[Mapping[str, Callable[[Options], str]]] = {
    _F.ROUND_ROBIN: _round_robin,
    _F.DOUBLE_ROUND_ROBIN: _double,
    _F.GROUPS: _groups,
    _F.SWISS: _swiss,
    _F.KNOCKOUT: _knockout,
    _F.DOUBLE_ELIMINATION: _double_elimination,
    _F.GAUNTLET: _gauntlet,
    _F.TABLE: _tables,
}


def _scoring(pairing: Options) -> Iterator[Rule]:
    if pairing["format"] == _F.TABLE:
        yield Rule(_("Points"), _("1 for each bot ranked below it at a table, ½ for each bot tied with it"))
    else:
        yield Rule(_("Points"), _("a win 1, a draw ½"))
    if TRAITS[pairing["format"]].orders:
        yield Rule(pgettext("in a ranking", "Places"), _places(pairing["format"]))
    if pairing["format"] in _BRACKETS:
        yield Rule(_("Tied encounter"), _("decided by the larger margin, then by the higher seed"))


def _places(format_: str) -> str:
    if format_ in _BRACKETS:
        return _("by the round reached; bots eliminated in the same round of a bracket share a rank")
    return _("by the finals, then by the rank within the group, which the groups share")


def _level(pairing: Options) -> Rule:
    chosen = [TEXTS[code] for code in tiebreaks_of(pairing["format"], pairing["tiebreaks"])]
    points = tuple((str(text.label), str(text.explanation)) for text in chosen)
    if pairing["format"] in _BRACKETS:
        text = _("not decisive here: these only order the bots that share a rank")
    else:
        text = _("applied in this order; bots tied on all of them share a rank")
    return Rule(_("Tiebreaks"), text, points)


def _withdrawal(format_: str) -> Rule:
    if format_ == _F.TABLE:
        text = _(
            "a bot that withdraws before half of its matches is unranked and its results do not count; "
            "later, its results count"
        )
    elif TRAITS[format_].half_counts:
        text = _(
            "a bot that withdraws before half of its matches is unranked and its results do not count; "
            "later, its results count and its remaining opponents win (FIDE)"
        )
    else:
        text = _("its results count, and its next opponent wins without playing")
    return Rule(_("Withdrawal"), text)


def _failure(pairing: Options) -> Iterator[Rule]:
    if TRAITS[pairing["format"]].advances:
        yield Rule(
            _("Arena failure"),
            _("a void match is rerun before the next round that depends on it"),
        )
