"""The public screen and embeds show only public matches and standings, whoever is signed in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from arena.classes import services as classes
from arena.core.messages import verbatim_message
from arena.games.base import Termination
from arena.games.review import Review, Verdict
from arena.games.sites import SITES
from arena.matches import reviews
from arena.matches.models import Match, MatchStatus
from arena.pages.tv.programme import programme
from arena.platform.live.testing import memory_broker
from arena.tournaments.models import Format, Tournament
from arena.tournaments.queries import programme as programme_queries
from arena.tournaments.queries.programme import match_in_tournament
from tests import factories
from tests.note_codes import note_codes
from tests.tournaments.harness import TournamentHarness

SCREENS = ("tv-match", "tv-turning-point", "embed-match")


@pytest.fixture
def stage(db: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Iterator[TournamentHarness]:
    cache.clear()
    with memory_broker() as broker:
        yield TournamentHarness(broker, django_capture_on_commit_callbacks)


@pytest.fixture
def organizer(stage: TournamentHarness) -> Client:
    """Return a client signed in as the organizer, who may see everything on ordinary pages."""
    client = Client()
    client.force_login(stage.organizer)
    return client


def scenes(stage: TournamentHarness, tournament_id: int | None = None) -> list[tuple[str, int]]:
    cache.clear()
    return [(scene["kind"], scene["id"]) for scene in programme(lambda: stage.now, tournament_id)["scenes"]]


def begin_first_match(stage: TournamentHarness, tournament: Tournament) -> Match:
    match = stage.matches(tournament, MatchStatus.QUEUED)[0]
    stage.begin_match(match)
    return match


@pytest.mark.long
def test_screen_of_one_tournament_shows_its_lobby_until_it_starts(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament(name="Evening cup")
    stage.enter_bots(tournament, 2)
    (before,) = scenes(stage, tournament.pk)
    assert before[0] == "lobby"
    lobby = reverse("tv-lobby", args=[tournament.pk])
    page = Client().get(lobby).content.decode()
    assert 'data-scene="lobby"' in page
    assert "data-countdown" in page
    stage.enter_bots(tournament, 1)
    assert scenes(stage, tournament.pk) != [before], "the screen shows the new entry"
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    assert scenes(stage, tournament.pk) == [("standings", tournament.pk)]
    assert Client().get(lobby).status_code == 404


@pytest.mark.long
def test_programme_keeps_podium_and_final_standings_for_an_hour(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    match = begin_first_match(stage, tournament)
    assert scenes(stage) == [("match", match.pk), ("standings", tournament.pk)]
    stage.finish_match(match, [1, 2])
    stage.tick()
    assert stage.status(tournament) == "finished"
    final = [("standings", tournament.pk), ("podium", tournament.pk)]
    assert scenes(stage) == final
    page = Client().get(reverse("tv-podium", args=[tournament.pk])).content.decode()
    assert 'data-scene="podium"' in page
    assert page.count('class="podium__place"') == 2
    stage.pass_time(timedelta(hours=2))
    assert scenes(stage) == []
    assert scenes(stage, tournament.pk) == final


@pytest.mark.long
def test_podium_is_news_for_some_minutes(stage: TournamentHarness) -> None:
    over, running = stage.start_tournament(2), stage.start_tournament(2)
    Tournament.objects.filter(pk=over.pk).update(status="finished", finished_at=stage.now)

    def podiums() -> list[tuple[int, bool]]:
        cache.clear()
        found = programme(lambda: stage.now)["scenes"]
        return [(scene["id"], scene["news"]) for scene in found if scene["kind"] == "podium"]

    assert podiums() == [(over.pk, True)]
    stage.pass_time(timedelta(minutes=10))
    assert podiums() == [(over.pk, False)]
    assert Client().get(reverse("tv-podium", args=[running.pk])).status_code == 404


@pytest.mark.long
def test_programme_shows_all_rounds_of_a_large_bracket_on_several_screens(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(18, Format.KNOCKOUT)
    league = stage.start_tournament(2)
    shown = [(scene["id"], scene["part"]) for scene in bracket_scenes(stage)]
    assert shown == [(tournament.pk, 1), (tournament.pk, 2), (tournament.pk, 3)]
    pages = [Client().get(scene["url"]).content.decode() for scene in bracket_scenes(stage)]
    assert all('data-scene="bracket"' in page for page in pages)
    cells = [page.count('<li class="bracket__cell') for page in pages]
    assert cells == [8 + 4 + 2 + 1, 8 + 4 + 2 + 1, 8 + 4 + 2 + 1 + 1], "two halves, then the last rounds"
    assert ["encounter--future" in page and 'data-state="open"' in page for page in pages] == [True, True, False]
    address = reverse("tv-bracket", args=[tournament.pk])
    assert Client().get(f"{address}?part=4").status_code == 404
    assert Client().get(f"{address}?part=x").status_code == 404
    assert Client().get(reverse("tv-bracket", args=[league.pk])).status_code == 404


@pytest.mark.long
def test_result_changes_the_version_of_the_screens_that_show_it(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(32, Format.KNOCKOUT)
    before = [scene["version"] for scene in bracket_scenes(stage)]
    stage.finish_match(begin_first_match(stage, tournament), [1, 2])
    after = [scene["version"] for scene in bracket_scenes(stage)]
    changed = [one != other for one, other in zip(before, after, strict=True)]
    assert changed == [True, False, True], "the half with the match, and the round that its winner has reached"


def bracket_scenes(stage: TournamentHarness) -> list[dict[str, Any]]:
    cache.clear()
    return [scene for scene in programme(lambda: stage.now)["scenes"] if scene["kind"] == "bracket"]


@pytest.mark.long
def test_closest_of_equally_important_matches_comes_first(
    stage: TournamentHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = stage.start_tournament(4, parallel=2)
    matches = [begin_first_match(stage, tournament) for _ in range(2)]
    for close in matches:
        discs = {match.pk: {"X": 30, "O": 28 if match == close else 2} for match in matches}
        monkeypatch.setattr(programme_queries, "newest_view", lambda pk, discs=discs: {"counts": discs[pk]})
        assert scenes(stage)[0] == ("match", close.pk)


def test_just_finished_tournaments_do_not_displace_a_running_one(stage: TournamentHarness) -> None:
    running = stage.start_tournament(2)
    ended = {
        "format": Format.ROUND_ROBIN,
        "status": "finished",
        "started_at": stage.now + timedelta(minutes=1),
        "finished_at": stage.now,
    }
    Tournament.objects.bulk_create(
        Tournament(organizer=stage.organizer, game="reversi", name="Over", seed=1, **ended) for _ in range(15)
    )
    match = begin_first_match(stage, running)
    shown = scenes(stage)
    assert shown[:2] == [("match", match.pk), ("standings", running.pk)]


@pytest.mark.long
def test_final_standings_lose_priority_after_some_minutes(stage: TournamentHarness) -> None:
    over, running = stage.start_tournament(2), stage.start_tournament(2)
    Tournament.objects.filter(pk=over.pk).update(status="finished", finished_at=stage.now)

    def weights() -> dict[int, float]:
        cache.clear()
        found = programme(lambda: stage.now)["scenes"]
        return {scene["id"]: scene["weight"] for scene in found if scene["kind"] == "standings"}

    assert weights()[over.pk] > weights()[running.pk]
    stage.pass_time(timedelta(minutes=10))
    assert weights()[over.pk] < weights()[running.pk]


def start_members_tournament(stage: TournamentHarness) -> Tournament:
    """Start a tournament that only members of a class can see."""
    course = classes.create(stage.organizer, classes.CoursePlan("AI 101"), rng=random.Random(1))
    tournament = stage.create_tournament(course_id=course.pk, members_only=True)
    for name in ("Ann", "Ben"):
        owner = factories.person(name)
        classes.join(owner, course.code)
        stage.enter_bots(tournament, [factories.bot(owner)])
    stage.pass_time(timedelta(hours=1))
    stage.tick()
    return tournament


@pytest.mark.long
def test_public_screens_omit_withheld_and_members_only_tournaments(stage: TournamentHarness, organizer: Client) -> None:
    secret = stage.start_tournament(2, withheld=True)
    knockout = stage.start_tournament(4, Format.KNOCKOUT, withheld=True)
    assert organizer.get(reverse("tv-bracket", args=[knockout.pk])).status_code == 404
    theirs = start_members_tournament(stage)
    for tournament in (secret, theirs):
        match = begin_first_match(stage, tournament)
        assert scenes(stage) == scenes(stage, tournament.pk) == []
        for name in SCREENS:
            assert organizer.get(reverse(name, args=[match.pk])).status_code == 404, name
        for name in ("tv-standings", "tv-podium"):
            assert organizer.get(reverse(name, args=[tournament.pk])).status_code == 404, name
        query = {"url": f"http://testserver{reverse('match', args=[match.pk])}"}
        assert organizer.get(reverse("oembed"), query).status_code == 404
    assert organizer.get(reverse("tv"), {"tournament": theirs.pk}).status_code == 404
    waiting = stage.create_tournament(course_id=theirs.course_id, members_only=True)
    assert scenes(stage, waiting.pk) == []
    assert organizer.get(reverse("tv-lobby", args=[waiting.pk])).status_code == 404
    assert organizer.get(reverse("embed-tournament", args=[theirs.pk])).status_code == 404
    stage.finish_match(stage.matches(secret, MatchStatus.RUNNING)[0], [1, 2])
    table = organizer.get(reverse("embed-tournament", args=[secret.pk])).content.decode()
    shown = json.loads(table.split('type="application/json">')[1].split("</script>")[0])
    assert shown["withheld"] is True
    assert {row["rank"] for row in shown["rows"]} == {None}


@pytest.mark.long
def test_screens_show_a_match_with_its_stakes_and_standings(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3, parallel=1)
    stage.finish_match(begin_first_match(stage, tournament), [1, 2])
    stage.tick()
    stage.finish_match(begin_first_match(stage, tournament), [1, 2])
    stage.tick()
    last = begin_first_match(stage, tournament)
    page = Client().get(reverse("tv-match", args=[last.pk])).content.decode()
    assert 'data-scene="match"' in page
    assert re.search(r'data-part="stakes" data-stakes="places\b', page)
    assert stage.name_of(last) in page
    table = Client().get(reverse("tv-standings", args=[tournament.pk])).content.decode()
    assert 'data-scene="standings"' in table
    overlay = Client().get(reverse("tv"), {"tournament": tournament.pk, "overlay": "1"}).content.decode()
    assert "tv-page--overlay" in overlay
    assert f"?tournament={tournament.pk}" in overlay


def test_turning_point_at_a_table_is_titled_with_its_place_and_lists_the_ranking(
    stage: TournamentHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = stage.start_tournament(9, Format.TABLE, game="golden_point", name="Evening cup")
    match = begin_first_match(stage, tournament)
    ranks = [9, 1, 2, 3, 4, 5, 6, 7, 8]
    stage.finish_match(match, ranks)
    verdict = Verdict(2, 3, verbatim_message("Took the lead in round 3"))
    monkeypatch.setitem(reviews._REVIEWERS, "golden_point", lambda pk: Review((verdict,)))
    page = Client().get(reverse("tv-turning-point", args=[match.pk])).content.decode()
    title = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    assert title == [f'<span class="tv-tournament">Evening cup · </span>{stage.name_of(match)}']
    names = list(match.seats.order_by("rank").values_list("submission__bot__name", flat=True))
    assert re.findall(r'tv-match__name">(.*?)<', page) == names[:8]
    assert "Took the lead in round 3" in page


@pytest.mark.parametrize(("game", "labels"), [("fib2584", ["Luck-adjusted score"] * 2), ("reversi", [])])
def test_score_that_differs_from_the_one_on_the_board_is_labelled(
    stage: TournamentHarness, game: str, labels: list[str]
) -> None:
    match = begin_first_match(stage, stage.start_tournament(2, game=game))
    page = Client().get(reverse("tv-match", args=[match.pk])).content.decode()
    assert re.findall(r'tv-match__unit muted">(.*?)<', page) == labels


def test_featured_match_shows_its_tournament_and_its_name_there(stage: TournamentHarness) -> None:
    match = begin_first_match(stage, stage.start_tournament(2, name="Evening cup"))
    page = Client().get(reverse("home")).content.decode()
    assert f">Reversi · Evening cup · {stage.name_of(match)}<" in page


def test_running_match_shows_no_number_of_moves_and_its_number_once(stage: TournamentHarness) -> None:
    match = begin_first_match(stage, stage.start_tournament(2))
    assert "0 moves" not in Client().get(reverse("match-list")).content.decode()
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    (eyebrow,) = re.findall(r'<p class="eyebrow">(.*?)</p>', page, re.DOTALL)
    assert eyebrow.count(f"#{match.pk}") == 1
    assert "Match #" not in eyebrow
    stage.finish_match(match, [1, 2])
    Match.objects.filter(pk=match.pk).update(turns=60)
    assert "60 moves" in Client().get(reverse("match-list")).content.decode()


@pytest.mark.parametrize(
    ("verdict", "title", "note"),
    [
        (Verdict(1, 3, verbatim_message("Fell behind in turn 3")), "Turning point", []),
        (Verdict(1, 0, verbatim_message("Made no mistake")), "Key match", []),
        (None, "Key match", ["verdict_not_found"]),
    ],
)
def test_only_a_match_with_a_turning_point_is_titled_so(
    stage: TournamentHarness, monkeypatch: pytest.MonkeyPatch, verdict: Verdict | None, title: str, note: list[str]
) -> None:
    tournament = stage.start_tournament(2, game="suit_pairs")
    match = begin_first_match(stage, tournament)
    stage.finish_match(match, [1, 2])
    Match.objects.update(termination=Termination.COMPLETED)
    found = Review((verdict,) if verdict else ())
    monkeypatch.setitem(reviews._REVIEWERS, "suit_pairs", lambda pk: found)
    page = Client().get(reverse("tv-turning-point", args=[match.pk])).content.decode()
    assert re.findall(r'class="eyebrow">([^<·]*?) *·', page) == [title]
    assert note_codes(page) == note
    assert verdict is None or verdict.message.text in page


def stakes_by_match(stage: TournamentHarness, tournament: Tournament) -> dict[str, str]:
    """Play a bracket; return the code of each match's caption by the match's name, "" for matches without a caption.

    The entry with the larger seed number wins every match except the final. In a double elimination, the winner of the
    final has therefore lost an earlier match.
    """
    found: dict[str, str] = {}
    while queued := stage.matches(tournament, MatchStatus.QUEUED):
        for match in queued:
            stage.begin_match(match)
            name = stage.name_of(match)
            page = Client().get(reverse("tv-match", args=[match.pk])).content.decode()
            found[name] = "".join(re.findall(r'data-stakes="([^"]*)"', page))
            one, other = (seat.entry.seed or 0 for seat in match.pairing.seats.order_by("index"))
            stage.finish_match(match, [1, 2] if (one > other) != (name == "Final") else [2, 1])
        stage.tick()
    return found


@pytest.mark.long
def test_captions_name_the_late_rounds_of_a_knockout(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(8, Format.KNOCKOUT, options={"third_place": True})
    found = stakes_by_match(stage, tournament)
    assert found["Final"] == "final"
    assert found["Third-place play-off"] == "third_place"
    assert [found[f"Semifinal, encounter {n}"] for n in (1, 2)] == ["semifinal"] * 2
    assert not any("final" in found[f"Quarterfinal, encounter {n}"] for n in (1, 2, 3, 4))


@pytest.mark.long
def test_captions_name_the_late_rounds_of_a_double_elimination(stage: TournamentHarness) -> None:
    found = stakes_by_match(stage, stage.start_tournament(4, Format.DOUBLE_ELIMINATION))
    assert found["Winners' round 2"] == "winners_final"
    assert found["Losers' round 2"] == "losers_final"
    assert found["Final"] == "double_elimination_final"
    assert found["Second final"] == "second_final"
    assert not any("final" in found[name] for name in ("Winners' round 1, encounter 1", "Losers' round 1"))


@pytest.mark.long
def test_captions_are_translated(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2, Format.KNOCKOUT)
    (match,) = stage.matches(tournament, MatchStatus.QUEUED)
    stage.begin_match(match)
    texts = {}
    for language in ("en", "zh-hans"):
        with override(language):
            found = match_in_tournament(match.pk)
        assert found
        assert found.stakes
        assert found.stakes.code == "final"
        texts[language] = found.stakes.text
        page = Client().get(reverse("tv-match", args=[match.pk]), headers={"accept-language": language})
        assert escape(found.stakes.text) in page.content.decode()
    assert texts["en"] != texts["zh-hans"]


@pytest.mark.long
def test_only_embedded_pages_may_be_framed(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    match = begin_first_match(stage, tournament)
    for name, pk in (("embed-match", match.pk), ("embed-tournament", tournament.pk)):
        answer = Client().get(reverse(name, args=[pk]))
        assert answer.status_code == 200
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert "<form" not in answer.content.decode()
    for path in ("/", reverse("tv"), reverse("match", args=[match.pk]), reverse("tournament", args=[tournament.pk])):
        answer = Client().get(path)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.long
def test_oembed_describes_matches_and_tournaments_of_this_site(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2, name='<b>"Cup"</b>')
    match = begin_first_match(stage, tournament)
    address = f"http://testserver{reverse('tournament', args=[tournament.pk])}"
    answer = Client().get(reverse("oembed"), {"url": address, "maxwidth": "400", "maxheight": "9"})
    found = answer.json()
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert (found["version"], found["type"], found["width"], found["height"]) == ("1.0", "rich", 400, 200)
    assert f'src="http://testserver{reverse("embed-tournament", args=[tournament.pk])}"' in found["html"]
    assert "<b>" not in found["html"]
    about = Client().get(reverse("oembed"), {"url": f"http://testserver{reverse('match', args=[match.pk])}"}).json()
    assert reverse("embed-match", args=[match.pk]) in about["html"]
    assert (about["width"], about["height"]) == (520, SITES[match.game].embed_height)
    for name, pk in (("tournament", tournament.pk), ("match", match.pk)):
        page = Client().get(reverse(name, args=[pk])).content.decode()
        link = page.split('type="application/json+oembed" href="')[1].split('"')[0]
        assert link.startswith("http://testserver/"), "consumers do not resolve relative links"
        assert Client().get(link).json()["type"] == "rich"


@pytest.mark.long
@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.DOUBLE_ELIMINATION])
def test_embedded_tournament_shows_its_bracket_and_possible_places(stage: TournamentHarness, format_: Format) -> None:
    tournament, league = stage.start_tournament(4, format_), stage.start_tournament(4)
    stage.finish_match(begin_first_match(stage, tournament), [1, 2])
    stage.tick()
    page = Client().get(reverse("embed-tournament", args=[tournament.pk])).content.decode()
    bracket = page.split('id="embedded-bracket"')[1].split("data-tournament=")[0]
    assert bracket.count('<div class="bracket"') == (2 if format_ == Format.KNOCKOUT else 3)
    assert bracket.count('<li class="bracket__cell') == (4 if format_ == Format.KNOCKOUT else 6)
    assert ("bracket-finals" in bracket) == (format_ == Format.DOUBLE_ELIMINATION), "lines lead to the final"
    assert 'data-status="running"' in page, "possible places are shown while the tournament runs"
    assert re.search(r'data-part="rank" data-rank="\d?">\d–\d', page)
    assert "bracket__cell" not in Client().get(reverse("embed-tournament", args=[league.pk])).content.decode()
    assert announced_height(league) == 220 + 4 * 50
    assert announced_height(tournament) == 220 + 3 * 110, "the first round's two encounters, and one below them"


def announced_height(tournament: Tournament) -> int:
    """Return the height in a tournament's oEmbed response; check that the code on its page has the same height."""
    address = reverse("tournament", args=[tournament.pk])
    height: int = Client().get(reverse("oembed"), {"url": f"http://testserver{address}"}).json()["height"]
    assert f'height="{height}"' in Client().get(address).content.decode()
    return height


