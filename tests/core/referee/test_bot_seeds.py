"""Bot seeds are derived from the match secret, reach only their own seat, and reveal nothing about each other."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.core.referee.bot_seeds import new_secret, public_secret, seat_key, start_seed
from arena.core.referee.clock import FakeClock
from arena.core.referee.spec import MatchSpec
from arena.core.referee.testing import ScriptedPlayer, ScriptedTurn
from arena.games.base import Json
from tests.core.referee.matches import first_legal, golden_spec, play_to_end, reversi_spec
from tests.core.referee.test_fresh_start import first_legal as first_listed
from tests.core.referee.test_fresh_start import suit_pairs
from tests.core.referee.test_rerun import SPECS

SECRET = "00112233445566778899aabbccddeeff"


def test_bot_seed_is_an_hmac_of_secret_seat_and_start() -> None:
    key = hmac.new(bytes.fromhex(SECRET), b"seat 1", hashlib.sha256)
    assert seat_key(SECRET, 1) == key.hexdigest()
    seed = hmac.new(key.digest(), b"start for turn 7", hashlib.sha256)
    assert start_seed(seat_key(SECRET, 1), 7) == seed.hexdigest()


def test_seats_starts_and_secrets_have_different_seeds() -> None:
    secrets = [SECRET, new_secret(), new_secret(), public_secret(1), public_secret(2)]
    seeds = [
        start_seed(seat_key(secret, seat), turn) for secret in secrets for seat in range(10) for turn in range(1, 10)
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(len(bytes.fromhex(secret)) == 16 for secret in secrets)


def test_without_a_secret_there_is_no_seed() -> None:
    assert seat_key("", 1) == start_seed("", 1) == ""
    player = ScriptedPlayer(FakeClock(), then=first_legal)
    play_to_end(reversi_spec(), [player, ScriptedPlayer(FakeClock(), then=first_legal)], FakeClock())
    assert "seed" not in player.requests[0]


def seeds_by_seat(spec: MatchSpec, seats: int) -> list[list[Json]]:
    """Return the seeds given out in a match with this spec: for each seat, one per start."""
    clock = FakeClock()
    play = {"golden_point": lambda _: ScriptedTurn([20.0]), "suit_pairs": first_listed}.get(spec.game.name, first_legal)
    players = [ScriptedPlayer(clock, then=play) for _ in range(seats)]
    result, _ = play_to_end(spec, players, clock)
    assert result.diagnoses == (None,) * seats
    assert result.record.secret == spec.secret
    return [[request["seed"] for request in player.requests if request["do"] == "load"] for player in players]


def test_each_seat_receives_only_its_own_seed() -> None:
    spec = replace(golden_spec(seats=4, rounds=1, numbers=1), secret=SECRET)
    assert seeds_by_seat(spec, 4) == [[start_seed(seat_key(SECRET, seat), 1)] for seat in range(4)]


def test_each_start_of_a_match_has_its_own_seed() -> None:
    first, second = seeds_by_seat(replace(suit_pairs(deals=2), secret=SECRET), 2)
    assert len(first) == len(second) == 4
    assert len({*first, *second}) == 8
    assert first[0] == start_seed(seat_key(SECRET, 0), 1)


@pytest.mark.long
@pytest.mark.parametrize("game", SPECS)
def test_game_randomness_and_bot_seeds_are_independent(game: str) -> None:
    """Knowing the bots' seeds reveals nothing about future tiles and cards, and vice versa."""
    spec, play = SPECS[game]
    one, other, dealt = (
        requests(replace(spec, **changed), play)
        for changed in ({"secret": SECRET}, {"secret": new_secret()}, {"secret": SECRET, "seed": spec.seed + 1})
    )
    assert without_seeds(one) == without_seeds(other)
    assert all(request["seed"] != same["seed"] for request, same in zip(one, other, strict=True) if "seed" in request)
    assert one[0]["seed"] == dealt[0]["seed"]
    secrets = [SECRET, *(seat_key(SECRET, seat) for seat in range(len(spec.seats)))]
    assert not any(secret in str(one) for secret in secrets)


def requests(spec: MatchSpec, play: Callable[[Json], ScriptedTurn]) -> list[Json]:
    """Play a match and return the requests that its players received."""
    clock = FakeClock()
    players = [ScriptedPlayer(clock, then=play) for _ in spec.seats]
    play_to_end(spec, players, clock)
    return [request for player in players for request in player.requests]


def without_seeds(requests: list[Json]) -> list[Json]:
    return [{name: value for name, value in one.items() if name not in ("nonce", "seed")} for one in requests]


def test_secret_is_not_in_the_repr_of_a_match() -> None:
    assert SECRET not in repr(replace(reversi_spec(), secret=SECRET))
