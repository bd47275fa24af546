"""The dataset contains everything that is public and nothing else, and is reproducible."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from arena.dataset import publishing, versions
from arena.dataset.schema import TABLES, schema_json
from arena.dataset.selection import Selection
from arena.games.registry import GAMES
from arena.matches.models import Match
from arena.ratings.models import Rating, RatingPoint
from arena.ratings.services import refresh
from tests.dataset.datasheet_ratings import datasheet_ratings
from tests.dataset.public_content import UNTIL, PublicContent, delete_record
from tests.refusals import expect_command_refusal, expect_refusal

pytestmark = pytest.mark.django_db
SCHEMA = Path(__file__).with_name("schema.json")


def read_table(folder: Path, table: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{table}*.parquet").sort(pl.nth(0))


def query(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query in which ``@table`` stands for a table of the dataset."""
    with duckdb.connect() as connection:
        return connection.sql(sql.replace("@", f"{folder}/")).fetchall()


def publish_version(folder: Path, **options: Any) -> Path:
    return folder / publishing.publish(UNTIL, **options).version.name


def publicly_listed_matches() -> set[int]:
    """Return the ids of all finished matches that the API lists for anonymous callers."""
    client, found = Client(), set[int]()
    query = {"status": "finished"}
    while True:
        page = client.get("/api/v1/matches", query).json()
        found.update(one["id"] for one in page["items"])
        if page["next"] is None:
            return found
        query["cursor"] = page["next"]


