"""The policy review gives the probabilities and value of each recorded decision and finds the turning point."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.core.messages import Template
from arena.core.referee.clock import FakeClock
from arena.core.referee.play import play_match
from arena.core.referee.record import Record, dump
from arena.core.referee.spec import MatchSpec, SeatSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from arena.games.suit_pairs.observation import SIZE
from arena.games.suit_pairs.policy import judgements, network
from arena.games.suit_pairs.policy import review as reviewing
from arena.games.suit_pairs.policy.judgement import JudgedDecision, Judgement, _turning_point, judge
from arena.games.suit_pairs.policy.match_panel import create_panel
from arena.games.suit_pairs.policy.models import JudgementStatus, StoredJudgement
from arena.games.suit_pairs.policy.network import Network
from arena.games.suit_pairs.policy.review import review
from arena.games.suit_pairs.rules import GAME
from arena.games.suit_pairs.stages import ACTIONS
from arena.games.suit_pairs.verdict_messages import COSTLIEST, LED_THROUGHOUT, TURNED
from arena.matches.models import Match, MatchRecord, MatchStatus
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, claim
from arena.platform.jobs.stalled import StallDetector
from arena.platform.supervisor.testing import ManualClock
from tests.factories import bot, queued_match
from tests.note_codes import note_codes


def random_weights(seed: int = 1, hidden: int = 16) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shapes = {
        "w0": (SIZE, hidden), "b0": (hidden,), "w1": (hidden, hidden), "b1": (hidden,),
        "policy_w": (hidden, ACTIONS), "policy_b": (ACTIONS,), "value_w": (hidden, 1), "value_b": (1,),
    }  # fmt: skip
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def play_record(deals: int = 1, fault_at: int | None = None) -> Record:
    rng = random.Random(5)
    requests = iter(range(10_000))

    def answer(request: Json) -> ScriptedTurn:
        if next(requests) == fault_at:
            return ScriptedTurn(raw=b"x")
        return ScriptedTurn(rng.choice(request["own"]["legal"]))

    clock = FakeClock()
    spec = MatchSpec(GAME, {"deals": deals}, 3, seats=(SeatSpec("Ann", ""), SeatSpec("Ben", "")))
    players = [ScriptedPlayer(clock, then=answer) for _ in range(2)]
    return play_match(spec, players, clock, lambda event: None, lambda: False, thinking=1).record


def test_every_decision_has_probabilities_of_its_legal_actions() -> None:
    record = play_record()
    found = judge(record, Network(random_weights()))
    assert len(found.decisions) == len(record.turns)
    for one, turn in zip(found.decisions, record.turns, strict=True):
        assert (one.turn, one.seat, one.played) == (turn.number, turn.moves[0].seat, turn.moves[0].move)
        assert sum(share for _, share in one.chances) == pytest.approx(1.0, abs=2e-3)
        assert one.played in dict(one.chances)
        assert [share for _, share in one.chances] == sorted((share for _, share in one.chances), reverse=True)
    assert found.final == record.outcome.margins[0]


def test_value_is_added_to_the_lead_of_the_deciding_seat() -> None:
    """The deciding seat's expected gain is added to its lead; the network in this test always expects three points."""
    own = {name: np.zeros_like(value) for name, value in random_weights().items()}
    own["value_b"][:] = 0.3
    found = judge(play_record(), Network(own))
    assert [one.lead for one in found.decisions[:1]] == pytest.approx([3.0])
    for one in found.decisions:
        assert one.lead == pytest.approx(round(one.lead)), "whole points and three more or less"
        assert [share for _, share in one.chances] == pytest.approx([1 / len(one.chances)] * len(one.chances), abs=1e-4)


def test_faulting_turn_is_not_evaluated() -> None:
    record = play_record(fault_at=7)
    assert [one.turn for one in judge(record, Network(random_weights())).decisions] == list(range(1, 8))
    assert judge(play_record(fault_at=0), Network(random_weights())).decisions == ()


@pytest.mark.long
def test_match_not_decided_by_points_has_no_turning_point() -> None:
    """A match that ended early has no turning point, and its final lead remains an estimate.

    The seat that was ahead may be the one that forfeited.
    """
    own = {name: np.zeros_like(value) for name, value in random_weights().items()}
    own["value_b"][:] = 0.3
    whole = judge(play_record(), Network(own))
    assert whole.completed
    for fault_at in range(20, 45):
        found = judge(play_record(fault_at=fault_at), Network(own))
        assert (found.completed, found.turning) == (False, None)
        assert found.final == whole.decisions[fault_at].lead
        assert create_panel(found, ("Ann", "Ben")).ended == "early"


def test_draw_has_no_turning_point_despite_lead_changes() -> None:
    found = Judgement(tuple(judged_decisions(1.0, -2.0)), 0.0, None, completed=True)
    assert create_panel(found, ("Ann", "Ben")).ended == "draw"


