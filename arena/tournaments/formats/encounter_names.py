"""Names of encounters and matches, which pages use instead of ids: "Semifinal, encounter 2, leg 1".

Invariants: a match has the same name on every page, in events and in exports. Naming any number of matches, of any
number of tournaments, takes a constant number of queries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db.models import Count
from django.utils import translation
from django.utils.translation import gettext as _

from arena.core.ranking.pairing.base import Bracket, TournamentStage
from arena.core.ranking.pairing.bracket_positions import BracketPosition, positions_of_size
from arena.core.ranking.pairing.bracket_tree import Key
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.knockout import Knockout
from arena.tournaments.formats.traits import is_one_table, system_of, traits_of
from arena.tournaments.models import Entry, Format, Pairing, Tournament, TournamentRound


@dataclass(frozen=True, slots=True)
class EncounterNames:
    """The names of a tournament's encounters and matches, in the current language.

    ``positions``: the positions in its bracket, if it has one; ``offset``: the number of rounds before the bracket.
    """

    tournament: Tournament
    positions: Mapping[Key, BracketPosition] = field(default_factory=dict)
    offset: int = 0

    def encounter(self, pairing: Pairing, round_number: int) -> str:
        """Return the encounter's name. Outside brackets, it is unique only within its round."""
        position = self._position(pairing, round_number)
        if position:
            return position_name(position)
        if self.tournament.is_table:
            return _("Table %(n)s") % {"n": round_number if is_one_table(self.tournament) else pairing.encounter}
        text = _("Match %(n)s") if traits_of(self.tournament).scored else _("Encounter %(n)s")
        return text % {"n": pairing.encounter}

    def match(self, pairing: Pairing, round_number: int) -> str:
        """Return the match's name, which is unique within the tournament."""
        name = self._encounter_with_round(pairing, round_number)
        if self.tournament.matches_per_encounter > 1:
            return _("%(encounter)s, leg %(n)s") % {"encounter": name, "n": pairing.leg}
        return name

    def match_by_language(self, pairing: Pairing, round_number: int) -> dict[str, str]:
        """Return the match's name in each language of the site, for events whose readers use different languages."""
        found = {}
        for language, _label in settings.LANGUAGES:
            with translation.override(language):
                found[language] = self.match(pairing, round_number)
        return found

    def _encounter_with_round(self, pairing: Pairing, round_number: int) -> str:
        tournament = self.tournament
        if (tournament.is_table and is_one_table(tournament)) or self._position(pairing, round_number):
            return self.encounter(pairing, round_number)
        if tournament.is_table:
            text = _("Round %(round)s, table %(n)s")
        elif traits_of(tournament).scored:
            text = _("Random seed %(round)s, match %(n)s")
        else:
            text = _("Round %(round)s, encounter %(n)s")
        return text % {"round": round_number, "n": pairing.encounter}

    def _position(self, pairing: Pairing, round_number: int) -> BracketPosition | None:
        if not pairing.bracket:
            return None
        return self.positions.get((round_number - 1 - self.offset, Bracket(pairing.bracket), pairing.slot))


def encounter_names(tournaments: Iterable[Tournament]) -> dict[int, EncounterNames]:
    """Return the names of each tournament's encounters, by tournament id. Runs at most two queries."""
    by_id = {tournament.pk: tournament for tournament in tournaments}
    formats = {pk: tournament.format for pk, tournament in by_id.items()}
    sizes = _entry_counts([pk for pk, one in formats.items() if one in (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION)])
    finals = _finals([pk for pk, one in formats.items() if one == Format.GROUPS])
    found = {}
    for pk, tournament in by_id.items():
        positions: Mapping[Key, BracketPosition] = {}
        offset = 0
        if pk in sizes:
            system = system_of(tournament, sizes[pk])
            if isinstance(system, Knockout | DoubleElimination):
                positions = positions_of_size(system, sizes[pk])
        elif pk in finals:
            offset, entries = finals[pk]
            positions = positions_of_size(Knockout(), entries)
        found[pk] = EncounterNames(tournament, positions, offset)
    return found


def _entry_counts(tournament_ids: Collection[int]) -> dict[int, int]:
    """Return the number of seeded entries of each tournament."""
    if not tournament_ids:
        return {}
    rows = Entry.objects.filter(tournament__in=tournament_ids, seed__isnull=False).order_by()
    return dict(rows.values_list("tournament_id").annotate(Count("pk")))


def _finals(tournament_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return, for tournaments whose finals have begun, the numbers of rounds before the finals and of finalists."""
    if not tournament_ids:
        return {}
    rounds = TournamentRound.objects.filter(tournament__in=tournament_ids, stage=TournamentStage.FINALS)
    rows = rounds.annotate(
        byes_count=Count("byes", distinct=True), paired=Count("pairings__seats__entry", distinct=True)
    ).order_by("-number")
    return {
        tournament: (number - 1, byes + paired)
        for tournament, number, byes, paired in rows.values_list("tournament_id", "number", "byes_count", "paired")
    }


def match_names(match_ids: Collection[int]) -> dict[int, str]:
    """Return the names of tournament matches by match id; others are left out. Runs at most three queries."""
    pairings = list(Pairing.objects.filter(match__in=match_ids).select_related("round", "tournament"))
    names = encounter_names(pairing.tournament for pairing in pairings)
    return {
        pairing.match_id: names[pairing.tournament_id].match(pairing, pairing.round.number)
        for pairing in pairings
        if pairing.match_id is not None
    }


def position_name(position: BracketPosition) -> str:
    """Return the name of an encounter: that of its round, with a number if the round has several encounters."""
    label = round_label(position)
    if position.encounters == 1:
        return label
    return _("%(round)s, encounter %(n)s") % {"round": label, "n": position.encounter}


def name_in_round(position: BracketPosition) -> str:
    """Return the name of an encounter below the name of its round; "" if the round has no other encounter."""
    return _("Encounter %(n)s") % {"n": position.encounter} if position.encounters > 1 else ""


def round_label(position: BracketPosition) -> str:
    """Return the name of a round in its bracket."""
    if position.bracket == Bracket.FINAL:
        return _("Final") if position.round == 1 else _("Second final")
    if position.bracket == Bracket.THIRD_PLACE:
        return _("Third-place play-off")
    if position.bracket == Bracket.LOSERS:
        return _("Losers' round %(n)s") % {"n": position.round}
    if position.is_double:
        return _("Winners' round %(n)s") % {"n": position.round}
    if position.encounters == 2:
        return _("Semifinal")
    if position.encounters == 4:
        return _("Quarterfinal")
    return _("Round of %(n)s") % {"n": 2 * position.encounters}
