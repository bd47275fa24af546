"""A tournament survives any failure: no match is lost or played twice.

Every test breaks something while a tournament of eighteen matches is being played, and then checks that every match was
played and stored once, that no bot lost because of an infrastructure failure, and that the standings follow from the
records.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from redis import Redis

from arena.games.fib2584.board import legal_directions, read_board
from arena.matches.templatetags.results import RESULT_TEXTS
from tests.running_site import eventually
from tests.stack.failing import BOT, HOUR, LEASE_SECONDS, TIMEOUT, Stack, running_stack
from tests.stack.person import SiteUser

pytestmark = pytest.mark.stack

# The guarantee for a site with the usual lease.
PLAYED_AGAIN_SECONDS = 60.0
USUAL_LEASE = 20.0

Stacks = tuple[Stack, ...]


@pytest.fixture(scope="module")
def stacks() -> Iterator[Stacks]:
    """Yield two stacks: SQLite with the embedded broker, and PostgreSQL with Redis.

    They run in parallel because they spend most of the time waiting for their processes.
    """
    with ExitStack() as opened, ThreadPoolExecutor() as threads:
        opening = [threads.submit(opened.enter_context, running_stack(with_servers=chosen)) for chosen in (False, True)]
        yield tuple(each.result() for each in opening)
        opened.close()


def on_both(scenario: Callable[..., None]) -> Callable[..., None]:
    """Turn ``scenario``, a function that takes a stack, into a test that runs it on both stacks in parallel."""
    head, *rest = inspect.signature(scenario).parameters.values()

    def test(stacks: Stacks, **chosen: object) -> None:
        with ThreadPoolExecutor() as threads:
            outcomes = [(stack, threads.submit(scenario, stack, **chosen)) for stack in stacks]
        for stack, outcome in outcomes:
            error = outcome.exception()
            if error is not None:
                error.add_note(f"on {stack.name}")
                raise error

    functools.update_wrapper(test, scenario)
    test.__signature__ = inspect.Signature([head.replace(name="stacks"), *rest])  # type: ignore[attr-defined]
    del test.__wrapped__
    return test


@pytest.mark.parametrize("part", ["process", "main"])
@on_both
def test_tournament_survives_a_killed_worker(stack: Stack, part: str) -> None:
    cup = stack.start_cup()
    match, fence = stack.shell.kill_worker(tournament=cup, part=part)
    began = time.monotonic()
    stack.wait_for(lambda: not stack.shell.is_interrupted(match=match, fence=fence), cup)
    took = time.monotonic() - began
    # A match is requeued after at most 1.25 leases, until the next sweep; add the difference to the usual lease.
    assert took + 1.25 * (USUAL_LEASE - LEASE_SECONDS) < PLAYED_AGAIN_SECONDS
    stack.expect_complete(cup)


@on_both
def test_human_match_survives_a_killed_worker(stack: Stack) -> None:
    """If a match's worker is killed, its page keeps the moves and accepts the next; another worker resumes it."""
    person = SiteUser(stack.site.address)
    person.get("/play/")
    page = person.post("/play/", level="other", bot=str(stack.bots[0]), seat="0", clock="300").text
    found = re.search(r"/play/(\d+)/move/", page)
    assert found, page
    path, match = f"/play/{found[1]}/", int(found[1])

    def turns() -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = json.loads(person.get(f"{path}snapshot.json").text)["turns"]
        return seen

    person.post(f"{path}move/", turn="1", move="E6")
    eventually(lambda: len(turns()) >= 3, "the bot does not answer", TIMEOUT)
    before = turns()
    stack.shell.kill_worker(match=match, part="process")
    assert turns() == before
    person.post(f"{path}move/", turn="3", move=before[-1]["view"]["legal"][0])
    eventually(lambda: len(turns()) >= 5, "the match does not continue", TIMEOUT)
    person.post(f"{path}resign/")
    eventually(lambda: stack.shell.match(pk=match)["status"] == "finished", "the match does not end", TIMEOUT)
    after = turns()
    assert [turn["moves"] for turn in after[:3]] == [turn["moves"] for turn in before]
    assert [turn["number"] for turn in after] == list(range(len(after)))
    assert stack.shell.problems_of(match=match) == []


@on_both
def test_single_player_match_survives_a_killed_worker(stack: Stack) -> None:
    """In a game with chance, killing the worker does not change the tiles that appear later; the record is valid."""
    person = SiteUser(stack.site.address)
    person.get("/play/?game=fib2584")
    page = person.post("/play/", game="fib2584", players="1", clock="300").text
    found = re.search(r"/play/(\d+)/move/", page)
    assert found, page
    path, match = f"/play/{found[1]}/", int(found[1])

    def turns() -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = json.loads(person.get(f"{path}snapshot.json").text)["turns"]
        return seen

    def move(number: int) -> None:
        """Play a legal direction in this turn, and wait until the page shows it."""
        eventually(lambda: len(turns()) >= number, "the board does not come", TIMEOUT)
        board = read_board(turns()[-1]["view"]["boards"][0])
        person.post(f"{path}move/", turn=str(number), move=str(legal_directions(board)[0]))
        eventually(lambda: len(turns()) > number, "the move is not played", TIMEOUT)

    move(1)
    move(2)
    before = turns()
    stack.shell.kill_worker(match=match, part="process")
    assert turns() == before
    move(3)
    after = turns()
    assert [turn["view"] for turn in after[:3]] == [turn["view"] for turn in before]
    person.post(f"{path}resign/")
    eventually(lambda: stack.shell.match(pk=match)["status"] == "finished", "the match does not end", TIMEOUT)
    assert stack.shell.problems_of(match=match) == []
    resigned, *_ = str(RESULT_TEXTS["you.resigned_with_score"]).partition("%")
    assert re.search(rf'data-part="result">\s*{resigned}', person.get(path).text)


