"""A tournament's archive agrees with the match records in it, and tampering with the archive is detected."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from arena.matches import retention
from arena.matches.models import Match, MatchStatus
from arena.matches.retention import Retention
from arena.tournaments.entries import registration
from arena.tournaments.exports.archive import contents, writer
from arena.tournaments.exports.archive.verification import ArchiveError, ArchiveProblem, check_archive
from arena.tournaments.models import Format, Tournament
from arena.tournaments.services import reruns
from tests.running_site import ROOT
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.recorded import play, play_all

Files = dict[str, Any]


def export_archive(stage: TournamentHarness, tournament: Tournament, folder: Path) -> Path:
    path = folder / "archive.zip"
    path.write_bytes(b"".join(writer.archive_bytes(tournament.pk, now=stage.now)))
    return path


def check_refused(path: Path, code: ArchiveProblem, subject: str = "") -> None:
    """Check that verification stops at this problem; ``subject``: a regular expression for its subject."""
    with pytest.raises(ArchiveError) as caught:
        check_archive(path)
    assert caught.value.code is code, caught.value
    assert re.fullmatch(subject, str(caught.value.subject)), caught.value


def alter_archive(path: Path, change: Callable[[Files], None], *, digests: bool = True) -> Path:
    """Change the archive's JSON files; ``digests``: whether to update the manifest's digests, as a forger would."""
    with zipfile.ZipFile(path) as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    change(files)
    manifest = files.pop(contents.MANIFEST)
    data = {
        name: json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() for name, value in files.items()
    }
    if digests:
        manifest["files"] = {name: hashlib.sha256(value).hexdigest() for name, value in data.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in {**data, contents.MANIFEST: json.dumps(manifest).encode()}.items():
            archive.writestr(name, value)
    return path


@pytest.fixture
def cup(stage: TournamentHarness) -> Tournament:
    """Return a finished round robin of four bots; some of them crashed, and two matches were rerun with a reason."""
    tournament = stage.start_tournament(4, name="Spring cup")
    play_all(stage, tournament, random.Random(1), crashes=0.3)
    chosen = [match.pk for match in stage.matches(tournament)[:2]]
    stage.run_committed(reruns.rerun, tournament.pk, chosen, "Overloaded.", actor=stage.organizer, now=stage.now)
    play_all(stage, tournament, random.Random(2))
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    return tournament


@pytest.fixture(scope="module")
def exported_archives() -> list[bytes]:
    """Return a list that holds the archive of ``cup`` once a test has played the tournament."""
    return []


@pytest.fixture
def archive(request: pytest.FixtureRequest, exported_archives: list[bytes], tmp_path: Path) -> Path:
    """Return a copy of the archive of ``cup``.

    Only the first test plays the tournament, because verifying an archive needs no database.
    """
    path = tmp_path / "archive.zip"
    if not exported_archives:
        stage, cup = request.getfixturevalue("stage"), request.getfixturevalue("cup")
        exported_archives.append(export_archive(stage, cup, tmp_path).read_bytes())
    path.write_bytes(exported_archives[0])
    return path


@pytest.mark.parametrize(
    "format_",
    [pytest.param(one, marks=[] if one in (Format.SWISS, Format.TABLE) else pytest.mark.long) for one in Format],
)
def test_archive_reproduces_standings_of_every_format(
    stage: TournamentHarness, dare: None, tmp_path: Path, format_: Format
) -> None:
    options = {"group_size": 3, "gauntlet_bots": 2} if format_ in (Format.GROUPS, Format.GAUNTLET) else {}
    repeats = 3 if format_ in (Format.TABLE, Format.SCORE_ATTACK) else 1
    tournament = stage.start_tournament(5, format_, options=options, parallel=1, repeats=repeats)
    play(stage, stage.matches(tournament, MatchStatus.QUEUED)[0], random.Random(4))
    leaver = tournament.entries.order_by("pk").last()
    assert leaver is not None
    stage.run_committed(registration.withdraw, leaver.pk, actor=stage.organizer, now=stage.now)
    play_all(stage, tournament, random.Random(3), crashes=0.2)
    stage.tick()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    found = check_archive(export_archive(stage, tournament, tmp_path))
    assert found.matches == len(stage.matches(tournament, MatchStatus.FINISHED))
    assert found.entries == 5


@pytest.mark.long
def test_archive_without_mean_ranks_passes_verification(archive: Path) -> None:
    def without_mean_ranks(files: Files) -> None:
        for row in files[contents.STANDINGS]:
            del row["mean_rank"]

    assert check_archive(alter_archive(archive, without_mean_ranks)).matches == 6


@pytest.mark.long
def test_replaced_matches_are_archived_but_not_counted(
    stage: TournamentHarness, cup: Tournament, tmp_path: Path
) -> None:
    path = export_archive(stage, cup, tmp_path)
    found = check_archive(path)
    assert (found.name, found.matches, found.replaced) == ("Spring cup", 6, 2)
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith(("matches/", "replaced/"))]
        assert sum(name.startswith("replaced/") for name in names) == 2
        secrets = {json.loads(archive.read(name))["secret"] for name in names}
        assert secrets == set(Match.objects.filter(status=MatchStatus.FINISHED).values_list("secret", flat=True))
        feed = json.loads(archive.read(contents.FEED))
    assert [line["text"] for line in feed if line["kind"] == "replaced"] == ["Overloaded."] * 2


def first_match(files: Files) -> str:
    return min(name for name in files if name.startswith("matches/"))


def change_move(files: Files) -> None:
    record = files[first_match(files)]
    turn = record["turns"][-1]["moves"][0]
    turn["move"] = "A1" if turn["move"] != "A1" else "H8"


def swap_result(files: Files) -> None:
    for pairing in files[contents.ROUNDS][0]["pairings"]:
        pairing["seats"].reverse()


def change_margin(files: Files) -> None:
    seats = files[contents.ROUNDS][0]["pairings"][0]["seats"]
    seats[0]["margin"] += 2


def change_outcome(files: Files) -> None:
    files[first_match(files)]["outcome"]["margins"] = [62.0, -62.0]


def change_standing(files: Files) -> None:
    files[contents.STANDINGS][0]["points"] += 1


def change_tiebreak(files: Files) -> None:
    files[contents.TOURNAMENT]["tiebreaks"] = ["wins"]


def change_program(files: Files) -> None:
    files[first_match(files)]["seats"][0]["sha256"] = "0" * 64


def remove_match(files: Files) -> None:
    del files[first_match(files)]


def add_file(files: Files) -> None:
    files["matches/999999.json"] = {}


def change_format(files: Files) -> None:
    files[contents.TOURNAMENT]["format"] = "bingo"


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "code", "subject"),
    [
        (change_move, ArchiveProblem.INVALID_RECORD, r"\d+"),
        pytest.param(change_outcome, ArchiveProblem.INVALID_RECORD, r"\d+", marks=pytest.mark.long),
        (swap_result, ArchiveProblem.OTHER_RESULT, "programs"),
        pytest.param(change_margin, ArchiveProblem.OTHER_RESULT, "margins", marks=pytest.mark.long),
        pytest.param(change_program, ArchiveProblem.OTHER_RESULT, "programs", marks=pytest.mark.long),
        (change_standing, ArchiveProblem.OTHER_FIGURE, "points"),
        pytest.param(change_tiebreak, ArchiveProblem.OTHER_FIGURE, "tiebreaks", marks=pytest.mark.long),
        pytest.param(change_format, ArchiveProblem.UNKNOWN_FORMAT, "bingo", marks=pytest.mark.long),
        (remove_match, ArchiveProblem.FILE_MISSING, r"matches/\d+\.json"),
    ],
)
def test_verification_reports_the_first_difference(
    archive: Path, change: Callable[[Files], None], code: ArchiveProblem, subject: str
) -> None:
    check_refused(alter_archive(archive, change), code, subject)


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "code", "subject"),
    [
        (
            lambda files: files[first_match(files)]["turns"][0]["moves"][0].update(seconds=0.1),
            *(ArchiveProblem.CHANGED, r"matches/\d+\.json"),
        ),
        (lambda files: files[contents.FEED].pop(), ArchiveProblem.CHANGED, r"feed\.json"),
        (add_file, ArchiveProblem.UNLISTED, r"matches/999999\.json"),
        (remove_match, ArchiveProblem.FILE_MISSING, r"matches/\d+\.json"),
    ],
)
def test_changes_that_break_no_rule_are_detected_by_digests(
    archive: Path, change: Callable[[Files], None], code: ArchiveProblem, subject: str
) -> None:
    check_refused(alter_archive(archive, change, digests=False), code, subject)


def test_truncated_archive_is_refused(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-200])
    check_refused(archive, ArchiveProblem.NOT_A_ZIP)
    with zipfile.ZipFile(archive, "w") as other:
        other.writestr("holiday.txt", "sun")
    check_refused(archive, ArchiveProblem.NO_MANIFEST)


def test_archive_of_another_version_is_refused(archive: Path) -> None:
    def set_later_version(files: Files) -> None:
        files[contents.MANIFEST]["version"] = 2

    check_refused(alter_archive(archive, set_later_version), ArchiveProblem.UNREADABLE, r"manifest\.json")


@pytest.mark.long
def test_archive_download_is_aborted_by_a_rerun(stage: TournamentHarness, cup: Tournament) -> None:
    pieces = writer.archive_bytes(cup.pk, now=stage.now)
    next(pieces)
    match = stage.matches(cup)[0]
    stage.run_committed(reruns.rerun, cup.pk, [match.pk], "Again.", actor=stage.organizer, now=stage.now)
    with pytest.raises(writer.ArchiveAbortedError):
        list(pieces)
    assert not writer.is_over(cup.pk)


@pytest.mark.long
def test_command_needs_no_database(archive: Path, tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none", "ARENA_VAR": str(tmp_path / "var")}
    done = subprocess.run(
        [sys.executable, "manage.py", "verify", str(archive)],
        cwd=ROOT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = done.stdout.removeprefix(f"{archive}: ")
    assert re.findall(r"\d+", report)[:2] == ["6", "2"], "matches and replaced matches"


def test_command_reports_the_first_difference(archive: Path, tmp_path: Path) -> None:
    path = alter_archive(archive, change_standing)
    with pytest.raises(CommandError, match=rf"bot\d+ .* \[{ArchiveProblem.OTHER_FIGURE}\]"):
        call_command("verify", str(path))
    with pytest.raises(CommandError, match=r"Cannot read .*No such file"):
        call_command("verify", str(tmp_path / "nothing.zip"))


def test_command_explains_once_that_a_file_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Notes")
    with pytest.raises(CommandError) as refused:
        call_command("verify", str(tmp_path / "README.md"))
    said = str(refused.value)
    assert (said.count("ZIP"), said.rpartition(" ")[2]) == (1, f"[{ArchiveProblem.NOT_A_ZIP}]")


@pytest.mark.long
def test_archive_explains_records_deleted_by_retention(
    stage: TournamentHarness, cup: Tournament, tmp_path: Path
) -> None:
    Match.objects.update(finished_at=stage.now - timedelta(days=40))
    first = stage.matches(cup, MatchStatus.FINISHED)[0]
    Match.objects.filter(pk=first.pk).update(finished_at=stage.now - timedelta(days=60))
    assert retention.reduce_due_matches(Retention(50, move=False), now=stage.now) == 1
    path = export_archive(stage, cup, tmp_path)
    found = check_archive(path)
    assert found.thinned == (first.pk,)
    with pytest.raises(CommandError, match=rf"MATCH_RECORD_DAYS.* 1 matches \({first.pk}\)"):
        call_command("verify", str(path))

    def invent_ranks(files: Files) -> None:
        pairing = next(p for round_ in files[contents.ROUNDS] for p in round_["pairings"] if p["match"] == first.pk)
        pairing["seats"][0]["rank"], pairing["seats"][1]["rank"] = pairing["seats"][1]["rank"], 9

    check_refused(alter_archive(path, invent_ranks), ArchiveProblem.OTHER_FIGURE, "points")


@pytest.mark.long
def test_organizer_and_staff_can_download_a_valid_archive(
    stage: TournamentHarness, cup: Tournament, tmp_path: Path, client: Client
) -> None:
    address = reverse("tournament-archive", args=[cup.pk])
    assert client.get(address).status_code == 302
    client.force_login(cup.entries.order_by("pk")[0].bot.owner)
    assert client.get(address).status_code == 403
    client.force_login(stage.organizer)
    answer = client.get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="tournament-{cup.pk}-spring-cup.zip"'
    path = tmp_path / "download.zip"
    path.write_bytes(b"".join(answer.streaming_content))
    assert check_archive(path).matches == 6


@pytest.mark.long
def test_unfinished_tournament_has_no_archive(stage: TournamentHarness, client: Client) -> None:
    tournament = stage.start_tournament(3)
    client.force_login(stage.organizer)
    assert client.get(reverse("tournament-archive", args=[tournament.pk])).status_code == 404


@pytest.mark.long
def test_score_attack_with_unequal_seeds_is_refused(stage: TournamentHarness, dare: None, tmp_path: Path) -> None:
    tournament = stage.start_tournament(3, Format.SCORE_ATTACK, repeats=2)
    first = stage.matches(tournament, MatchStatus.QUEUED)[1]
    type(first).objects.filter(pk=first.pk).update(seed=first.seed + 1)
    play_all(stage, tournament, random.Random(5))
    stage.tick()
    place = rf"round 1, encounter 2, match {first.pk}"
    check_refused(export_archive(stage, tournament, tmp_path), ArchiveProblem.OTHER_SEED, place)
