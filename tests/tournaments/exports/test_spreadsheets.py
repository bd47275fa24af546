"""Spreadsheet exports: their contents, who may download them, and the escaping of names that look like formulas."""

from __future__ import annotations

import csv
import io
import random
from datetime import timedelta
from statistics import fmean

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from arena.core.referee.record import dump, load
from arena.core.referee.replay import verify
from arena.games.fib2584.reports import seat_reports
from arena.games.registry import GAMES
from arena.matches.models import MatchRecord, MatchStatus
from arena.platform.downloads import BOM
from arena.tournaments.entries import registration
from arena.tournaments.exports.spreadsheets import TABLES
from arena.tournaments.models import Format, Tournament
from arena.tournaments.services import creation, reruns, result_release
from arena.tournaments.services.creation import TournamentPlan
from tests import factories
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.recorded import play_all


def rows_of(response: StreamingHttpResponse) -> list[list[str]]:
    assert isinstance(response, StreamingHttpResponse)
    text = b"".join(response.streaming_content).decode()
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM))))


def table(tournament: Tournament, name: str, person: User | None = None) -> list[list[str]]:
    client = Client()
    if person:
        client.force_login(person)
    return rows_of(client.get(reverse("tournament-table", args=[tournament.pk, name])))


@pytest.fixture
def cup(stage: TournamentHarness) -> Tournament:
    tournament = stage.create_tournament()
    owner = factories.person()
    bots = [stage.create_bot(tournament, name=name) for name in ("=HYPERLINK(1)", "金点")]
    stage.enter_bots(tournament, [*bots, stage.create_bot(tournament, owner, name="+1")])
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    play_all(stage, tournament, random.Random(1), crashes=0.2)
    tournament.refresh_from_db()
    return tournament


def test_names_are_kept_but_formulas_are_escaped(cup: Tournament) -> None:
    heading, *rows = table(cup, "standings")
    assert heading[:4] == ["rank", "bot", "author", "version"]
    assert len(set(heading)) == len(heading)
    assert {row[1] for row in rows} == {"'=HYPERLINK(1)", "金点", "'+1"}
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert {len(row) for row in rows} == {len(heading)}
    assert any(row[heading.index("margin")].startswith("-") for row in rows)


@pytest.mark.long
def test_matches_have_one_row_per_seat_and_replaced_ones_are_marked(stage: TournamentHarness, cup: Tournament) -> None:
    first = stage.matches(cup)[0]
    stage.run_committed(reruns.rerun, cup.pk, [first.pk], "Again", actor=stage.organizer, now=stage.now)
    play_all(stage, cup, random.Random(9))
    heading, *rows = table(cup, "matches")
    assert {len(row) for row in rows} == {len(heading)}
    counts, match = heading.index("counts"), heading.index("match")
    assert [row[counts] for row in rows].count("no") == 2
    assert {row[heading.index("encounter name")] for row in rows} == {"Encounter 1"}
    assert {row[match] for row in rows if row[counts] == "no"} == {str(first.pk)}
    assert len(rows) == 8


@pytest.mark.long
def test_additional_figures_have_columns_in_matches_and_standings(stage: TournamentHarness) -> None:
    """Raw and luck-adjusted scores are both exported; a rerun match counts once in the means."""
    attack = stage.start_tournament(3, Format.SCORE_ATTACK, game="fib2584", settings={"games": 2}, repeats=2)
    play_all(stage, attack, random.Random(3), crashes=0.3)
    first = stage.matches(attack)[0]
    stage.run_committed(reruns.rerun, attack.pk, [first.pk], "Again", actor=stage.organizer, now=stage.now)
    play_all(stage, attack, random.Random(4))
    heading, *rows = table(attack, "matches", stage.organizer)
    at = {name: index for index, name in enumerate(heading)}
    assert {len(row) for row in rows} == {len(heading)}
    raw: dict[str, list[float]] = {}
    for row in rows:
        record = load(bytes(MatchRecord.objects.get(match=row[at["match"]]).data))
        seat = int(row[at["seat"]]) - 1
        assert float(row[at["raw_mean"]]) == seat_reports(record)[seat].raw
        assert float(row[at["points"]]) == pytest.approx(seat_reports(record)[seat].adjusted)
        if row[at["counts"]] == "yes":
            raw.setdefault(row[at["bot"]], []).append(float(row[at["raw_mean"]]))
    heading, *rows = table(attack, "standings", stage.organizer)
    found = {row[1]: float(row[heading.index("raw_mean")]) for row in rows}
    assert found == pytest.approx({name: fmean(values) for name, values in raw.items()})


