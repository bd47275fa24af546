"""The rules of a tournament in words: how its format pairs, what is worth what, and who is ahead of whom."""

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
    """A term and what it means here; ``points`` are further lines, in order."""

    term: str
    text: str
    points: tuple[tuple[str, str], ...] = ()


def rules_of(pairing: Options, game: str) -> list[Rule]:
    """``pairing``: the tournament's columns that say who meets whom."""
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
    yield Rule(_("Level on the mean"), _("the best single score decides; after that bots share the place"))
    yield Rule(
        _("Faults"),
        _(
            "a bot that times out, crashes or answers illegally too often keeps its score so far in that match "
            "and ranks below all bots with fewer faults"
        ),
    )
    yield Rule(_("Withdrawal"), _("a bot that leaves keeps its scores on this page and has no rank"))
    yield Rule(
        _("Failure of the arena"),
        _("a match that is void counts for nothing; the organizer can have the same deal played again"),
    )


def _pairing(pairing: Options) -> Iterator[Rule]:
    yield Rule(_("Pairing"), _PAIRING[pairing["format"]](pairing["options"]))
    if pairing["format"] != _F.TABLE and pairing["games"] > 1:
        text = ngettext(
            "%(n)s match, the seats change from one to the next",
            "%(n)s matches, the seats change from one to the next",
            pairing["games"],
        )
        yield Rule(_("An encounter"), text % {"n": pairing["games"]})
    if pairing["openings"] == Openings.BALANCED:
        yield Rule(
            _("Openings"),
            _(
                "drawn from a list in which neither side is better off; each is played with both colours, and all "
                "encounters of a round begin with the same ones"
            ),
        )
    seeds = {
        Seeding.LOT: _("drawn by lot at the start"),
        Seeding.RATING: _("by the rating on the leaderboard at the start; who has none comes last, by lot"),
    }
    yield Rule(_("Seeds"), seeds[Seeding(pairing["seeding"])])


def _round_robin(options: Options) -> str:
    return _("everybody meets everybody, by the Berger tables (FIDE C.05)")


def _double(options: Options) -> str:
    return _("everybody meets everybody twice, once on each seat (FIDE C.05)")


def _groups(options: Options) -> str:
    size, advance = options.get("group_size", 4), options.get("advance", 2)
    if options.get("finals") == Finals.ROUND_ROBIN:
        text = _("groups of at most %(size)s, everybody meets everybody; the best %(n)s of each play a round robin")
    else:
        text = _("groups of at most %(size)s, everybody meets everybody; the best %(n)s of each play a knockout")
    return text % {"size": size, "n": advance}


def _swiss(options: Options) -> str:
    text = _(
        "each round pairs bots with about equal points that have not met, with balanced seats (after FIDE C.04); "
        "with an odd number one rests, nobody twice, and has the points of a won encounter for it"
    )
    if not options.get("rounds"):
        return text
    rounds = _("%(n)s rounds, or half as many as there are bots if that is fewer") % {"n": options["rounds"]}
    return ": ".join((rounds, text))


def _knockout(options: Options) -> str:
    text = _("whoever loses an encounter is out; the best seeds rest in the first round where places are left")
    if not options.get("third_place", True):
        return text
    return "; ".join((text, _("the losers of the semifinals play for the third place")))


def _double_elimination(options: Options) -> str:
    return _("whoever has lost two encounters is out; the last without a loss has to be beaten twice in the final")


def _gauntlet(options: Options) -> str:
    heroes = options.get("heroes", 0)
    if not heroes:
        return _("the house bots meet everybody else, never one another")
    text = ngettext(
        "the best seed meets everybody else",
        "the best %(n)s seeds meet everybody else, never one another",
        heroes,
    )
    return text % {"n": heroes}


def _tables(options: Options) -> str:
    seats = options.get("seats", 0)
    if not seats:
        return _("everybody sits at one table; the seats move on from one match to the next")
    return _("tables of at most %(n)s; everybody meets everybody about equally often") % {"n": seats}


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
        yield Rule(_("Points"), _("one for each bot ranked below at a table, a half for each level with it"))
    else:
        yield Rule(_("Points"), _("a win 1, a draw ½"))
    if TRAITS[pairing["format"]].orders:
        yield Rule(pgettext("in a ranking", "Places"), _places(pairing["format"]))
    if pairing["format"] in _BRACKETS:
        yield Rule(_("Level encounter"), _("goes to the larger margin, then to the better seed"))


def _places(format_: str) -> str:
    if format_ in _BRACKETS:
        return _("by the round that was reached; who goes out in the same round of a bracket shares the place")
    return _("by the finals; behind them by the place in the group, which is shared by all groups")


def _level(pairing: Options) -> Rule:
    chosen = [TEXTS[code] for code in tiebreaks_of(pairing["format"], pairing["tiebreaks"])]
    points = tuple((str(text.label), str(text.explanation)) for text in chosen)
    if pairing["format"] in _BRACKETS:
        text = _("decides nothing here; these order the lines of those who share a place")
    else:
        text = _("these decide one after the other; who is level in all shares the place")
    return Rule(_("Level on points"), text, points)


def _withdrawal(format_: str) -> Rule:
    if format_ == _F.TABLE:
        text = _(
            "before half of its matches a bot leaves without a rank and counts for nobody; later its results stand"
        )
    elif TRAITS[format_].half_counts:
        text = _(
            "before half of its matches a bot leaves without a rank and counts for nobody; later its results stand, "
            "and who had still to meet it wins (FIDE)"
        )
    else:
        text = _("its results stand, and who was to meet it next wins without play")
    return Rule(_("Withdrawal"), text)


def _failure(pairing: Options) -> Iterator[Rule]:
    if TRAITS[pairing["format"]].advances:
        yield Rule(
            _("Failure of the arena"),
            _("a match that is void is played again before the next round that depends on it"),
        )