def texts_in_version(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.parquet")):
        for column in pl.read_parquet(path).get_columns():
            if column.dtype == pl.String:
                yield from column.drop_nulls().unique()
    for path in folder.glob("*.md"):
        yield path.read_text(encoding="utf-8")


def test_rows_match_what_visitors_may_see(content_with_hidden_data: PublicContent, folder: Path) -> None:
    there = publish_version(folder)
    ids = set(read_table(there, "matches-")["match_id"])
    late = set(Match.objects.filter(finished_at__date__gte=UNTIL).values_list("pk", flat=True))
    assert len(late) == 1
    assert ids == publicly_listed_matches() - late
    assert set(read_table(there, "seats-")["match_id"]) == ids
    assert set(read_table(there, "moves-")["match_id"]) == ids
    everything = "\n".join(texts_in_version(there))
    assert "Fox of reversi" in everything
    assert [secret for secret in content_with_hidden_data.hidden if secret in everything] == []
    client = Client()
    tournaments = read_table(there, "tournaments")
    assert set(tournaments["name"]) == {"Open cup", "Cup under way"}
    assert set(read_table(there, "matches-")["tournament_id"].drop_nulls()) <= set(tournaments["tournament_id"])
    for pk in read_table(there, "entries")["tournament_id"].unique():
        assert client.get(reverse("tournament-table", args=[pk, "standings"])).status_code == 200
    bots = read_table(there, "bots")
    assert {client.get(reverse("bot", args=[pk])).status_code for pk in bots["bot_id"]} == {200}
    assert len(bots) == 12


@pytest.mark.long
def test_people_are_pseudonymous(content_with_hidden_data: PublicContent, folder: Path) -> None:
    there = publish_version(folder)
    authors = dict(read_table(there, "bots").select("name", "author").iter_rows())
    assert authors["Fox of reversi"] == authors["Fox of suit_pairs"] != authors["Hare of reversi"]
    assert query(
        there, "SELECT holder, submission_id, count(*) FROM '@seats-*.parquet' WHERE holder <> 'bot' GROUP BY ALL"
    ) == [("person", None, 2)]
    assert not [line for text in texts_in_version(there) for line in text.splitlines() if "{%" in line or "{{" in line]


@pytest.mark.long
def test_author_names_are_included_if_configured(
    public_content: PublicContent, folder: Path, settings: Settings
) -> None:
    settings.DATASET_AUTHORS = "names"
    there = publish_version(folder)
    assert {"ann-the-author", "ben-the-author"} <= set(read_table(there, "bots")["author"])
    assert "under their public usernames" in (there / "DATASHEET.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_match_hidden_during_the_export_is_excluded(
    public_content: PublicContent, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = Match.objects.filter(game="suit_pairs").latest("pk")
    portions = Selection.portions

    def hide(chosen: Selection) -> Iterator[list[int]]:
        yield from portions(chosen)
        Match.objects.filter(pk=victim.pk).update(withheld=True)

    monkeypatch.setattr(Selection, "portions", hide)
    there = publish_version(folder)
    for table in ("matches", "seats", "moves"):
        assert victim.pk not in set(read_table(there, f"{table}-suit_pairs")["match_id"])


@pytest.mark.long
def test_match_hidden_while_ratings_are_written_is_excluded(
    public_content: PublicContent, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = Match.objects.filter(game="suit_pairs").latest("pk")
    tables = publishing.reference_tables

    def hide(*arguments: Any) -> Any:
        found = tables(*arguments)
        Match.objects.filter(pk=victim.pk).update(withheld=True)
        return found

    monkeypatch.setattr(publishing, "reference_tables", hide)
    there = publish_version(folder)
    assert victim.pk not in set(read_table(there, "matches-suit_pairs")["match_id"])


@pytest.mark.long
def test_ratings_exclude_a_match_hidden_just_before(public_content: PublicContent, folder: Path) -> None:
    """Published ratings exclude a match that has just been hidden, although the stored ratings still include it.

    The site recomputes the stored ratings once a minute.
    """
    refresh("reversi")
    assert RatingPoint.objects.filter(submission__bot__game="reversi").exists()
    Match.objects.filter(game="reversi").update(withheld=True)
    there = publish_version(folder)
    for table in ("ratings", "rating_history"):
        assert "reversi" not in set(pl.read_parquet(there / f"{table}.parquet")["game"])


@pytest.mark.long
def test_ratings_rebuilt_from_the_files_match_the_site(content_with_hidden_data: PublicContent, folder: Path) -> None:
    Match.objects.filter(finished_at__date__gte=UNTIL).update(withheld=True)  # so that the site has no later match
    from arena.ratings.services import rebuild

    there = publish_version(folder)
    for game in GAMES:
        rebuild(game)
        rows = Rating.objects.filter(game=game).values_list("submission_id", "value", "deviation")
        ours = {pk: pytest.approx(figures, abs=1e-6) for pk, *figures in rows}
        assert ours or GAMES[game].min_seats == 1
        rebuilt = {pk: list(figures) for pk, figures in datasheet_ratings(there, game).items()}
        assert rebuilt == ours
        in_files = query(
            there, f"SELECT submission_id, rating, deviation FROM '@ratings.parquet' WHERE game = '{game}'"
        )
        assert {pk: list(figures) for pk, *figures in in_files} == ours
    points = RatingPoint.objects.filter(submission__bot__game="reversi").order_by("day")
    day = points[0].day
    history = query(
        there, f"SELECT submission_id, rating FROM '@rating_history.parquet' WHERE day = '{day}' AND game = 'reversi'"
    )
    after = datasheet_ratings(there, "reversi", f"{day} 23:59:59.999999+00")
    assert len(history) == points.filter(day=day).count()
    assert all(after[pk][0] == pytest.approx(value, abs=1e-6) for pk, value in history)


@pytest.mark.long
def test_same_database_gives_the_same_bytes(public_content: PublicContent, folder: Path) -> None:
    first = (publish_version(folder) / versions.CHECKSUMS).read_text(encoding="utf-8")
    publishing.remove_version(versions.version_names()[0])
    there = publish_version(folder)
    assert (there / versions.CHECKSUMS).read_text(encoding="utf-8") == first
    for line in first.splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((there / name).read_bytes()).hexdigest() == digest
    assert {path.name for path in there.iterdir()} == {line.split("  ")[1] for line in first.splitlines()} | {
        "SHA256SUMS"
    }


@pytest.mark.long
def test_large_game_has_one_file_per_month(public_content: PublicContent, folder: Path) -> None:
    whole = read_table(publish_version(folder), "moves-reversi")
    publishing.remove_version(versions.version_names()[0])
    there = publish_version(folder, max_in_a_file=3)
    assert {path.name for path in there.glob("moves-*")} == {
        *(
            f"moves-{game}-2026-02.parquet"
            for game in ("reversi", "fib2584", "suit_pairs", "golden_point")
            if Match.objects.filter(game=game).count() > 3
        ),
        *(
            f"moves-{game}-2026-03.parquet"
            for game in ("reversi", "fib2584", "suit_pairs", "golden_point")
            if Match.objects.filter(game=game).count() > 3
        ),
        *(f"moves-{game}.parquet" for game in GAMES if Match.objects.filter(game=game).count() <= 3),
    }
    assert (
        read_table(there, "moves-reversi-2026")
        .sort("match_id", "turn", "seat")
        .equals(whole.sort("match_id", "turn", "seat"))
    )


@pytest.mark.long
def test_match_without_a_record_keeps_its_result(public_content: PublicContent, folder: Path) -> None:
    match = Match.objects.filter(game="fib2584").earliest("pk")
    delete_record(match)
    there = publish_version(folder)
    assert match.pk in set(read_table(there, "seats-fib2584")["match_id"])
    assert match.pk not in set(read_table(there, "moves-fib2584")["match_id"])


@pytest.mark.long
def test_old_versions_are_deleted_and_published_ones_immutable(
    public_content: PublicContent, folder: Path, settings: Settings
) -> None:
    settings.DATASET_KEEP = 2
    for day in range(1, 5):
        publishing.publish(UNTIL.replace(day=day))
    assert versions.version_names() == ["2026-03-04-v1", "2026-03-03-v1"]
    with expect_refusal("version_exists"):
        publishing.publish(UNTIL)
    assert [path.name for path in folder.iterdir() if path.name.startswith((".writing", ".removed"))] == []


@pytest.mark.long
def test_failed_export_publishes_nothing(
    public_content: PublicContent, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_disk_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publishing, "documents", raise_disk_full)
    with pytest.raises(OSError, match="No space"):
        publishing.publish(UNTIL)
    assert versions.version_names() == []
    assert [path.name for path in folder.iterdir()] == [".lock"]


@pytest.mark.long
def test_command_exports_and_removes_a_version(
    public_content: PublicContent, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export-dataset", until=UNTIL)
    assert "2026-03-04-v1: " in capsys.readouterr().out
    with expect_command_refusal("version_exists"):
        call_command("export-dataset", until=UNTIL)
    with pytest.raises(CommandError, match="2999"):
        call_command("export-dataset", until=UNTIL.replace(year=2999))
    call_command("export-dataset", remove="2026-03-04-v1")
    with expect_command_refusal("no_such_version"):
        call_command("export-dataset", remove="2026-03-04-v1")


def test_invalid_date_is_explained_without_function_names() -> None:
    with pytest.raises(CommandError) as refused:
        call_command("export-dataset", "--until", "yesterday")
    assert "fromisoformat" not in str(refused.value)
    assert "yesterday" in str(refused.value)


def test_only_one_export_runs_at_a_time(folder: Path) -> None:
    with publishing._publishing_lock(), expect_refusal("already_writing"):
        publishing.remove_version("2026-03-04-v1")


@pytest.mark.long
def test_files_match_the_published_schema(public_content: PublicContent, folder: Path) -> None:
    there = publish_version(folder)
    for table in TABLES:
        paths = list(there.glob(f"{table.name}-*.parquet" if table.per_game else f"{table.name}.parquet"))
        assert paths
        for path in paths:
            assert pl.read_parquet_schema(path).names() == [column.name for column in table.columns]
        rows = pl.read_parquet(paths)
        assert rows.select(table.key).is_unique().all(), table.name
        assert rows.height or table.name in {"rating_history"}
    assert json.loads((there / "schema.json").read_text(encoding="utf-8")) == schema_json()


def test_schema_matches_the_stored_one() -> None:
    """The schema equals the copy in schema.json.

    After an intended change, increment ``VERSION`` in arena/dataset/schema.py and store the new schema in schema.json.
    """
    assert schema_json() == json.loads(SCHEMA.read_text(encoding="utf-8"))
