"""Every format is run from the creation form to the final standings, and the page is checked at each stage."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.core.ranking.tiebreaks import Tiebreak
from arena.matches.models import MatchStatus
from arena.tournaments.entries import registration
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Entry, EntryStatus, Format, Tournament
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.queries.entries import entries
from arena.tournaments.queries.rounds import round_numbers, rounds
from arena.tournaments.services import reruns
from arena.tournaments.standings.verification import problems_of
from tests.note_codes import note_codes
from tests.tournaments.form_data import answers, local_input
from tests.tournaments.harness import TournamentHarness

# The other formats are played among the slow tests.
QUICK = {Format.ROUND_ROBIN, Format.GROUPS}
DETAILS = {
    Format.GROUPS: {"group_size": "3", "advance": "2", "finals": "knockout"},
    Format.SWISS: {"rounds": "4", "tiebreak_1": "sonneborn_berger"},
    Format.KNOCKOUT: {"third_place": "on"},
    Format.GAUNTLET: {"gauntlet_bots": "2"},
    Format.TABLE: {"seats": "3", "repeats": "4"},
    Format.SCORE_ATTACK: {"random_seeds": "4", "bots_per_match": "3", "game-throws": "5"},
}


def create_from_form(stage: TournamentHarness, format_: Format, entries: int = 8) -> Tournament:
    """Create a tournament through the form, enter ``entries`` bots, and let its deadline pass."""
    game = {Format.TABLE: "golden_point", Format.SCORE_ATTACK: "dare"}.get(format_, "reversi")
    client = Client()
    client.force_login(stage.organizer)
    plan = answers(format=format_, deadline=local_input(stage.now + timedelta(hours=2)), **DETAILS.get(format_, {}))
    created = client.post(f"{reverse('tournament-new')}?game={game}", plan)
    assert created.status_code == 302, created.content.decode()
    tournament = Tournament.objects.get()
    stage.enter_bots(tournament, entries)
    stage.pass_time(timedelta(hours=3))
    stage.tick()
    return tournament


def page(tournament: Tournament) -> str:
    shown = Client().get(reverse("tournament", args=[tournament.pk]))
    assert shown.status_code == 200
    return shown.content.decode()


@pytest.mark.parametrize(
    "format_", [pytest.param(one, marks=[] if one in QUICK else pytest.mark.long) for one in Format]
)
# Among the quick tests, test_archive plays each format.
@pytest.mark.parametrize("leaves", [pytest.param(False, marks=pytest.mark.long), True], ids=["all stay", "one leaves"])
def test_format_is_played_from_form_to_final_standings(
    stage: TournamentHarness, dare: None, format_: Format, leaves: bool
) -> None:
    tournament = create_from_form(stage, format_, entries=6)
    assert page(tournament)
    rng = random.Random(f"{format_}")
    for match in stage.matches(tournament, MatchStatus.QUEUED)[:2]:
        seats = match.seats.count()
        stage.finish_match(match, list(range(1, seats + 1)))
    assert page(tournament)
    if leaves:
        leaver = tournament.entries.order_by("-seed").first()
        stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    stage.play_all(tournament, rng)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert problems_of(tournament.pk) == []
    assert "Finished" in page(tournament)
    stayed = Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED)
    assert all(entry.rank for entry in stayed)
    assert min(entry.rank for entry in stayed) == 1
    for number in round_numbers(tournament.pk):
        shown = Client().get(f"{reverse('tournament-rounds', args=[tournament.pk])}?page={number}")
        assert f"{'Random seed' if TRAITS[format_].scored else 'Round'} {number}" in shown.content.decode()


def test_knockout_shows_bracket_and_is_decided_by_the_final(stage: TournamentHarness) -> None:
    tournament = create_from_form(stage, Format.KNOCKOUT)
    tree = rounds_of(bracket_of(tournament.pk)).tree
    assert [[len(column.cells) for column in bracket.columns] for bracket in tree.brackets] == [[4, 2, 1], [1]]
    assert [column.joins for column in tree.brackets[0].columns] == ["pair", "pair", ""]
    shown = page(tournament)
    labels = {cell.name for bracket in tree.brackets for column in bracket.columns for cell in column.cells}
    referred = set(re.findall(r"(?:Winner|Loser) of ([^<]+)<", shown))
    assert "Semifinal, encounter 2" in referred <= labels
    in_columns = {
        cell.name_in_column for bracket in tree.brackets for column in bracket.columns for cell in column.cells
    }
    assert in_columns - {""} <= set(re.findall(r"encounter__name[^>]*>([^<]+)<", shown))
    first = tree.brackets[0].columns[0].cells[0]
    (whole,) = rounds(tournament.pk, [1])
    assert [one.name for one in whole.encounters] == [f"Quarterfinal, encounter {n}" for n in range(1, 5)]
    assert first.encounter.name == first.name
    assert f">#{first.encounter.legs[0].match_id}<" not in shown
    all_rounds = reverse("tournament-rounds", args=[tournament.pk])
    stage.play_all(tournament, random.Random(4))
    assert f'href="{all_rounds}?page=1"' in page(tournament)  # from the start, now that it is over
    bracket, placing = rounds_of(bracket_of(tournament.pk)).tree.brackets
    assert [column.label for column in bracket.columns] == ["Quarterfinal", "Semifinal", "Final"]
    final, third = bracket.columns[-1].cells[0].encounter, placing.columns[0].cells[0].encounter
    assert (final.bracket, third.bracket) == ("final", "third_place")
    ranks = dict(tournament.entries.values_list("pk", "rank"))
    ordered = [ranks[side.entry] for one in (final, third) for side in sorted(one.sides, key=lambda s: not s.leads)]
    if all(any(side.leads for side in one.sides) for one in (final, third)):
        assert ordered == [1, 2, 3, 4]
    assert 'class="bracket"' in page(tournament)


@pytest.mark.long
@pytest.mark.parametrize(
    ("margins", "decided_by", "winner"), [((8, -4), "margin", 0), ((4, -8), "margin", 1), ((4, -4), "seed", 0)]
)
def test_bracket_shows_what_decided_a_tied_encounter(
    stage: TournamentHarness, margins: tuple[int, int], decided_by: str, winner: int
) -> None:
    """Each side wins once; ``margins`` are the better seed's margins in the match it wins and the one it loses."""
    tournament = stage.start_tournament(2, Format.KNOCKOUT, matches_per_encounter=2)
    best = tournament.entries.get(seed=1)
    for match, margin in zip(stage.matches(tournament, MatchStatus.QUEUED), margins, strict=True):
        seat = match.pairing.seats.get(entry=best).index
        ranks = (1, 2) if (seat == 0) == (margin > 0) else (2, 1)
        stage.finish_match(match, ranks, (margin, -margin) if seat == 0 else (-margin, margin))
    ((encounter,),) = [one.encounters for one in rounds(tournament.pk, [1])]
    assert encounter.decided_by == decided_by
    assert [side.seed for side in encounter.sides if side.leads] == [winner + 1]
    assert tournament.entries.get(rank=1).seed == winner + 1
    assert "Tied" in page(tournament)


