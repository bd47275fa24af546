"""Taking back a move continues the match from the position before it, in a new match with a valid record."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.core.referee.record import load
from arena.games.sites import SITES
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import recent_matches_of_bot, recent_matches_of_person
from arena.matches.verification import problems_of
from arena.play import take_back
from arena.play.models import Duel
from tests.factories import bot, person
from tests.matches.scripted import BLACK, WHITE
from tests.note_codes import note_codes
from tests.play.duels import create_duel, play_duel
from tests.play.test_playing import scripted_moves
from tests.refusals import expect_refusal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def test_game_resumes_before_the_move_with_a_valid_record() -> None:
    old = create_duel()
    play_duel(old, scripted_moves(old, BLACK[:2]))
    new = Match.objects.get(pk=take_back.take_back(old.pk))
    old.refresh_from_db()
    assert old.status == MatchStatus.CANCELLED
    assert [turn.number for turn in new.duel.turns.all()] == [1, 2], "the own second move is gone, and the answer to it"
    assert take_back.take_back(old.pk) == new.pk, "a second click is the same match"
    assert play_duel(new, scripted_moves(new, BLACK[1:]), WHITE[1:])
    new.refresh_from_db()
    assert (new.status, new.termination, new.is_counted) == (MatchStatus.FINISHED, "completed", False)
    assert problems_of(new.pk) == []
    record = load(bytes(new.record.data))
    assert record.resumed == [3]
    assert new.seats.get(index=0).seconds == pytest.approx(5.0), "the clock is that of the moves that stay"
    assert new.secret == old.secret


@pytest.mark.long
def test_invalid_take_backs_are_refused() -> None:
    fresh = create_duel()
    with expect_refusal("nothing_to_take_back"):
        take_back.take_back(fresh.pk)
    fresh.refresh_from_db()
    assert fresh.status == MatchStatus.QUEUED
    students = create_duel(against=bot(person()))
    play_duel(students, scripted_moves(students, BLACK[:1]))
    with expect_refusal("no_take_back"):
        take_back.take_back(students.pk)
    over = create_duel()
    assert play_duel(over, scripted_moves(over, BLACK))
    with expect_refusal("game_over"):
        take_back.take_back(over.pk)
    often = create_duel()
    play_duel(often, scripted_moves(often, BLACK[:1]))
    Duel.objects.filter(pk=often.pk).update(take_backs=take_back.MAX_TAKE_BACKS)
    with expect_refusal("too_many_taken_back"):
        take_back.take_back(often.pk)


@pytest.mark.long
def test_old_url_redirects_to_the_resumed_game() -> None:
    ann = person()
    old = create_duel(ann)
    play_duel(old, scripted_moves(old, BLACK[:1]))
    client, stranger = Client(), Client()
    client.force_login(ann)
    assert stranger.post(reverse("duel-take-back", args=[old.pk])).status_code == 404
    new = client.post(reverse("duel-take-back", args=[old.pk])).headers["Location"]
    assert client.get(reverse("duel", args=[old.pk])).headers["Location"] == new
    page = client.get(new).content.decode()
    assert 'data-take-backs="1"' in page
    assert "Take back" in page


def test_recent_matches_omit_those_continued_after_a_take_back() -> None:
    ann = person()
    old = create_duel(ann)
    play_duel(old, scripted_moves(old, BLACK[:1]))
    new = take_back.take_back(old.pk)
    opponent = old.seats.get(index=1).bots_submission.bot_id
    assert [card.id for card in recent_matches_of_person(ann.username, ann)] == [new]
    assert [card.id for card in recent_matches_of_bot(opponent, ann)] == [new]


def test_only_reversi_allows_take_backs_and_other_games_say_why() -> None:
    played = {game: site.people for game, site in SITES.items() if site.people}
    assert {game for game, people in played.items() if people.takes_back} == {"reversi"}
    assert all(people.no_take_back for people in played.values() if not people.takes_back)


@pytest.mark.long
@pytest.mark.parametrize(("moves", "kept"), [(1, 0), (2, 2)])
def test_page_keeps_the_position_while_a_move_is_taken_back(moves: int, kept: int) -> None:
    ann = person()
    old = create_duel(ann)
    play_duel(old, scripted_moves(old, BLACK[:moves]))
    client = Client()
    client.force_login(ann)
    page = client.post(reverse("duel-take-back", args=[old.pk]), follow=True)
    assert [turn["number"] for turn in page.context["snapshot"]["turns"]] == list(range(kept + 1))
    assert page.context["table"].to_json()["stored_turns"] == kept
    shown = page.content.decode()
    assert "data-taking-back" in shown
    assert note_codes(shown) == ["taking_back", "no_worker"]
    Match.objects.filter(pk=page.context["table"].match_id).update(started_at=timezone.now())  # requeued later
    assert "data-taking-back" not in client.get(page.redirect_chain[-1][0]).content.decode()


@pytest.mark.long
def test_take_back_is_disabled_until_the_person_has_moved() -> None:
    ann = person()
    match = create_duel(ann)
    client = Client()
    client.force_login(ann)
    disabled = 'data-part="take-back" disabled'
    assert disabled in client.get(reverse("duel", args=[match.pk])).content.decode()
    play_duel(match, scripted_moves(match, BLACK[:1]))
    page = client.get(reverse("duel", args=[match.pk])).content.decode()
    assert 'data-part="take-back"' in page
    assert disabled not in page


def test_page_offers_to_take_back_or_says_why_not() -> None:
    for against, is_offered in ((None, True), (bot(person()), False)):
        match = create_duel(ann := person(), against)
        client = Client()
        client.force_login(ann)
        page = client.get(reverse("duel", args=[match.pk])).content.decode()
        assert (reverse("duel-take-back", args=[match.pk]) in page) is is_offered
        assert ('data-part="no-take-back"' in page) is not is_offered