def judged_decisions(*leads: float) -> list[JudgedDecision]:
    return [
        JudgedDecision(turn, 1, 0, "init", "pair", (("pair", 1.0),), lead) for turn, lead in enumerate(leads, start=1)
    ]


@pytest.mark.parametrize(
    ("leads", "final", "turn", "winner"),
    [
        ((1.0, -2.0, 3.0, -0.5, 2.0, 4.0), 5.0, 4, 0),
        ((1.0, -2.0, 3.0, 4.0), -1.0, 4, 1),
        ((-1.0, -2.0), -1.0, None, 1),
        ((1.0, 2.0), 0.0, None, None),
        ((0.0, 2.0), 3.0, 1, 0),
    ],
)
def test_turning_point_is_the_last_time_the_winner_was_behind(
    leads: tuple[float, ...], final: float, turn: int | None, winner: int | None
) -> None:
    found = _turning_point(judged_decisions(*leads), final)
    assert (found.judged.turn if found else None) == turn
    if found:
        assert found.winner == winner
        assert found.before <= 0 < found.after


@pytest.mark.parametrize(
    ("seats", "leads", "final", "seat", "turn", "template", "named"),
    [
        ((0, 1, 0), (1.0, -2.0, -0.5), 5.0, 1, 3, TURNED, {"player": "Ann", "winner": "Ann", "turn": 3}),
        ((0, 1, 1), (1.0, 2.0, 7.0), 8.0, 1, 2, COSTLIEST, {"player": "Ben", "winner": "Ann", "turn": 2}),
        ((1, 0, 0), (-1.0, -2.0, -4.0), -9.0, 0, 3, COSTLIEST, {"player": "Ann", "winner": "Ben", "turn": 3}),
        ((0, 1, 1), (1.0, 2.0, 1.0), 0.5, 1, 0, LED_THROUGHOUT, {"winner": "Ann"}),
        ((0, 1, 1), (1.0, 2.0, 1.0), 0.0, None, None, None, {}),
    ],
)
def test_every_loss_by_points_has_a_verdict(
    seats: tuple[int, ...],
    leads: tuple[float, ...],
    final: float,
    seat: int | None,
    turn: int | None,
    template: Template | None,
    named: dict[str, Any],
) -> None:
    decisions = [replace(one, seat=seat) for one, seat in zip(judged_decisions(*leads), seats, strict=True)]
    found = reviewing._verdict(
        Judgement(tuple(decisions), final, _turning_point(decisions, final), True), ("Ann", "Ben")
    )
    assert (found.seat, found.turn) == (seat, turn) if found else seat is None
    assert (found.message.code if found else None) == (template.code if template else None)
    if found:
        assert found.message.parameters.items() >= named.items()


def test_lead_that_rounds_to_zero_has_no_sign() -> None:
    decisions = judged_decisions(-0.04, 6.84)
    found = Judgement(tuple(decisions), 7.0, _turning_point(decisions, 7.0), completed=True)
    verdict = reviewing._verdict(found, ("Ann", "Ben"))
    assert verdict is not None
    message = verdict.message
    assert (message.parameters["before"], message.parameters["after"]) == ("0", "6.8")


@pytest.mark.parametrize("wrong", [{}, {"policy_w": np.zeros((1, 1))}, {"w0": np.zeros((3, 3), np.float32)}])
def test_weights_of_another_network_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="weights"):
        Network({**random_weights(), **wrong} if wrong else {})


