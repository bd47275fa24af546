"""A studio run streams its moves and stores its result, but creates no match; runs are limited per hour."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone
from django.utils.translation import override
from pytest_django import Settings

from arena.core.referee.testing import ScriptedTurn
from arena.core.sandbox.uploads.package import MAIN
from arena.matches.models import Match
from arena.platform.jobs.stalled import StallDetector
from arena.platform.live.testing import MemoryBroker
from arena.platform.supervisor.testing import ManualClock
from arena.studio import playing, queries, quota, runs, snapshots
from arena.studio.drafts import DraftFiles, Workspace
from arena.studio.models import Run, RunStatus
from arena.studio.runs import JOBS, MATCHES_PER_BATCH, RunRequest
from arena.submissions.models import Submission
from tests.factories import bot, person
from tests.matches.conftest import broker as broker
from tests.queues import empty_queue
from tests.refusals import expect_refusal
from tests.studio.draft_runs import play, start, winning_scripts
from tests.submissions.uploads import WORKING

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def test_run_streams_moves_and_printed_output(broker: MemoryBroker) -> None:
    mine = bot()
    run = start(mine)
    assert empty_queue("runs.reversi") == 1
    assert play(run, winning_scripts(b"mine\n"), winning_scripts(b"SECRET\n"))
    run.refresh_from_db()
    assert (run.status, bytes(run.package), len(run.results)) == (RunStatus.FINISHED, b"", 1)
    events = broker.events(f"runs/{run.pk}")
    assert [event["type"] for event in events] == ["started", *["turn"] * 10, "score", "finished"]
    printed = [event["turn"].get("printed", "") for event in events if event["type"] == "turn"]
    own = run.results[0]["seat"]
    moves = [1, 3, 5, 7, 9] if own == 0 else [2, 4, 6, 8]
    assert [number for number, text in enumerate(printed) if text == "mine\n"] == moves
    assert "SECRET" not in str(events), "what an opponent prints is its author's alone"
    shown = snapshots.snapshot(run)
    assert [turn.get("printed", "") for turn in shown["turns"]] == printed
    assert shown["outcome"] == events[-1]["outcome"]
    assert "SECRET" not in str(shown)


@pytest.mark.parametrize("games", [1, MATCHES_PER_BATCH])
def test_newest_event_of_a_finished_run_is_its_result(broker: MemoryBroker, games: int) -> None:
    run = start(bot(), RunRequest((bot().pk,), games=games))
    assert play(run, winning_scripts())
    last = broker.events(runs.topic(run.pk))[-1]
    assert last["type"] == "finished"
    newest = snapshots.newest_event_number(run.pk)
    assert newest == last["seq"], "otherwise a page that connects now waits for a missing event"


def test_snapshot_of_a_stored_run_rounds_numbers_to_what_pages_show() -> None:
    mine, other = bot(game="golden_point"), bot(game="golden_point")
    run = start(mine, RunRequest((other.pk,), settings={"rounds": 1}))
    assert play(run, lambda _seat: [ScriptedTurn(answer=[12.345678901234567, 0.0001234567891234], takes=0.5)])
    run.refresh_from_db()
    [_start, turn] = snapshots.snapshot(run)["turns"]
    assert [move["move"] for move in turn["moves"]] == [[12.345679, 0.00012345679]] * 2
    assert turn["view"]["numbers"] == [[12.345679, 0.00012345679]] * 2


def test_run_creates_no_match_and_no_version() -> None:
    mine = bot()
    play(start(mine), winning_scripts())
    assert not Match.objects.exists()
    assert Submission.objects.filter(bot=mine).count() == 1


def test_events_continue_from_the_snapshot_of_a_running_game(broker: MemoryBroker) -> None:
    run = start(bot())
    play(run, winning_scripts(b"hello\n"))
    whole = broker.events(f"runs/{run.pk}")
    Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING, results=[])
    run.refresh_from_db()
    shown = snapshots.snapshot(run)
    assert shown["seq"] == whole[-1]["seq"]
    assert len(shown["turns"]) == 10
    own = next(seat["index"] for seat in shown["seats"] if seat["version"] is None)
    assert shown["reader"] == {"seat": own, "is": "bot"}
    broker.delete_events(f"runs/{run.pk}", below=whole[4]["seq"])
    assert snapshots.snapshot(run)["turns"] == [], "never a match without its beginning"


def test_names_in_a_run_follow_the_language_of_the_page(broker: MemoryBroker) -> None:
    house = bot(name="Club player")
    house.texts = {"zh-hans": {"name": "棋社棋手"}}
    house.save()
    workspace = Workspace(person(), "reversi")
    wish = RunRequest((house.pk,))
    run = runs.request_run(workspace, "", DraftFiles({MAIN: WORKING}), wish, now=timezone.now(), rng=random.Random(1))

    def names() -> set[str]:
        return {seat["name"] for seat in snapshots.snapshot(Run.objects.get(pk=run.pk))["seats"]}

    def translated_names() -> set[str]:
        with override("zh-hans"):
            return names()

    draft = str(snapshots.DRAFT_NAME)
    with override("zh-hans"):
        translated_draft = str(snapshots.DRAFT_NAME)
    assert translated_draft != draft
    assert (names(), translated_names()) == ({draft, "Club player"}, {translated_draft, "棋社棋手"})
    play(run, winning_scripts())
    assert (names(), translated_names()) == ({draft, "Club player"}, {translated_draft, "棋社棋手"})


@pytest.mark.long
def test_series_alternates_seats_and_ends_with_a_rate(broker: MemoryBroker) -> None:
    run = start(bot(), RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    assert play(run, winning_scripts())
    run.refresh_from_db()
    seats = [result["seat"] for result in run.results]
    assert len(seats) == MATCHES_PER_BATCH
    assert sorted(set(seats)) == [0, 1]
    assert all(before != after for before, after in pairwise(seats))
    begun = [event for event in broker.events(f"runs/{run.pk}") if event["type"] == "started"]
    assert [event["reader"] for event in begun] == [{"seat": seat, "is": "bot"} for seat in seats]
    score = snapshots.snapshot(run)["score"]
    assert (score["rate"], score["played"], score["failed"]) == (0.5, 20, False)
    assert 0.2 < score["low"] < 0.5 < score["high"] < 0.8


CRASH = {"cause": "exception", "message": "NameError: bord"}


def test_series_continues_after_failures_and_counts_distinct_ones(broker: MemoryBroker) -> None:
    run = start(bot(), RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    failing = ([ScriptedTurn(answer="Z9")] * 3, [ScriptedTurn(failed=CRASH)])  # in the first seat, in the second
    assert play(run, lambda seat: failing[seat], winning_scripts())
    run.refresh_from_db()
    assert (len(run.results), run.lost) == (MATCHES_PER_BATCH, False)
    score = snapshots.snapshot(run)["score"]
    assert (score["failed"], score["lost"], score["rate"]) == (False, MATCHES_PER_BATCH, 0)
    assert broker.events(f"runs/{run.pk}")[-1]["score"] == score
    cards = {card.kind: card for card in queries.faults_of_run(run)}
    assert {kind: (card.lost, len(card.matches), card.count) for kind, card in cards.items()} == {
        "illegal_move": (True, 10, 30),
        "crash": (True, 10, 10),
    }
    assert sorted(cards["illegal_move"].matches + cards["crash"].matches) == list(range(1, MATCHES_PER_BATCH + 1))


def test_series_stops_if_the_bot_cannot_start(broker: MemoryBroker) -> None:
    run = start(bot(), RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    assert play(run, winning_scripts(), starts={"load": ScriptedTurn(failed=CRASH)})
    run.refresh_from_db()
    assert (len(run.results), run.lost) == (1, True)
    score = snapshots.snapshot(run)["score"]
    assert (score["failed"], score["played"]) == (True, 1)
    assert broker.events(f"runs/{run.pk}")[-1]["score"] == score
    assert [(card.kind, card.lost, card.turns) for card in queries.faults_of_run(run)] == [("start", True, (0,))]


def test_faults_kept_of_a_series_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MAX_FAULTS", 4)
    run = start(bot(), RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    play(run, lambda seat: [ScriptedTurn(answer="Z9")] * 3, winning_scripts())
    run.refresh_from_db()
    assert [one["match"] for one in run.faults] == [1, 1, 1, 2]


def test_illegal_answer_points_to_the_function_that_gave_it() -> None:
    run = start(bot())
    play(run, lambda seat: [ScriptedTurn(answer="Z9")] * 3, winning_scripts())
    run.refresh_from_db()
    card = queries.faults_of_run(run)[0]
    line = WORKING.splitlines()[card.line - 1].strip()
    assert (card.file, card.source_line, card.is_definition) == ("main.py", line, not line.startswith("return"))


def test_fault_of_an_opponent_is_not_explained_to_the_author(broker: MemoryBroker) -> None:
    run = start(bot())
    play(
        run,
        winning_scripts(),
        lambda seat: [ScriptedTurn(failed={"kind": "crash", "message": "SECRET"}), *winning_scripts()(seat)],
    )
    run.refresh_from_db()
    assert (run.faults, run.lost) == ([], False)
    assert "SECRET" not in str(broker.events(f"runs/{run.pk}"))


def test_new_run_cancels_the_previous_one() -> None:
    mine = bot()
    first, second = start(mine), start(mine)
    first.refresh_from_db()
    assert (first.status, second.status) == (RunStatus.CANCELLED, RunStatus.QUEUED)
    assert not play(first, winning_scripts()), "nobody claims it any more"


def test_page_of_a_waiting_run_learns_that_it_was_stopped(broker: MemoryBroker) -> None:
    run = start(bot())
    shown = snapshots.snapshot(run)
    runs.cancel([run.pk])
    run.refresh_from_db()
    events = broker.events(f"runs/{run.pk}")
    assert [event["type"] for event in events if event["seq"] > shown["seq"]] == ["cancelled"]
    assert snapshots.snapshot(run)["seq"] == snapshots.newest_event_number(run.pk) == events[-1]["seq"]


def test_stopped_run_stores_nothing() -> None:
    run = start(bot(), RunRequest((bot().pk,), games=MATCHES_PER_BATCH))

    def stop_in_between(seat: int) -> list[ScriptedTurn]:
        runs.cancel([run.pk])
        return list(winning_scripts()(seat))

    assert not play(run, stop_in_between)
    run.refresh_from_db()
    assert (run.status, run.results, bytes(run.record)) == (RunStatus.CANCELLED, [], b"")


def test_run_is_retried_after_arena_failure_and_then_void(broker: MemoryBroker) -> None:
    run = start(bot())
    for _ in range(3):
        assert not play(run, winning_scripts(), breaks=True)
    runs.sweep(StallDetector(JOBS, clock=ManualClock()), now=timezone.now())
    run.refresh_from_db()
    assert (run.status, run.results, run.faults) == (RunStatus.VOID, [], [])
    assert broker.events(f"runs/{run.pk}")[-1]["type"] == "void"


def test_hourly_games_are_limited_separately_from_scrimmages(settings: Settings) -> None:
    settings.RUN_MATCHES_AN_HOUR = 21
    mine = bot()
    play(start(mine, RunRequest((bot().pk,), games=MATCHES_PER_BATCH)), winning_scripts())
    start(mine)
    use = quota.hourly_use_of(mine.owner, now=timezone.now())
    assert use is not None
    assert (use.used, use.limit) == (21, 21)
    with expect_refusal("limit") as refused:
        start(mine)
    assert refused.value.retry_after > 0
    assert start(mine, person=person(is_staff=True)).status == RunStatus.QUEUED
    assert quota.hourly_use_of(mine.owner, now=timezone.now() + timedelta(hours=2)).used == 0  # type: ignore[union-attr]


def test_matches_that_were_not_played_do_not_count_towards_the_hourly_limit() -> None:
    mine = bot()

    def used() -> int:
        use = quota.hourly_use_of(mine.owner, now=timezone.now())
        assert use is not None
        return use.used

    failing = start(mine, RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    assert used() == MATCHES_PER_BATCH
    play(failing, winning_scripts(), starts={"load": ScriptedTurn(failed=CRASH)})
    assert used() == 1
    stopped = start(mine, RunRequest((bot().pk,), games=MATCHES_PER_BATCH))
    runs.cancel([stopped.pk])
    assert used() == 2


@pytest.mark.parametrize(
    ("game", "chosen", "code"),
    [
        ("reversi", 0, "too_few_opponents"),
        ("reversi", 2, "too_many_opponents"),
        ("golden_point", 9, "too_many_opponents"),
    ],
)
def test_number_of_opponents_must_fit_the_game(game: str, chosen: int, code: str) -> None:
    with expect_refusal(code):
        start(bot(game=game), RunRequest(tuple(bot(game=game).pk for _ in range(chosen))))


@pytest.mark.parametrize("flaw", ["other game", "retired", "not playable"])
def test_only_bots_that_can_play_the_game_are_opponents(flaw: str) -> None:
    other = bot(game="golden_point" if flaw == "other game" else "reversi", playable=flaw != "not playable")
    other.retired = flaw == "retired"
    other.save()
    with expect_refusal("opponent_unavailable"):
        start(bot(), RunRequest((other.pk,)))
    assert not Run.objects.exists()


def test_old_runs_lose_their_records_and_are_later_deleted() -> None:
    mine = bot()
    played = [start(mine, RunRequest((bot().pk,))) for _ in range(runs.KEPT_RUNS + 2)]
    Run.objects.filter(pk__in=[one.pk for one in played]).update(status=RunStatus.FINISHED, record=b"r", log=b"l")
    start(mine)
    assert Run.objects.exclude(record=b"").count() == runs.KEPT_RUNS
    assert queries.last_run(mine.owner_id, mine.pk, "reversi") is not None
    runs.delete_old_runs(now=timezone.now() + timedelta(days=2))
    assert [run.status for run in Run.objects.all()] == [RunStatus.QUEUED], "what waits is not thrown away"
