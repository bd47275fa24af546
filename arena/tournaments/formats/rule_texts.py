"""Explain a tournament's rules: pairing, scoring and ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.core.ranking.pairing.groups import Finals
from arena.core.ranking.tiebreaks import Tiebreak
from arena.games.sites import SITES
from arena.tournaments.formats.base import Options, RuleText
from arena.tournaments.formats.fault_texts import fault_rules
from arena.tournaments.formats.fide_texts import citations_note
from arena.tournaments.formats.pairing_texts import format_rules
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.formats.traits import TRAITS, tiebreaks_of
from arena.tournaments.models import Format, Openings, Seeding

_F = Format
_BRACKETS: Final = (_F.KNOCKOUT, _F.DOUBLE_ELIMINATION)


def rules_of(pairing: Options, limits: Options, game: str) -> list[RuleText]:
    """Return the rules of a tournament. ``pairing``: the values of its columns that define the pairing."""
    if TRAITS[pairing["format"]].scored:
        return list(_score_attack_rules(pairing, limits, game))
    rules = [
        *format_rules(pairing["format"], pairing["options"], pairing["repeats"]),
        *_start_rules(pairing),
        *_scoring(pairing, limits, game),
        _tie_rule(pairing, game),
        *_withdrawal(pairing),
        _failure(pairing),
    ]
    return [*rules, *citations_note(rules)]


def _score_attack_rules(pairing: Options, limits: Options, game: str) -> Iterator[RuleText]:
    yield RuleText("seeds", _("Random seeds"), _seeds(pairing["repeats"]))
    yield RuleText("matches", _("Matches"), _shared_table_text(pairing["options"].get("bots_per_match", 1)))
    yield RuleText(
        "score_ranking",
        _("Ranking"),
        _(
            "Bots are ranked by the number of faults, fewest first, then by total score, or by mean score until they "
            "have all played the same number of matches."
        ),
    )
    yield RuleText(
        "score",
        _("Match score"),
        _("A bot's score is the value that the standings show as “%(score)s”.") % {"score": SITES[game].score_name},
    )
    yield RuleText(
        "ties", _("Ties"), _("Ties are broken by the best single score; bots that are still tied share a rank.")
    )
    yield from fault_rules(pairing["format"], limits, game)
    yield RuleText(
        "withdrawal", _("Withdrawal"), _("A bot that withdraws keeps its scores on this page but is unranked.")
    )
    yield RuleText(
        "arena_failure",
        _("Arena failure"),
        _("A void match does not count unless the organizer reruns it with the same random seed."),
    )


def _seeds(seeds: int) -> str:
    text = ngettext(
        "Every bot plays with the same random seed.", "Every bot plays with the same %(n)s random seeds.", seeds
    )
    return text % {"n": seeds}


def _shared_table_text(bots_per_match: int) -> str:
    if bots_per_match == 1:
        return _("Each bot plays in a match of its own.")
    return _("Up to %(n)s bots share a match without affecting each other.") % {"n": bots_per_match}


def _start_rules(pairing: Options) -> Iterator[RuleText]:
    if pairing["format"] != _F.TABLE and pairing["matches_per_encounter"] > 1:
        text = ngettext(
            "Each encounter has %(n)s match.",
            "Each encounter has %(n)s matches, with alternating seats.",
            pairing["matches_per_encounter"],
        )
        yield RuleText("encounters", _("Encounters"), text % {"n": pairing["matches_per_encounter"]})
    if pairing["openings"] == Openings.BALANCED:
        yield _openings(pairing)
    seeds = {
        Seeding.RANDOM: _("Seeds are drawn at random at the start."),
        Seeding.RATING: _(
            "Seeds follow the leaderboard ratings at the start; unrated bots come last, in random order."
        ),
    }
    yield RuleText("seeds", _("Seeds"), seeds[Seeding(pairing["seeding"])])
    yield RuleText(
        "seed_order",
        _("Order of the seeds"),
        _("A smaller seed number is a higher seed; seed 1 is the top seed."),
    )


def _openings(pairing: Options) -> RuleText:
    matches, is_double = pairing["matches_per_encounter"], pairing["format"] == _F.DOUBLE_ROUND_ROBIN
    if matches > 1 and matches % 2 and not is_double:
        code = "openings_paired_except_last"
        text = _(
            "All encounters in a round use the same openings, drawn from a list of balanced openings, and each "
            "opening except the last is played with both colours."
        )
    elif matches > 1 or is_double:
        code = "openings_paired"
        text = _(
            "All encounters in a round use the same openings, drawn from a list of balanced openings, and each "
            "opening is played with both colours."
        )
    else:
        code = "openings"
        text = _("All encounters in a round use the same opening, drawn from a list of balanced openings.")
    return RuleText(code, _("Openings"), text)


def _scoring(pairing: Options, limits: Options, game: str) -> Iterator[RuleText]:
    if pairing["format"] == _F.TABLE:
        yield RuleText(
            "points",
            _("Points"),
            _("At a table, a bot scores 1 point for each bot ranked below it and ½ for each bot tied with it."),
        )
    else:
        yield RuleText("points", _("Points"), _("A win scores 1 point, a draw ½."))
    yield from fault_rules(pairing["format"], limits, game)
    if TRAITS[pairing["format"]].orders:
        yield from _ranks(pairing)
    else:
        yield RuleText("ranking", _("Ranking"), _("Bots are ranked by their total points."))
    if _has_bracket(pairing):
        yield RuleText("encounter", _("Result of an encounter"), _("The bot with more points wins the encounter."))
        yield RuleText(
            "tied_encounter",
            _("Tied encounter"),
            _(
                "The bot with the larger margin wins a tied encounter; if the margins are equal and only one bot has "
                "withdrawn, the other bot wins; otherwise, the higher seed wins."
            ),
        )
        yield RuleText(
            "encounter_margin",
            _("Margin in an encounter"),
            _("For a tied encounter, the margin is calculated from the matches of that encounter only."),
            ((str(TEXTS[Tiebreak.MARGIN].label), _explanation(Tiebreak.MARGIN, game)),),
        )


def _has_bracket(pairing: Options) -> bool:
    if pairing["format"] == _F.GROUPS:
        return bool(pairing["options"].get("finals") != Finals.ROUND_ROBIN)
    return pairing["format"] in _BRACKETS


def _ranks(pairing: Options) -> Iterator[RuleText]:
    term, shared = _("Ranks"), _("Shared ranks")
    if pairing["format"] in _BRACKETS:
        yield RuleText("ranks", term, _("Bots are ranked by the round they reached."))
        code = "shared_ranks_except_third_place" if _has_third_place(pairing) else "shared_ranks"
        yield RuleText(code, shared, _shared_ranks(pairing))
        return
    yield RuleText("group_ranks", _("Group ranks"), _("Within a group, bots are ranked by their total points."))
    if _has_bracket(pairing):
        text = _(
            "Finalists are ranked by the round they reached in the finals, and all other bots by their group rank."
        )
    else:
        text = _("Finalists are ranked by their total points in the finals, and all other bots by their group rank.")
    yield RuleText("ranks", term, text)
    yield RuleText(
        "shared_ranks",
        shared,
        _("Bots that do not reach the finals share a rank if they have the same rank in their groups."),
    )
    if _has_bracket(pairing):
        yield RuleText("final_ranks", _("Shared ranks in the finals"), _shared_ranks(pairing))
        text = _("A bot that withdraws during the finals is still ranked by the round it reached; no bot moves up.")
    else:
        text = _("A bot that withdraws during the finals is still ranked by its points there; no bot moves up.")
    yield RuleText("finals_withdrawal", _("Withdrawal from the finals"), text)


def _shared_ranks(pairing: Options) -> str:
    if _has_third_place(pairing):
        return _(
            "Bots eliminated in the same round of a bracket share a rank, except that the winner of the "
            "third-place play-off is third and its loser fourth."
        )
    return _("Bots eliminated in the same round of a bracket share a rank.")


def _has_third_place(pairing: Options) -> bool:
    if pairing["format"] == _F.KNOCKOUT:
        return bool(pairing["options"].get("third_place", True))
    return bool(pairing["format"] == _F.GROUPS)


def _unranked(*, has_third_place: bool) -> str:
    if has_third_place:
        return _(
            "All bots below an unranked bot move up one rank: for example, if the loser of the third-place play-off "
            "is unranked, the bots eliminated in the round before the semifinals share fourth place."
        )
    return _("All bots below an unranked bot move up one rank.")


def _tie_rule(pairing: Options, game: str) -> RuleText:
    chosen = tiebreaks_of(pairing["format"], pairing["tiebreaks"])
    points = tuple((str(TEXTS[code].label), _explanation(code, game)) for code in chosen)
    if pairing["format"] in _BRACKETS:
        text = _(
            "These criteria do not affect the ranks; they only determine the order in which bots that share a rank "
            "are listed."
        )
    else:
        text = _("Ties are broken by these criteria, in this order; bots that are tied on all of them share a rank.")
    return RuleText("tiebreaks", _("Tiebreaks"), text, points)


def _explanation(tiebreak: Tiebreak, game: str) -> str:
    if tiebreak == Tiebreak.MARGIN and SITES[game].margin_text:
        return str(SITES[game].margin_text)
    return str(TEXTS[tiebreak].explanation)


def _withdrawal(pairing: Options) -> Iterator[RuleText]:
    format_ = pairing["format"]
    term, late = _("Withdrawal"), _("Late withdrawal")
    if not TRAITS[format_].half_counts:
        yield from _withdrawal_from_rounds(format_, has_third_place=_has_third_place(pairing))
        return
    text = _(
        "A bot that withdraws before playing half of its matches is unranked, and its results do not count (FIDE "
        "C.05, 6.6)."
    )
    if format_ == _F.TABLE:
        yield RuleText("withdrawal", term, text)
        later = _("If a bot withdraws after playing at least half of its matches, its results count (FIDE C.05, 6.6).")
    else:
        yield RuleText("withdrawal_walkovers", term, text)
        later = _(
            "If a bot withdraws after playing at least half of its matches, its results count, and its remaining "
            "opponents win without playing (FIDE C.05, 6.6)."
        )
    yield RuleText("late_withdrawal", late, later)


def _withdrawal_from_rounds(format_: str, *, has_third_place: bool) -> Iterator[RuleText]:
    """Yield the rules of formats in which the results of a withdrawn bot always count."""
    term, unplayed = _("Withdrawal"), _("Unplayed matches")
    yield RuleText(
        "early_withdrawal",
        _("Early withdrawal"),
        _("A bot that withdraws before it has completed a match is unranked."),
    )
    if format_ in _BRACKETS:
        code = "unranked_third_place" if has_third_place else "unranked"
        yield RuleText(code, _("Unranked bots"), _unranked(has_third_place=has_third_place))
        text = _("If a bot withdraws, its results still count, and it keeps its slot in the bracket.")
        yield RuleText("withdrawal_slot", term, text)
        text = _(
            "In every encounter that a withdrawn bot still reaches, its opponent wins all unplayed matches without "
            "playing, unless the opponent has withdrawn too."
        )
        yield RuleText("withdrawal_encounters", unplayed, text)
        return
    text = _("If a bot withdraws, its results still count, and it is not paired again (FIDE C.04.2, 3.2).")
    yield RuleText("withdrawal_pairing", term, text)
    text = _(
        "If a withdrawn bot has already been paired for a round, its opponent wins all unplayed matches of their "
        "encounter without playing, unless the opponent has withdrawn too."
    )
    yield RuleText("withdrawal_paired", unplayed, text)


def _failure(pairing: Options) -> RuleText:
    if TRAITS[pairing["format"]].advances:
        text = _("A void match is rerun before the next round that depends on it.")
    else:
        text = _("A void match does not count unless the organizer reruns it.")
    return RuleText("arena_failure", _("Arena failure"), text)
