"""Lines join the brackets of a double elimination to its final."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries.bracket_views import BracketTree, one_screen
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import bracket_of
from tests.tournaments.harness import TournamentHarness


def tree_of(tournament: Tournament) -> BracketTree:
    tree = rounds_of(bracket_of(tournament.pk)).tree
    assert tree is not None
    return tree


def joins(tree: BracketTree) -> dict[str, list[str]]:
    return {bracket.label: [column.joins for column in bracket.columns] for bracket in tree.brackets}


@pytest.mark.long
def test_both_brackets_of_a_double_elimination_lead_to_the_final(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.DOUBLE_ELIMINATION)
    tree = tree_of(tournament)
    assert joins(tree) == {
        "Winners' bracket": ["pair", "down"],
        "Losers' bracket": ["straight", "up"],
        "Final": [""],
    }
    page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    frame = page.split('<div class="bracket-finals"')[1]
    assert frame.count('<div class="bracket"') == 3
    assert frame.index('data-joins="down"') < frame.index('data-joins="up"') < frame.index(">Final<")
    assert one_screen(tree, 1) == (tree, 1)


def test_knockout_has_its_final_in_its_bracket(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.KNOCKOUT)
    tree = tree_of(tournament)
    assert joins(tree) == {"Bracket": ["pair", ""], "Third-place play-off": [""]}
    assert not tree.joins_final
    assert "bracket-finals" not in Client().get(reverse("tournament", args=[tournament.pk])).content.decode()


def test_encounters_below_the_heading_of_their_round_do_not_repeat_it(stage: TournamentHarness) -> None:
    bracket, third_place = tree_of(stage.start_tournament(4, Format.KNOCKOUT)).brackets
    semifinals, final = bracket.columns
    names = {cell.name_in_column for cell in semifinals.cells}
    assert len(names) == 2
    assert not any(semifinals.label in name for name in names)
    assert [cell.name_in_column for cell in (*final.cells, *third_place.columns[0].cells)] == ["", ""]


def test_finals_of_a_double_elimination_have_no_visible_headings(stage: TournamentHarness) -> None:
    *_, finals = tree_of(stage.start_tournament(4, Format.DOUBLE_ELIMINATION)).brackets
    assert all(cell.name_in_column == cell.name for column in finals.columns for cell in column.cells)
