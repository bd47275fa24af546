"""Matches, rooms and recordings are explained to every reader who may see them, and to nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role
from arena.classes.models import Course, Membership
from arena.games.golden_point.evaluation.recorded_file import read
from arena.games.golden_point.recordings.models import Recording
from arena.games.golden_point.rules import score_round
from arena.matches.models import Match
from arena.submissions.models import Bot
from tests.factories import person, queued_match
from tests.games.golden_point.analysis.matches import create_finished_match
from tests.games.golden_point.analysis.readers import client_for
from tests.games.golden_point.rooms.program import Clock, Program
from tests.refusals import all_form_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("example")]

READERS = ("anonymous", "other student", "author", "organizer", "staff")


def analysis_url(kind: str, key: object) -> str:
    return reverse("golden-point-analysis", args=[kind, key])


@pytest.mark.parametrize("reader", READERS)
def test_public_match_is_explained_to_every_reader(reader: str) -> None:
    match = create_finished_match()
    client = client_for(match, reader)
    page = client.get(analysis_url("matches", match.pk)).content.decode()
    assert "Missed points" in page
    assert "bot 0, bot 1, bot 2" in page
    assert client.get(analysis_url("matches", match.pk) + "rounds/7.json").json()["number"] == 7


def test_house_bots_are_named_in_the_language_of_the_page() -> None:
    match = create_finished_match()
    house = match.seats.first().submission.bot
    Bot.objects.filter(pk=house.pk).update(is_house=True, texts={"zh-hans": {"name": "思考者"}})
    for language in ("en", "zh-hans", "en"):
        page = Client(headers={"accept-language": language}).get(analysis_url("matches", match.pk)).content.decode()
        assert ("思考者" in page) == (language == "zh-hans")


@pytest.mark.parametrize("reader", READERS)
def test_withheld_results_leak_nothing(reader: str) -> None:
    """Nobody without access to the match's page sees withheld results, not even the authors of the bots."""
    match = create_finished_match(requested_by=person(role=Role.ORGANIZER))
    assert Client().get(analysis_url("matches", match.pk)).status_code == 200
    Match.objects.filter(pk=match.pk).update(withheld=True)
    client = client_for(match, reader)
    for path in ("", "rounds/1.json", "numbers.tsv"):
        answer = client.get(analysis_url("matches", match.pk) + path)
        assert answer.status_code == (200 if reader in {"organizer", "staff"} else 404)


@pytest.mark.parametrize("reader", [*READERS, "member"])
def test_class_match_is_shown_only_to_its_members(reader: str) -> None:
    course = Course.objects.create(name="7b", owner=person(), code="ABCD2345")
    match = create_finished_match(audience=course, requested_by=person(role=Role.ORGANIZER))
    client = client_for(match, reader)
    if reader == "member":
        member = person()
        Membership.objects.create(course=course, person=member)
        client.force_login(member)
    answer = client.get(analysis_url("matches", match.pk))
    assert answer.status_code == (200 if reader in {"member", "organizer", "staff"} else 404)


def test_unfinished_match_shows_an_empty_state() -> None:
    match = queued_match(game="golden_point")
    assert 'data-empty="none"' in Client().get(analysis_url("matches", match.pk)).content.decode()
    assert Client().get(analysis_url("matches", match.pk) + "numbers.tsv").status_code == 404


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("matches", "99"),
        ("matches", "x"),
        ("matches", "9" * 30),
        ("rooms", "99"),
        ("recordings", "nothing"),
        ("x", "1"),
    ],
)
def test_unknown_match_room_and_recording_return_404(kind: str, key: str) -> None:
    assert Client().get(analysis_url(kind, key)).status_code == 404


def test_match_of_another_game_returns_404() -> None:
    assert Client().get(analysis_url("matches", queued_match(game="reversi").pk)).status_code == 404


@pytest.mark.long
def test_example_shows_players_rounds_and_what_if() -> None:
    client, of_example = Client(), analysis_url("recordings", "example")
    page = client.get(of_example).content.decode()
    assert "23 players, 400 rounds" in page
    assert "Strategy of Player 14" in page, "the best one is chosen"
    second = client.get(of_example, {"page": 2, "player": 22, "disrupted": 1, "rounds": 99}).content.decode()
    assert "Strategy of Player 23" in second
    assert 'href="?page=2&amp;player=22&amp;disrupted=1&amp;rounds=1#rounds-title"' in second
    assert ">1</a>" in second, "the first round is the last of those with disruptors"
    then = client.get(of_example, {"round": 1, "player": 22, "x": "9", "y": "9.1"}).content.decode()
    first = read(example_bytes(), 2).rounds[0].numbers
    golden = score_round([*first[:22], (9.0, 9.1)]).golden
    assert f" {golden:.4f} instead of 9.0437" in then
    wins = client.get(of_example + "rounds/1.json").json()["wins"][22]
    assert f" {wins['low']:.3f} to {wins['high']:.3f}," in then


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"round": "401", "player": "0", "x": "5"}, "unknown_round"),
        ({"round": "1", "player": "0", "x": "100"}, "range"),
        ({"round": "1", "player": "0", "x": "nan"}, "invalid"),
        ({"round": "1", "player": "23", "x": "5"}, "invalid_choice"),
        ({"round": "", "player": "0", "x": ""}, "required"),
    ],
)
def test_invalid_what_if_reports_form_errors(query: dict[str, str], code: str) -> None:
    answer = Client().get(analysis_url("recordings", "example"), query)
    assert answer.status_code == 200
    assert code in all_form_codes(answer)


@pytest.mark.long
def test_invalid_query_parameters_are_ignored() -> None:
    query = {"player": "x", "round": "-1", "page": "x", "rounds": "x", "last": "7", "before": "x", "disrupted": "2"}
    assert Client().get(analysis_url("recordings", "example"), query).status_code == 200


@pytest.mark.long
def test_downloaded_numbers_can_be_uploaded_again() -> None:
    text = Client().get(analysis_url("recordings", "example") + "numbers.tsv").content.decode()
    assert [each.numbers for each in read(text).rounds][399] is not None
    assert read(text).totals() == read(example_bytes(), 2).totals()


def example_bytes() -> str:
    return Client().get(reverse("recording-file", args=["example"])).content.decode()


@pytest.mark.long
def test_unlisted_recording_is_explained_by_link() -> None:
    Recording.objects.filter(code="example").update(listed=False)
    assert Client().get(analysis_url("recordings", "example")).status_code == 200


def test_names_are_escaped_in_html() -> None:
    program, client = Program(Clock(timezone.now())), Client()
    room = program.room(duration=3)
    for name in ("<Ada>", "</script>"):
        program.submit(program.player(name), room, 50)
    program.clock.advance(3)
    program.refresh()
    page = client.get(analysis_url("rooms", room)).content.decode()
    assert "&lt;Ada&gt;" in page
    assert "<Ada>" not in page