@pytest.mark.long
def test_double_elimination_shows_both_brackets(stage: TournamentHarness) -> None:
    tournament = create_from_form(stage, Format.DOUBLE_ELIMINATION)
    stage.play_all(tournament, random.Random(4))
    labels = [bracket.label for bracket in rounds_of(bracket_of(tournament.pk)).tree.brackets]
    assert labels == ["Winners' bracket", "Losers' bracket", "Final"]


@pytest.mark.long
def test_groups_show_their_tables_and_qualifiers(stage: TournamentHarness) -> None:
    tournament = create_from_form(stage, Format.GROUPS)
    stage.play_all(tournament, random.Random(4))
    course = rounds_of(bracket_of(tournament.pk))
    assert [len(group.rows) for group in course.groups] == [3, 3, 2]
    advanced = {row.figures.entry for group in course.groups for row in group.rows if row.advances}
    finals = [round_ for round_ in rounds(tournament.pk, course.numbers) if round_.stage == "finals"]
    assert {side.entry for round_ in finals for one in round_.encounters for side in one.sides} <= advanced
    assert course.tree


@pytest.mark.long
def test_group_stage_shows_the_finals_with_places_in_groups(stage: TournamentHarness) -> None:
    tournament = create_from_form(stage, Format.GROUPS)
    stage.tick()
    during = rounds_of(bracket_of(tournament.pk))
    assert not during.marks_qualifiers, "nothing has been played"
    assert not re.findall("is-advancing|groups__note", page(tournament))
    match = stage.matches(tournament, MatchStatus.QUEUED)[0]
    stage.begin_match(match)
    stage.finish_match(match, [1, 2])
    stage.tick()
    during = rounds_of(bracket_of(tournament.pk))
    marked = {group.number: sum(row.advances for row in group.rows) for group in during.groups}
    assert sorted(marked.values()) == [0, 0, 2], "only the group that has a result"
    assert set(re.findall("is-advancing|groups__note", page(tournament))) == {"is-advancing", "groups__note"}
    assert during.tree is None
    assert during.expected is not None
    first = during.expected.brackets[0].columns[0].cells
    texts = [side.text for cell in first for side in cell.sides]
    assert sorted(texts) == [f"Group {group}, rank {rank}" for group in (1, 2, 3) for rank in (1, 2)]
    assert texts[0] in page(tournament)
    stage.play_all(tournament, random.Random(4))
    after = rounds_of(bracket_of(tournament.pk))
    assert after.expected is None
    assert after.tree is not None
    shapes = [[len(column.cells) for column in tree.brackets[0].columns] for tree in (during.expected, after.tree)]
    assert shapes[0] == shapes[1]


