"""Describe in words what is at stake in a match between two entries, for captions on a public screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.core.ranking.pairing.base import Bracket
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Entry, Pairing, PairingSeat, Tournament
from arena.tournaments.queries.drawn_bracket import Stakes, TournamentBracket
from arena.ui.localized import localized_name, sentence_space

_FEW: Final = 4  # so few contenders are worth mentioning


def stakes_of(bracket: TournamentBracket, seats: Sequence[PairingSeat]) -> Stakes | None:
    """Return what is at stake; ``seats``: the seats of the match, in order. None if there is nothing to say."""
    if len(seats) != 2:
        return None
    tournament, pairing = bracket.tournament, seats[0].pairing
    if pairing.bracket:  # there, ranks are the best places that are still possible
        found = [_bracket_stakes(bracket, pairing) or _contenders(tournament, seats)]
    else:
        found = [*_standings_stakes(tournament, seats), _contenders(tournament, seats)]
    stated = [one for one in (*found, _encounter_score(seats)) if one]
    if not stated:
        return None
    return Stakes(" ".join(one.code for one in stated), sentence_space().join(one.text for one in stated))


def _bracket_stakes(bracket: TournamentBracket, pairing: Pairing) -> Stakes | None:
    drawn = bracket.drawn_bracket
    if drawn is None:
        return None
    return drawn.stakes((pairing.round.number - 1 - drawn.offset, Bracket(pairing.bracket), pairing.slot))


def _standings_stakes(tournament: Tournament, seats: Sequence[PairingSeat]) -> list[Stakes | None]:
    """Return the ranks of the two entries, and who would take the lead with a win."""
    entries = [seat.entry for seat in seats]
    low, high = sorted(entry.rank or 0 for entry in entries)
    if not low:
        return []
    ranks = _("Rank %(one)s against rank %(other)s.") % {"one": low, "other": high}
    traits = TRAITS[tournament.format]
    one_point_a_win = not (tournament.is_table or traits.scored or traits.orders)
    return [
        Stakes("places", ranks) if low < high else None,
        _lead_after_win(tournament, entries) if one_point_a_win else None,
    ]


def _lead_after_win(tournament: Tournament, entries: Sequence[Entry]) -> Stakes | None:
    """Name the entries that do not lead but would have the most points after winning this match."""
    rivals = Entry.objects.filter(tournament=tournament, rank__isnull=False)
    leading = rivals.exclude(pk__in=[entry.pk for entry in entries]).order_by("-points").first()
    others = leading.points if leading else 0.0

    def would_lead(entry: Entry, opponent: Entry) -> bool:
        return entry.rank != 1 and entry.points + 1 > max(others, opponent.points)

    found = [one for one, other in (entries, entries[::-1]) if would_lead(one, other)]
    if len(found) == 2:
        return Stakes("winner_leads", _("The winner takes the lead in the standings."))
    if not found:
        return None
    text = _("With a win, %(name)s takes the lead in the standings.") % {"name": localized_name(found[0].bot)}
    return Stakes("one_can_lead", text)


def _contenders(tournament: Tournament, seats: Sequence[PairingSeat]) -> Stakes | None:
    """Return which of the two can still win; None while most other entries can still win too."""
    known = Entry.objects.filter(tournament=tournament, rank__isnull=False, best_place__isnull=False)
    bests = dict(known.values_list("pk", "best_place"))
    if any(seat.entry_id not in bests for seat in seats):
        return None
    here = [seat.entry for seat in seats if bests[seat.entry_id] == 1]
    if not here:
        return Stakes("neither_can_win", _("Neither can win the tournament any longer."))
    if len(here) == 1:
        text = _("Of the two, only %(name)s can still win the tournament.")
        return Stakes("one_can_win", text % {"name": localized_name(here[0].bot)})
    others = sum(best == 1 for best in bests.values()) - 2
    if others == 0 and len(bests) > 2:
        return Stakes("only_these_can_win", _("Only these two can still win the tournament."))
    if others and others + 2 <= min(_FEW, len(bests) // 2):
        text = ngettext(
            "Only these two and %(n)s other bot can still win the tournament.",
            "Only these two and %(n)s other bots can still win the tournament.",
            others,
        )
        return Stakes("few_can_win", text % {"n": others})
    return None


def _encounter_score(seats: Sequence[PairingSeat]) -> Stakes | None:
    """Return the score of the encounter's earlier matches, None if there are none."""
    pairing = seats[0].pairing
    earlier = PairingSeat.objects.filter(
        pairing__round=pairing.round_id,
        pairing__encounter=pairing.encounter,
        pairing__ended_at__isnull=False,
        entry__in=[seat.entry_id for seat in seats],
    ).exclude(pairing=pairing.pk)
    points = {entry: total or 0 for entry, total in earlier.values_list("entry").annotate(total=Sum("points"))}
    if len(points) < 2 or not any(points.values()):
        return None
    one, other = sorted(seats, key=lambda seat: -points[seat.entry_id])
    names = {"one": localized_name(one.entry.bot), "other": localized_name(other.entry.bot)}
    totals = {"won": f"{points[one.entry_id]:g}", "lost": f"{points[other.entry_id]:g}"}
    return Stakes("encounter_score", _("Encounter so far: %(one)s %(won)s – %(lost)s %(other)s.") % (names | totals))