@pytest.mark.long
def test_embedded_tournament_hides_a_withheld_bracket(stage: TournamentHarness) -> None:
    tournament, league = stage.start_tournament(4, Format.KNOCKOUT, withheld=True), stage.start_tournament(4)
    page = Client().get(reverse("embed-tournament", args=[tournament.pk])).content.decode()
    assert "bracket__cell" not in page
    assert announced_height(tournament) == announced_height(league)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 404),
        ({"url": "http://elsewhere.example/tournaments/1/"}, 404),
        ({"url": "http://testserver/"}, 404),
        ({"url": "http://testserver/tournaments/99/"}, 404),
        ({"url": "http://testserver/no/such/page"}, 404),
        ({"url": "http://[::1/"}, 404),
        ({"url": "http://testserver/", "format": "xml"}, 501),
    ],
)
def test_oembed_rejects_invalid_urls_and_formats(
    db: None, query: dict[str, str], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert Client().get(reverse("oembed"), query).status_code == status
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("is_running", [True, False])
def test_page_of_the_screen_contains_the_first_programme(stage: TournamentHarness, is_running: bool) -> None:
    if is_running:
        stage.start_tournament(2)
    page = Client().get(reverse("tv")).content.decode()
    first = re.search(r'id="tv-programme" type="application/json">(.*?)</script>', page)
    assert first
    assert bool(json.loads(first[1])["scenes"]) == is_running
    assert ('data-part="no-scene" hidden' in page) == is_running