def test_match_at_the_only_table_is_not_called_a_round(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, Format.TABLE, game="golden_point", repeats=2)
    shown = page(tournament)
    assert re.findall(r'<h2 id="current-round-title">(.*?)</h2>', shown) == ["Table 1"]
    assert "encounter__name" not in shown, "the heading already says it"


@pytest.mark.long
def test_swiss_shows_newest_round_byes_and_tiebreaks(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(7, Format.SWISS, options={"rounds": 3})
    shown = page(tournament)
    assert "byes" in note_codes(shown)
    stage.play_all(tournament, random.Random(3))
    assert round_numbers(tournament.pk) == [1, 2, 3]
    shown = page(tournament)
    assert "Round 3" in shown
    for short in ("BH-C1", "SB"):
        assert f">{short}</abbr>" in shown
    assert 'data-tiebreaks="3"' in shown  # the styles use it to leave space for names
    assert str(TEXTS[Tiebreak.BUCHHOLZ_CUT_1].explanation) in shown
    resting = [name for round_ in rounds(tournament.pk, [1, 2, 3]) for name in round_.byes]
    assert len(resting) == len(set(resting)) == 3


@pytest.mark.long
def test_long_round_is_truncated_except_on_its_own_page(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(60, Format.SWISS, options={"rounds": 2})
    course = rounds_of(bracket_of(tournament.pk))
    assert course.current is not None
    assert (len(course.current.encounters), course.current.hidden) == (24, 6)
    (whole,) = rounds(tournament.pk, [1])
    assert len(whole.encounters) == 30


@pytest.mark.long
def test_void_match_blocking_a_knockout_is_explained(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    void, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(other, (1, 2))
    stage.void_match(void)
    shown = page(tournament)
    assert "holding" in note_codes(shown)
    assert stage.name_of(void) in shown


@pytest.mark.long
@pytest.mark.parametrize("address", ["tournament", "tournament-operations"])
def test_page_builds_the_bracket_once(stage: TournamentHarness, address: str) -> None:
    """The tree, the names in the banner and the activity log, and the entries' buttons share one bracket."""
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    void, other = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(other, (1, 2))
    name = stage.name_of(other)
    stage.run_committed(reruns.rerun, tournament.pk, [other.pk], "wrong opening", actor=stage.organizer, now=stage.now)
    stage.void_match(void)
    client = Client()
    client.force_login(stage.organizer)
    with CaptureQueriesContext(connection) as queries:
        shown = client.get(reverse(address, args=[tournament.pk])).content.decode()
    assert name in shown
    assert "wrong opening" in shown
    byes_of_the_field = '"tournaments_bye" INNER JOIN "tournaments_tournamentround"'
    assert sum(byes_of_the_field in one["sql"] for one in queries) == 1


@pytest.mark.long
def test_eliminated_bot_has_no_withdraw_button(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT, options={"third_place": False})
    first, _second = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(first, (1, 2))
    lines = {line.id: line for line in entries(tournament.pk)}
    winner, loser = (seat.entry for seat in first.pairing.seats.order_by("index"))
    assert [pk for pk, line in lines.items() if line.is_eliminated] == [loser.pk]
    withdraws = {}
    for entry in (winner, loser):
        client = Client()
        client.force_login(entry.bot.owner)
        shown = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
        withdraws[entry.pk] = reverse("tournament-withdraw", args=[tournament.pk, entry.pk]) in shown
    assert withdraws == {winner.pk: True, loser.pk: False}
    assert "eliminated" in note_codes(shown)
    Tournament.objects.filter(pk=tournament.pk).update(withheld=True)
    hidden = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert "eliminated" not in note_codes(hidden), "an elimination is a result"


@pytest.mark.long
def test_round_list_shows_current_round(stage: TournamentHarness) -> None:
    """The current round is the one being played, although later rounds have already been paired."""
    tournament = stage.start_tournament(4, Format.ROUND_ROBIN)
    assert len(round_numbers(tournament.pk)) > 1
    assert rounds_of(bracket_of(tournament.pk)).current.number == 1
    first, *_rest = stage.matches(tournament, MatchStatus.QUEUED)
    stage.begin_match(first)
    assert rounds_of(bracket_of(tournament.pk)).current.number == first.pairing.round.number
    stage.play_all(tournament, random.Random(2))
    assert rounds_of(bracket_of(tournament.pk)).current.number == round_numbers(tournament.pk)[-1]


@pytest.mark.long
def test_rounds_take_a_constant_number_of_queries(stage: TournamentHarness, django_assert_max_num_queries) -> None:
    tournament = stage.start_tournament(16, Format.KNOCKOUT)
    stage.play_all(tournament, random.Random(1))
    with django_assert_max_num_queries(14):
        rounds_of(bracket_of(tournament.pk))


@pytest.mark.long
def test_page_shows_path_of_a_bot_through_the_bracket(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5, Format.KNOCKOUT)
    best = tournament.entries.get(seed=1)
    path = rounds_of(bracket_of(tournament.pk), best.pk).tree.path
    assert [cell.name for cell in path] == ["Quarterfinal, encounter 1", "Semifinal, encounter 1", "Final"]
    assert path[0].is_bye
    address = reverse("tournament", args=[tournament.pk])
    shown = Client().get(f"{address}?path={best.pk}").content.decode()
    assert 'id="bracket-path-title"' in shown
    assert shown.count("bracket__cell is-on-path") == 3
    assert shown.index('id="bracket-path-title"') < shown.index('class="bracket ')
    assert [best.pk in cell.reached_by for cell in path] == [True] * 3
    for nobody in ("", "0", "x", str(best.pk + 99)):
        assert "is-on-path" not in Client().get(f"{address}?path={nobody}").content.decode()
