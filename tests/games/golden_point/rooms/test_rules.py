"""Room rules: which picks and tokens are valid, and when rounds close."""

from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from arena.games.golden_point.rooms.rules import (
    PickContext,
    Refusal,
    RoomState,
    RoomTerms,
    is_complete,
    is_valid_token,
    refusal_of_pick,
    seconds_left,
    state_after,
)
from arena.platform.refusal import Refused
from tests.games.golden_point.rooms.program import NOON

RUNNING = PickContext(RoomState.RUNNING, NOON + timedelta(seconds=3), players=2, is_player=False, has_submitted=False)


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({}, None),
        ({"state": RoomState.WAITING, "ends_at": None}, Refusal.NOT_STARTED),
        ({"state": RoomState.FINISHED, "ends_at": None}, Refusal.FINISHED),
        ({"ends_at": NOON}, Refusal.OVER),
        ({"ends_at": NOON + timedelta(microseconds=1)}, None),
        ({"is_player": True, "has_submitted": True}, Refusal.TWICE),
        ({"players": 3}, Refusal.FULL),
        ({"players": 3, "is_player": True}, None),
        ({"state": RoomState.PAUSED, "ends_at": None}, None),
        ({"state": RoomState.PAUSED, "ends_at": None, "has_submitted": True}, Refusal.TWICE),
        ({"is_removed": True, "is_player": True}, Refusal.REMOVED),
        ({"is_removed": True, "state": RoomState.FINISHED, "ends_at": None}, Refusal.FINISHED),
    ],
)
def test_submission_is_refused_with_a_reason(change: dict[str, object], refusal: Refusal | None) -> None:
    assert refusal_of_pick(RoomTerms(most_players=3), replace(RUNNING, **change), NOON) is refusal  # type: ignore[arg-type]


def test_room_without_a_limit_is_never_full_or_complete() -> None:
    assert refusal_of_pick(RoomTerms(), replace(RUNNING, players=10_000), NOON) is None
    assert not is_complete(RoomTerms(), 10_000)
    assert is_complete(RoomTerms(most_players=3), 3)
    assert not is_complete(RoomTerms(most_players=3), 2)


def test_limited_room_completes_without_removed_players_unless_empty() -> None:
    assert is_complete(RoomTerms(most_players=3), 2, gone=1)
    assert not is_complete(RoomTerms(most_players=3), 1, gone=1)
    assert not is_complete(RoomTerms(most_players=3), 0, gone=3)


def test_room_ends_after_its_last_round() -> None:
    assert [state_after(RoomTerms(rounds=2), done) for done in (1, 2)] == [RoomState.RUNNING, RoomState.FINISHED]
    assert state_after(RoomTerms(), 10_000) is RoomState.RUNNING
    assert state_after(RoomTerms(rounds=2), 1, RoomState.PAUSED) is RoomState.PAUSED
    assert state_after(RoomTerms(rounds=2), 2, RoomState.PAUSED) is RoomState.FINISHED


@pytest.mark.parametrize(("left", "shown"), [(2.001, 3), (2.0, 2), (0.001, 1), (0.0, 0), (-5.0, 0)])
def test_seconds_left_are_rounded_up(left: float, shown: int) -> None:
    assert seconds_left(NOON + timedelta(seconds=left), NOON) == shown


@pytest.mark.parametrize(
    ("terms", "refusal"),
    [
        (RoomTerms(numbers=0), Refusal.INVALID_NUMBERS),
        (RoomTerms(numbers=3), Refusal.INVALID_NUMBERS),
        (RoomTerms(seconds=2), Refusal.INVALID_DURATION),
        (RoomTerms(seconds=201), Refusal.INVALID_DURATION),
        (RoomTerms(most_players=-1), Refusal.INVALID_USER_COUNT),
        (RoomTerms(most_players=201), Refusal.INVALID_USER_COUNT),
        (RoomTerms(rounds=-1), Refusal.INVALID_ROUND_COUNT),
    ],
)
def test_terms_out_of_range_are_rejected(terms: RoomTerms, refusal: Refusal) -> None:
    with pytest.raises(Refused) as refused:
        terms.check()
    assert Refusal.from_error(refused.value) is refusal


def test_terms_at_their_limits_are_accepted() -> None:
    RoomTerms(numbers=1, seconds=3, most_players=0, rounds=0).check()
    RoomTerms(numbers=2, seconds=200, most_players=200, rounds=5000).check()


def test_space_in_a_token_counts_as_plus() -> None:
    uid = next(uid for uid in map(str, range(1000)) if b"+" in b64encode(sha256(f"{uid}roundsecret".encode()).digest()))
    token = b64encode(sha256(f"{uid}roundsecret".encode()).digest()).decode()
    for received in (token, token.replace("+", " ")):
        assert is_valid_token(received, uids=(uid,), round_id="round", room_token="secret")
    assert not is_valid_token(token, uids=(uid,), round_id="round", room_token="other")
    assert not is_valid_token("", uids=(uid,), round_id="round", room_token="secret")