@pytest.mark.long
def test_record_without_figures_leaves_columns_empty(stage: TournamentHarness) -> None:
    attack = stage.start_tournament(2, Format.SCORE_ATTACK, game="fib2584", settings={"games": 1})
    play_all(stage, attack, random.Random(3))
    for row in MatchRecord.objects.all():
        record = load(bytes(row.data))
        old = msgspec.structs.replace(record, outcome=msgspec.structs.replace(record.outcome, figures={}))
        assert verify(record, GAMES) == verify(old, GAMES) == []
        assert "figures" not in old.to_json()["outcome"]
        row.data = dump(old)
        row.save()
    for name in ("matches", "standings"):
        heading, *rows = table(attack, name, stage.organizer)
        assert {row[heading.index("raw_mean")] for row in rows} == {""}


@pytest.mark.long
def test_record_with_forged_figures_is_refused(stage: TournamentHarness) -> None:
    attack = stage.start_tournament(2, Format.SCORE_ATTACK, game="fib2584", settings={"games": 1})
    play_all(stage, attack, random.Random(3))
    record = load(bytes(MatchRecord.objects.all()[0].data))
    forged = msgspec.structs.replace(record.outcome, figures={"raw_mean": [9999.0] * len(record.seats)})
    (problem,) = verify(msgspec.structs.replace(record, outcome=forged), GAMES)
    assert problem.parameters["figure"] == "figures"


@pytest.mark.long
def test_walkovers_have_rows(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, parallel=1)
    (first,) = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(first, (1, 2))
    leaver = tournament.entries.order_by("pk")[0]
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    play_all(stage, tournament, random.Random(2))
    heading, *rows = table(tournament, "matches")
    assert {len(row) for row in rows} == {len(heading)}
    assert "walkover" in {row[heading.index("status")] for row in rows}


@pytest.mark.long
def test_crosstable_contains_score_of_every_pair(cup: Tournament) -> None:
    heading, *rows = table(cup, "crosstable")
    assert heading[2:] == [row[1] for row in rows]
    for index, row in enumerate(rows):
        assert row[2 + index] == ""
        for other, against in enumerate(rows):
            if other != index:
                assert float(row[2 + other]) + float(against[2 + index]) == 1.0


@pytest.mark.long
def test_anyone_can_download_tables_of_a_finished_tournament(cup: Tournament, subtests: pytest.Subtests) -> None:
    for name in TABLES:
        with subtests.test(name):
            assert len(table(cup, name)) > 3
            page = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
            assert f"/export/{name}.csv" in page
            assert Client().get(reverse("tournament", args=[cup.pk]) + "export/secrets.csv").status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("hidden", ["running", "withheld"])
def test_only_organizer_and_staff_can_download_unfinished_tables(stage: TournamentHarness, hidden: str) -> None:
    tournament = stage.start_tournament(3, withheld=hidden == "withheld")
    if hidden == "withheld":
        play_all(stage, tournament, random.Random(1))
    author = tournament.entries.order_by("pk")[0].bot.owner
    for other in (None, author, factories.person()):
        client = Client()
        if other:
            client.force_login(other)
        tables = [reverse("tournament-table", args=[tournament.pk, name]) for name in TABLES]
        assert {client.get(address).status_code for address in tables} == {403}
        assert "/export/" not in client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    for own in (stage.organizer, factories.person(is_staff=True)):
        assert all(len(table(tournament, name, own)) > 3 for name in TABLES)
    if hidden == "withheld":
        stage.run_committed(result_release.release_results, tournament.pk, actor=stage.organizer, now=stage.now)
        assert all(len(table(tournament, name)) > 3 for name in TABLES)


def create_announced_tournament() -> Tournament:
    plan = TournamentPlan(
        name="Cup",
        game="reversi",
        format=Format.ROUND_ROBIN,
        deadline=timezone.now() + timedelta(hours=1),
        starts_at=None,
        settings={},
        limits={},
    )
    pk = creation.create(factories.person("ada"), plan, rng=random.Random(1))
    return Tournament.objects.select_related("organizer").get(pk=pk)


@pytest.mark.django_db(transaction=True)
async def test_spreadsheet_is_streamed_under_asgi() -> None:
    tournament = await sync_to_async(create_announced_tournament)()
    client = AsyncClient()
    await client.aforce_login(tournament.organizer)
    answer = await client.get(reverse("tournament-table", args=[tournament.pk, "entries"]))
    text = b"".join([piece async for piece in answer.streaming_content]).decode()
    assert text.startswith(f"{BOM}entry,seed,bot")
