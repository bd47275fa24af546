"""A new installation gets demonstration tournaments, which start once the house bots' checks have passed."""

import random
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import override

from arena.games.sites import SITES
from arena.submissions.house import draft_of, house_modules
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.tournaments.events.snapshots import entries_event
from arena.tournaments.models import ActivityKind, Tournament, TournamentStatus
from arena.tournaments.queries.activity import newest_public_lines
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.services.demonstrations import seed
from tests.chinese import has_chinese
from tests.tournaments.harness import TournamentHarness

DEMONSTRATIONS = [one for site in SITES.values() for one in site.demonstrations]


@pytest.fixture
def few_house_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for game in SITES:
        (tmp_path / game / "house").mkdir(parents=True)
        for name in ("corners", "most_discs"):
            (tmp_path / game / "house" / f"{name}.py").write_text(
                f'"""{name} of {game}."""\n\ndef get_move(state): ...\n'
            )
    monkeypatch.setattr("arena.games.bot_packages.bots_folder", lambda game: tmp_path / game)
    with override_settings(SUBMISSIONS_DIR=tmp_path / "store"):
        yield tmp_path


@pytest.mark.long
def test_seeded_tournaments_start_once_checks_have_passed(stage: TournamentHarness, few_house_bots: Path) -> None:
    seeded = stage.run_committed(seed, lambda: stage.now, random.Random(1))
    assert (seeded.uploads, len(seeded.tournaments)) == (2 * len(SITES), len(DEMONSTRATIONS))
    stage.pass_time(timedelta(seconds=10))
    stage.tick()
    assert set(Tournament.objects.values_list("status", flat=True)) == {TournamentStatus.OPEN}
    for bot in Bot.objects.all():
        bot.active = bot.submissions.get()
        bot.save()
    Submission.objects.update(status=SubmissionStatus.PASSED)
    stage.tick()
    assert set(Tournament.objects.values_list("status", flat=True)) == {TournamentStatus.RUNNING}
    for tournament in Tournament.objects.all():
        assert len(stage.matches(tournament, "queued")) == 1


@pytest.mark.long
def test_seeding_twice_changes_nothing(stage: TournamentHarness, few_house_bots: Path) -> None:
    stage.run_committed(call_command, "seed")
    before = list(Tournament.objects.values_list("pk", "version"))
    stage.run_committed(call_command, "seed")
    assert list(Tournament.objects.values_list("pk", "version")) == before
    assert Submission.objects.count() == 2 * len(SITES)
    stage.run_committed(call_command, "seed", "--force")
    assert Tournament.objects.count() == 2 * len(DEMONSTRATIONS)


@pytest.mark.long
def test_changed_house_bots_are_uploaded_once_without_new_tournaments(
    stage: TournamentHarness, few_house_bots: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "seeded"

    def seed_and_count() -> tuple[int, int]:
        stage.run_committed(call_command, "seed", "--marker", str(marker))
        return Submission.objects.count(), Tournament.objects.count()

    all_bots = 2 * len(SITES)
    assert seed_and_count() == (all_bots, len(DEMONSTRATIONS))
    assert seed_and_count() == (all_bots, len(DEMONSTRATIONS))
    Tournament.objects.all().delete()
    changed = few_house_bots / "reversi" / "house" / "corners.py"
    changed.write_text(changed.read_text() + "# better\n")
    assert seed_and_count() == (all_bots + 1, 0)  # deleted demonstrations are not created again
    assert seed_and_count() == (all_bots + 1, 0)
    assert Bot.objects.count() == all_bots


def test_seeding_skips_a_site_with_tournaments(stage: TournamentHarness, few_house_bots: Path) -> None:
    stage.create_tournament()
    assert stage.run_committed(seed, lambda: stage.now, random.Random(1)).tournaments == ()


@pytest.mark.long
def test_slow_bots_are_left_out_of_demonstrations(stage: TournamentHarness, few_house_bots: Path) -> None:
    (few_house_bots / "reversi" / "mcts.py").write_text('"""Thinks."""\n\ndef get_move(state): ...\n')
    stage.run_committed(call_command, "seed")
    cup = Tournament.objects.get(game="reversi")
    assert {entry.bot.name for entry in cup.entries.all()} == {"Corners", "Most discs"}


def test_demonstration_players_exist() -> None:
    known = {(module.game, draft_of(module).name) for module in house_modules()}
    demonstrations = [(game, one) for game, site in SITES.items() for one in site.demonstrations]
    assert any(one.players for _, one in demonstrations)
    assert {(game, name) for game, one in demonstrations for name in one.players} <= known


@pytest.mark.long
@pytest.mark.parametrize(("language", "player"), [("en", "Corners"), ("zh-hans", "抢角")])
def test_demonstration_is_shown_in_the_readers_language(
    stage: TournamentHarness, few_house_bots: Path, language: str, player: str
) -> None:
    stage.run_committed(call_command, "seed")
    Bot.objects.filter(name="Corners").update(texts={"zh-hans": {"name": "抢角"}})
    cup = Tournament.objects.get(game="reversi")
    in_language = Client(headers={"accept-language": language})
    page = in_language.get(reverse("tournament", args=[cup.pk])).content.decode()
    (demonstration,) = SITES["reversi"].demonstrations
    with override(language):
        name, description = str(demonstration.name), str(demonstration.description)
        (created,) = [
            line
            for line in newest_public_lines(bracket_of(cup.pk), 9, with_matches=False)
            if line.kind == ActivityKind.CREATED
        ]
    texts = (name, description, created.sentence)
    assert [text for text in (*texts, player, "Most discs", 'data-organizer="arena"') if text not in page] == []
    assert {has_chinese(text) for text in texts} == {language == "zh-hans"}
    assert created.actor == ""
    assert name in in_language.get(reverse("tournament-list")).content.decode()


@pytest.mark.long
def test_events_contain_house_bot_names_in_every_language(stage: TournamentHarness, few_house_bots: Path) -> None:
    """One event reaches all readers; each reader's page chooses the language."""
    stage.run_committed(call_command, "seed")
    Bot.objects.filter(name="Corners").update(texts={"zh-hans": {"name": "抢角"}})
    rows = entries_event(Tournament.objects.get(game="reversi").pk)["rows"]
    assert {row["name"]: row["names"] for row in rows} == {"Corners": {"zh-hans": "抢角"}, "Most discs": {}}