@on_both
def test_tournament_survives_the_loss_of_all_workers(stack: Stack) -> None:
    cup = stack.start_cup()
    stack.kill("--quiet worker")
    stack.expect_complete(cup)


@on_both
def test_tournament_survives_a_killed_beat(stack: Stack) -> None:
    cup = stack.start_cup()
    stack.kill("--quiet beat")
    stack.expect_complete(cup)


@on_both
def test_tournament_survives_a_killed_web_server(stack: Stack) -> None:
    cup = stack.start_cup()
    stack.kill("-m uvicorn")
    eventually(lambda: stack.organizer.get(f"/tournaments/{cup}/").status == 200, "no page", TIMEOUT)
    stack.expect_complete(cup)


@on_both
def test_tournament_survives_simultaneous_loss_of_broker_and_worker(stack: Stack) -> None:
    """A tournament is completed even if its broker and a worker fail at the same time.

    Celery can fail when it reconnects; the supervisor then restarts it like any other process.
    """
    cup = stack.start_cup()
    stack.shell.kill_worker(tournament=cup, part="process")
    stack.kill_broker()
    stack.start_broker()
    stack.expect_complete(cup)


@on_both
def test_tournament_survives_broker_data_loss(stack: Stack) -> None:
    cup = stack.start_cup()
    with Redis.from_url(stack.broker_url) as client:
        client.flushall()
    stack.expect_complete(cup)


@on_both
def test_task_delivered_twice_is_executed_once(stack: Stack) -> None:
    """A match is played once even if its task is delivered again while the match is running.

    The long match takes longer than a lease and than the broker's visibility timeout.
    """
    duel, match = stack.start_duel(stack.bots[:2], pace=1.3)
    cup = stack.start_cup()
    stack.shell.wake(match=match, times=2)
    for running in stack.shell.running_matches(tournament=cup):
        stack.shell.wake(match=running, times=2)
    stack.expect_complete(cup)
    stack.wait_for(lambda: stack.shell.progress(tournament=duel)["status"] == "finished", duel)
    played = stack.shell.match(pk=match)
    assert (played["status"], played["attempts"], played["fence"]) == ("finished", 1, 1)
    assert stack.shell.problems(tournament=duel) == []


@on_both
def test_tournament_tolerates_two_schedulers(stack: Stack) -> None:
    with stack.second_beat():
        cup = stack.start_cup()
        stack.shell.tick(times=20)
        stack.expect_complete(cup)


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["forward", "backward"])
@on_both
def test_tournament_tolerates_a_clock_step_of_an_hour(stack: Stack, step: int) -> None:
    """The match of a worker that is killed after the clock step does not stay claimed for an hour."""
    cup = stack.start_cup()
    try:
        stack.step_clock(step)
        stack.shell.kill_worker(tournament=cup, part="process")
        stack.expect_complete(cup)
    finally:
        stack.step_clock(0)


@on_both
def test_tournament_survives_a_database_outage_of_20_seconds(stack: Stack) -> None:
    cup = stack.start_cup()
    with stack.database_outage():
        time.sleep(20.0)
    stack.expect_complete(cup)


@on_both
def test_match_that_always_kills_its_worker_is_void_and_can_be_rerun(stack: Stack) -> None:
    duel, match = stack.start_duel(stack.bots[:2], pace=0.5)
    # before the tournament is created, which may take a while on a busy machine
    stack.shell.kill_worker(tournament=duel, part="process", match=match)
    cup = stack.start_cup(finished=0)
    for _ in range(2):
        stack.shell.kill_worker(tournament=duel, part="process", match=match)
    stack.wait_for(lambda: stack.shell.match(pk=match)["status"] == "void", duel)
    stack.wait_for(lambda: stack.shell.progress(tournament=duel)["status"] == "finished", duel)
    stack.expect_complete(cup)

    page = stack.organizer.get(f"/tournaments/{duel}/").text
    assert 'data-kind="match_void"' in page, "missing from the activity log"
    assert f'action="/tournaments/{duel}/matches/{match}/rerun/"' in page
    assert stack.shell.points(tournament=duel) == [0.0, 0.0], "our failure is nobody's loss, win or tie"

    assert stack.organizer.post(f"/tournaments/{duel}/matches/{match}/rerun/").status == 200
    stack.wait_for(lambda: stack.shell.progress(tournament=duel)["status"] == "finished", duel)
    assert stack.shell.match(pk=match)["status"] == "finished"
    assert stack.shell.problems(tournament=duel) == []


@on_both
def test_full_disk_refuses_uploads_and_delays_matches(stack: Stack) -> None:
    cup = stack.start_cup()
    source = BOT.read_text() + "# too late\n" * 10_000  # larger than the space freed by a finished match
    with stack.full_disk():
        answer = stack.organizer.post("/bots/new/", game="reversi", name="Late", source=source)
        assert answer.status == 422
        assert "disk is full" in answer.text
        assert "# too late" in answer.text, "what was sent is still in the editor"
        stack.wait_for(lambda: "No space left" in stack.site.output() or "disk is full" in stack.site.output(), cup)
    stack.expect_complete(cup)
    assert stack.organizer.post("/bots/new/", game="reversi", name="Late", source=source).status == 200
    eventually(lambda: set(stack.shell.checks()) == {"passed"}, "the check does not pass", TIMEOUT)
