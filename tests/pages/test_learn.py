"""The page on which people and a Q-learning agent explore a two-state world."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from arena.core.learning.q_learning import WORKED_SEED, best_actions, true_values
from arena.core.learning.two_states import Action, State, simulate
from arena.pages.learn.address import LAST_STEP, MAX_MOVES, LearnState, parse_state, step_links
from arena.pages.learn.content import RATES, learn_page
from tests.note_codes import note_codes

WORLD = 11


def page(query: str = "") -> str:
    response = Client().get(f"/learn/?{query}")
    assert response.status_code == 200
    return response.content.decode()


def new_world(most: int) -> int:
    assert most > WORLD
    return WORLD


@pytest.mark.django_db
def test_page_starts_without_moves() -> None:
    text = page()
    assert 'data-state="A"' in text
    assert note_codes(text) == ["no_steps"]
    assert f'href="{reverse("bot-list")}?game=golden_point"' in text  # a game whose house bot learns the same way


@pytest.mark.django_db
def test_page_shows_the_result_of_a_move_and_offers_the_next() -> None:
    text = page(f"world={WORLD}&played=12&action=2")
    last = simulate([Action(1), Action(2), Action(2)], WORLD)[-1]
    assert f'data-state="{last.after}"' in text
    assert 'name="played" value="122"' in text
    row = f'<td>{last.state}</td><td>2</td><td class="number">{last.reward:+d}</td><td>{last.after}</td>'
    assert row in text
    said = re.findall(r'data-announcement="([^"]*)"', text)[0]
    assert re.search(rf"\b2\b.*\b{last.state}\b.*{re.escape(f'{last.reward:+d}')}.*\b{last.after}\b", said)


@pytest.mark.django_db
def test_no_move_is_offered_after_the_last() -> None:
    text = page(f"world={WORLD}&played={'1' * (MAX_MOVES + 5)}")
    assert re.search(rf'data-part="total"[^>]*>{10 * MAX_MOVES}\D+10\.0\D', text)
    assert 'name="action"' not in text
    assert "Start over" in text


@pytest.mark.django_db
def test_first_steps_match_the_hand_computed_episode() -> None:
    for step, figures in ((1, "= 1.0"), (2, "= \N{MINUS SIGN}1.0"), (3, "= 4.09")):
        shown = page(f"step={step}").split('id="watch-shown"')[1].split("<h2")[0]
        assert figures in shown
    assert page().count("= 4.09") == 1, "by hand, though no step is taken yet"


@pytest.mark.django_db
def test_step_links_keep_the_readers_moves() -> None:
    text = page(f"world={WORLD}&played=121&step=30")
    assert f"?world={WORLD}&amp;played=121&amp;seed={WORKED_SEED}&amp;step=31#watch" in text
    assert "Step 30 of 600" in text


def test_step_links_stop_at_the_first_and_last_step() -> None:
    assert step_links(LearnState(WORLD))["back"] == step_links(LearnState(WORLD))["first"] == ""
    near = step_links(LearnState(WORLD, step=LAST_STEP - 3))
    assert near["next_10"] == near["last"] != ""
    assert step_links(LearnState(WORLD, step=LAST_STEP))["next"] == ""


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ({}, LearnState(WORLD)),
        ({"played": "12"}, LearnState(WORLD)),  # moves without their world
        ({"world": "3", "played": "1x2", "action": "1"}, LearnState(3, (Action(1), Action(2), Action(1)))),
        ({"world": "3", "step": "99999", "seed": "-1"}, LearnState(3, step=LAST_STEP)),
        ({"world": "٣", "step": "1e2"}, LearnState(WORLD)),
    ],
)
def test_invalid_parameters_fall_back_to_defaults(query: dict[str, str], address: LearnState) -> None:
    assert parse_state(query, new_world) == address


def test_address_round_trips_through_its_query() -> None:
    from django.http import QueryDict

    address = LearnState(WORLD, (Action(1), Action(2)), seed=5, step=17)
    assert parse_state(QueryDict(address.query), new_world) == address
    assert parse_state(QueryDict(address.restarted_query), new_world) == LearnState(WORLD, (), seed=5, step=17)


def test_episode_ends_with_the_optimal_policy() -> None:
    watched = learn_page(LearnState(WORLD, step=LAST_STEP)).watched
    assert watched.lesson is not None
    for state in State:
        assert best_actions(watched.lesson.values, state) == best_actions(true_values(RATES.discount), state)


def test_curves_extend_from_left_to_right() -> None:
    halfway, whole = (
        learn_page(LearnState(WORLD, step=step)).watched.curves[0] for step in (LAST_STEP // 2, LAST_STEP)
    )
    assert halfway.points.split()[-1].startswith("300,")
    assert whole.points.split()[-1].startswith("600,")
    assert whole.points.startswith(halfway.points.rsplit(" ", 1)[0])