@pytest.fixture
def shipped_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the weights file of a site whose house bots have weights."""
    file = tmp_path / "weights.npz"
    np.savez(file, allow_pickle=False, **{f"level5/{name}": value for name, value in random_weights().items()})
    for module in (network, judgements):
        monkeypatch.setattr(module, "weights_file", lambda: file)
    cache.clear()
    yield file
    cache.clear()


def create_finished_match(record: Record) -> Match:
    match = queued_match([bot(game=GAME.name), bot(game=GAME.name)], GAME.name)
    MatchRecord.objects.create(match=match, version=record.version, data=dump(record))
    seats = list(match.seats.order_by("index"))
    for seat, rank, points in zip(seats, record.outcome.ranks, record.outcome.points, strict=True):
        seat.rank, seat.points = rank, points
        seat.save()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED, termination="completed")
    return match


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_page_of_finished_match_shows_the_policy_review(client: Client) -> None:
    match = create_finished_match(play_record())
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert 'id="policy-title"' in page
    shown = json.loads(page.partition('id="policy-decisions" type="application/json">')[2].partition("<")[0])
    assert len(shown) == len(play_record().turns)
    judged = judge(play_record(), Network(random_weights())).decisions
    assert [[name for name, _ in one["chances"]] for one in shown] == [
        [name for name, _ in one.chances] for one in judged
    ], "every legal action, the unlikely ones too"
    unscripted = client.get(f"/matches/{match.pk}/?at=4").content.decode().partition("<caption>")[2]
    unscripted = unscripted.partition("</noscript>")[0]
    assert unscripted.startswith("Decision 5 by ")
    assert unscripted.count("<tr>") == 1 + len(judged[4].chances)
    assert unscripted.count("badge") == 1
    assert client.get(f"/matches/{match.pk}/?view=projector").content.decode().count("policy-title") == 0
    evaluation = json.loads(page.partition('id="match-evaluation" type="application/json">')[2].partition("<")[0])
    assert len(evaluation["leads"]) == len(play_record().turns) + 1
    first, second = play_record().outcome.margins
    assert evaluation["leads"][-1] == judge(play_record(), Network(random_weights())).final
    assert (evaluation["leads"][-1] > 0) == (first > second)


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_running_match_has_no_policy_review(client: Client) -> None:
    match = queued_match([bot(game=GAME.name), bot(game=GAME.name)], GAME.name)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING)
    assert review(match.pk) is None
    assert "policy-title" not in client.get(f"/matches/{match.pk}/").content.decode()


def compute_judgement() -> bool:
    """Have a worker compute the queued judgement; return whether the result was stored."""
    waiting = StoredJudgement.objects.get()
    return judgements.compute(waiting.pk, worker="w", clock=lambda: 0.0)


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_long_match_is_evaluated_by_a_worker(
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(judgements, "MANY_DECISIONS", 10)
    match = create_finished_match(play_record())
    address = f"/matches/{match.pk}/"
    with monkeypatch.context() as web, django_capture_on_commit_callbacks() as wakes:
        web.setattr(judgements, "judge", lambda record, network: pytest.fail("computed for a visitor"))
        for _ in range(2):
            page = client.get(address).content.decode()
            assert note_codes(page) == ["pending"]
            assert "policy-decisions" not in page
    assert len(wakes) == 1, "a page that is read again asks once"
    assert compute_judgement()
    assert not compute_judgement()
    shown = client.get(address).content.decode()
    assert "policy-decisions" in shown
    cache.clear()
    assert client.get(address).content.decode().count("policy__curve") == 1  # read from the database


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_page_reports_a_judgement_that_failed_too_often(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(judgements, "MANY_DECISIONS", 10)
    match = create_finished_match(play_record())
    with monkeypatch.context() as broken:
        broken.setattr(judgements, "judge", lambda record, network: 1 / 0)
        assert judgements.judgement_of(match.pk) is JudgementStatus.WAITING
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(ZeroDivisionError):
                compute_judgement()
    assert judgements.judgement_of(match.pk) is JudgementStatus.FAILED
    assert note_codes(client.get(f"/matches/{match.pk}/").content.decode()) == ["failed"]


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_judgement_of_a_dead_worker_is_requeued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "MANY_DECISIONS", 10)
    match, clock = create_finished_match(play_record()), ManualClock()
    judgements.judgement_of(match.pk)
    assert claim(judgements.JOBS, StoredJudgement.objects.get().pk, worker="dead", now=timezone.now())
    detector = StallDetector(judgements.JOBS, clock)
    for _ in range(3):
        assert not compute_judgement()
        judgements.sweep(detector, now=timezone.now())
        clock.advance(LEASE.total_seconds() / 2)
    assert compute_judgement()


@pytest.mark.long
@pytest.mark.django_db
def test_stored_evaluation_equals_computed_one_until_weights_change(
    shipped_weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgements, "MANY_DECISIONS", 10)
    match = create_finished_match(play_record())
    judgements.judge_and_store(match.pk, play_record())
    assert judgements.judgement_of(match.pk) == judge(play_record(), Network(random_weights()))
    np.savez(
        shipped_weights,
        allow_pickle=False,
        **{f"level5/{name}": value for name, value in random_weights(seed=2).items()},
    )
    os.utime(shipped_weights, (1, 1))
    assert judgements.judgement_of(match.pk) is JudgementStatus.WAITING
    assert compute_judgement()
    assert judgements.judgement_of(match.pk) == judge(play_record(), Network(random_weights(seed=2)))


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_short_match_stores_nothing() -> None:
    judgements.judge_and_store(create_finished_match(play_record()).pk, play_record())
    assert not StoredJudgement.objects.exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped_weights")
def test_judgement_without_a_record_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "MANY_DECISIONS", 10)
    match = create_finished_match(play_record())
    judgements.judgement_of(match.pk)
    MatchRecord.objects.all().delete()
    assert compute_judgement()
    assert not StoredJudgement.objects.exists()
