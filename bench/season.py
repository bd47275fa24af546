"""Write a season of ladder matches directly to the database tables.

The data depend only on the seed; a million matches take one to two minutes.

Bots join during the first half of the season, and some have a second version. Bots of similar true strength are paired
twice in a row with swapped seats, as on the ladder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.games.registry import GAMES

START: Final = datetime(2025, 9, 1, tzinfo=UTC)
DAYS: Final = 365
_DRAWN: Final = 0.04  # share of all matches
_NEAR: Final = 0.05  # rank distance between opponents, as a share of all bots
_RECORDED: Final = 5_000  # the number of newest matches, the only ones with records
_AUTHORS: Final = 3  # number of bots per author
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Season:
    """The generated data: the game, and the ids of the bots and of the first and last matches."""

    game: str
    bots: tuple[int, ...]
    first_match: int
    last_match: int


def write_season(game: str, bots: int, matches: int, *, seed: int = 1, record: bytes = b"") -> Season:
    """Store this many finished ladder matches between this many bots.

    ``record``: the stored record of the newest matches.
    """
    from django.db import connection, transaction

    from arena.matches.models import Match, Seat
    from arena.platform.bulk_insert import insert_rows

    rng = np.random.default_rng(seed)
    first, second = _create_bots(game, bots)
    played = _draw_results(rng, np.array(first), second, matches)
    base = (Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    with transaction.atomic(), _without_indexes(("matches_match", "matches_seat")):
        rows = _match_rows(game, matches, base)
        insert_rows(Match, _MATCH, rows)
        insert_rows(Seat, _SEAT, _seat_rows(played, base))
        if record:
            _store_records(record, base, matches)
    if connection.vendor == "postgresql":  # PostgreSQL's autovacuum does this; SQLite has none, see docs/operations.md
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    owned = _bot_ids(first)
    return Season(game, owned, base, base + matches - 1)


_MATCH: Final = (
    *(
        "id",
        "game",
        "settings",
        "limits",
        "seed",
        "secret",
        "purpose",
        "status",
        "created_at",
        "started_at",
        "finished_at",
    ),
    *("withheld", "play_digest", "termination", "turns", "fence", "attempts", "worker", "party", "served", "failure"),
)
_SEAT: Final = (*("match", "index", "submission", "points", "rank", "margin", "fault", "seconds", "slowest", "moves"),)


@dataclass(frozen=True, slots=True)
class _MatchResults:
    """The results by match: the submissions in seats 1 and 2; ``winner``: the winning seat, or 0 for a draw."""

    one: Ints
    other: Ints
    winner: Ints


def _draw_results(rng: np.random.Generator, first: Ints, second: dict[int, int], matches: int) -> _MatchResults:
    """Choose opponents and simulate results at random."""
    bots = len(first)
    strengths = np.sort(rng.normal(0, 1, bots))
    joined = rng.uniform(0, 0.5, bots) * (rng.random(bots) < 0.6)  # as a share of the season
    moments = np.arange((matches + 1) // 2) / max(1, (matches + 1) // 2)
    one = rng.integers(0, bots, len(moments))
    distance = rng.geometric(1 / max(1.5, _NEAR * bots), len(moments)) * rng.choice((-1, 1), len(moments))
    other = (one + distance) % bots
    other = np.where(other == one, (one + 1) % bots, other)
    # Bots that have not joined yet are replaced with original bots of similar strength.
    founders = np.flatnonzero(joined == 0)
    for side in (one, other):
        absent = joined[side] > moments
        side[absent] = founders[np.searchsorted(founders, side[absent]) % len(founders)]
    same = one == other
    other[same] = founders[(np.searchsorted(founders, one[same]) + 1) % len(founders)]
    same = one == other
    other[same] = (one[same] + 1) % bots
    later = np.array([second.get(place, 0) for place in range(bots)], dtype=np.int64)
    versions = np.where((later > 0) & (np.arange(bots) % 7 == 0), later, first)
    upgraded = moments > 0.5

    def submissions(side: Ints) -> Ints:
        return np.where(upgraded, versions[side], first[side])

    pairs = (submissions(one), submissions(other))
    swapped = np.arange(2 * len(moments)) % 2 == 1
    seats = [np.repeat(side, 2)[:matches] for side in pairs]
    swapped = swapped[:matches]
    chance = 1 / (1 + np.exp(strengths[np.repeat(other, 2)[:matches]] - strengths[np.repeat(one, 2)[:matches]]))
    won = rng.random(matches) < chance
    drawn = rng.random(matches) < _DRAWN
    winner = np.where(drawn, 0, np.where(won != swapped, 1, 2))
    return _MatchResults(np.where(swapped, seats[1], seats[0]), np.where(swapped, seats[0], seats[1]), winner)


def _match_rows(game: str, matches: int, base: int) -> Iterator[tuple[Any, ...]]:
    from django.db import connection

    settings = json.dumps(GAMES[game].settings_json(GAMES[game].settings({})))
    limits = json.dumps({"move_seconds": 5.0, "pace_seconds": 0.0})
    moment = connection.ops.adapt_datetimefield_value
    step = timedelta(days=DAYS) / matches
    for number in range(matches):
        end = START + number * step
        pk = base + number
        yield (
            *(pk, game, settings, limits, pk, f"{pk:064x}", "ladder", "finished"),
            *(moment(end - timedelta(seconds=20)), moment(end - timedelta(seconds=15)), moment(end)),
            *(False, f"{pk:064x}", "finished", 60, 1, 1, "worker@host", "", pk, None),
        )


def _seat_rows(played: _MatchResults, base: int) -> Iterator[tuple[Any, ...]]:
    points = {1: (1.0, 0.0), 2: (0.0, 1.0), 0: (0.5, 0.5)}
    ranks = {1: (1, 2), 2: (2, 1), 0: (1, 1)}
    rows = zip(played.one.tolist(), played.other.tolist(), played.winner.tolist(), strict=True)
    for pk, (one, other, winner) in enumerate(rows, start=base):
        for index, submission in enumerate((one, other)):
            yield pk, index, submission, points[winner][index], ranks[winner][index], 0.0, "", 1.5, 0.2, 30


def _create_bots(game: str, bots: int) -> tuple[list[int], dict[int, int]]:
    """Create bots; return their first versions' ids, and their second versions' ids keyed by bot number."""
    from arena.accounts.models import User
    from arena.core.sandbox.uploads.package import MAIN, Package
    from arena.submissions import store
    from arena.submissions.models import Bot, Submission, SubmissionStatus

    package = Package.from_files({MAIN: b"def get_move(state):\n    return state.legal[0]\n"})
    store.store_package(package)

    tag = f"season{Bot.objects.count()}"
    names = [f"{tag}-{number}" for number in range(1 + (bots - 1) // _AUTHORS)]
    owners = User.objects.bulk_create(User(username=name, email=f"{name}@example.org", password="!") for name in names)
    made = Bot.objects.bulk_create(
        Bot(owner=owners[number // _AUTHORS], game=game, name=f"{tag} bot {number}") for number in range(bots)
    )
    upgraded = made[::7]

    def uploads(of: list[Any], version: int) -> list[Any]:
        return Submission.objects.bulk_create(
            Submission(
                bot=bot,
                number=version,
                sha256=package.sha256,
                filename="main.py",
                size=10,
                status=SubmissionStatus.PASSED,
            )
            for bot in of
        )

    first, second = uploads(made, 1), uploads(upgraded, 2)
    active = {one.bot_id: one for one in [*first, *second]}
    for bot in made:
        bot.active = active[bot.pk]
    Bot.objects.bulk_update(made, ["active"], batch_size=400)
    later = {one.bot_id: one.pk for one in second}
    return [one.pk for one in first], {place: later[bot.pk] for place, bot in enumerate(made) if bot.pk in later}


def _bot_ids(submissions: list[int]) -> tuple[int, ...]:
    from arena.submissions.models import Submission

    newest = Submission.objects.filter(pk__gte=submissions[0], pk__lte=submissions[-1])
    return tuple(newest.order_by("pk").values_list("bot_id", flat=True))


def _store_records(record: bytes, base: int, matches: int) -> None:
    from arena.core.referee.record import VERSION
    from arena.matches.models import MatchRecord
    from arena.platform.bulk_insert import insert_rows

    newest = range(base + max(0, matches - _RECORDED), base + matches)
    insert_rows(MatchRecord, ("match", "version", "data"), ((pk, VERSION, record) for pk in newest))


@contextmanager
def _without_indexes(tables: tuple[str, ...]) -> Iterator[None]:
    """Drop these tables' indexes, except those of constraints, to speed up inserts; recreate them at the end."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s)"
                " AND indexname NOT IN (SELECT conname FROM pg_constraint)",
                [list(tables)],
            )
        else:
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (%s, %s)",
                list(tables),
            )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
    yield
    with connection.cursor() as cursor:
        # PostgreSQL does not create an index while foreign keys are still unchecked
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for _, sql in indexes:
            cursor.execute(sql)
        if connection.vendor == "postgresql":
            for table in tables:
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")
