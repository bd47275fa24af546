"""Create the matches of version tests, pair by pair.

Invariant: a pair's random draws (seed, opening, house bots at the table) are derived from the test's seed and the
pair's number. A match that yielded to other work is rerun exactly as planned.
"""

from __future__ import annotations

import random
from typing import Any, Final

from arena.games.openings import draw_opening, has_openings
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.services import MatchRequest, create_matches
from arena.ratings.ladder import MOVE_SECONDS, TABLE_SEATS
from arena.submissions.models import Bot
from arena.version_tests.evidence import matches_a_pair
from arena.version_tests.models import MatchPair, PairMatch, PairStatus, VersionTest

PAIRS_AT_ONCE: Final = 4
_LIMITS: Final[dict[str, object]] = {"move_seconds": MOVE_SECONDS, "pace_seconds": 0.0}


def plan_pairs(test: VersionTest) -> None:
    """Keep enough pairs in progress; must be called in a transaction that locks the test's row."""
    _replan_cancelled_matches(test)
    under_way = list(test.pairs.filter(status=PairStatus.OPEN).values_list("number", flat=True))
    last = max(under_way, default=test.folded)
    # Skipped pairs do not count, so the last number may be beyond ``most_pairs``.
    most = min(PAIRS_AT_ONCE - len(under_way), test.most_pairs + test.skipped - last)
    for number in range(last + 1, last + 1 + max(0, most)):
        _create_pair(test, number)


def _create_pair(test: VersionTest, number: int) -> None:
    requests = requests_of(test, number)
    shown = str(requests[0].settings.get("opening", ""))[:200]
    pair = MatchPair.objects.create(test=test, number=number, opening=shown)
    created = create_matches(requests)
    PairMatch.objects.bulk_create(PairMatch(pair=pair, leg=leg, match_id=pk) for leg, pk in enumerate(created))


def requests_of(test: VersionTest, number: int) -> list[MatchRequest]:
    """Return the requests for the matches of a pair.

    The matches are visible only to the author and staff, because the new version may still be secret. Both matches have
    the same seeds, except in games with hidden information, where the record of the first match would reveal the hidden
    information of the second.
    """
    game = test.bot.game
    rules = GAMES[game]
    rng = random.Random(f"version test {test.seed} pair {number}")  # noqa: S311 - reproducible, not a secret
    wanted: dict[str, Any] = {}
    if has_openings(game):
        wanted["opening"] = draw_opening(game, f"version test {test.seed} pair {number}")
    settings, seed = rules.settings_json(rules.settings(wanted)), rng.getrandbits(48)
    tables = _tables(test, rng)
    seeds = [seed] + [rng.getrandbits(48) if rules.hides else seed for _ in tables[1:]]
    return [
        MatchRequest(
            game=game,
            settings=settings,
            limits=_LIMITS,
            seed=seed,
            purpose=Purpose.VERSION_TEST,
            submissions=table,
            requested_by=test.author_id,
            withheld=True,
        )
        for seed, table in zip(seeds, tables, strict=True)
    ]


def _tables(test: VersionTest, rng: random.Random) -> list[tuple[int, ...]]:
    """Return the seating of each match of a pair; house bots have the same seats in both matches."""
    rules = GAMES[test.bot.game]
    if rules.max_seats == 1:
        return [(test.new_id,), (test.old_id,)]
    others = (
        [] if rules.independent_seats or rules.max_seats == 2 else _house_bots(test.bot.game, rng, without=test.bot_id)
    )
    table = [test.new_id, test.old_id, *others]
    seats = rng.sample(range(len(table)), len(table))
    swapped = [test.old_id, test.new_id, *others]
    both = [tuple(one[seat] for seat in seats) for one in (table, swapped)]
    return both[: matches_a_pair(test.bot.game)]


def _house_bots(game: str, rng: random.Random, *, without: int) -> list[int]:
    rows = Bot.objects.filter(game=game, is_house=True, retired=False, active__isnull=False).exclude(pk=without)
    found = [pk for pk in rows.order_by("pk").values_list("active_id", flat=True) if pk is not None]
    places = min(TABLE_SEATS, GAMES[game].max_seats) - 2
    return rng.sample(found, min(places, len(found)))


def _replan_cancelled_matches(test: VersionTest) -> None:
    lost = PairMatch.objects.filter(
        pair__test=test, pair__status=PairStatus.OPEN, match__status=MatchStatus.CANCELLED
    ).select_related("match")
    for line in lost:
        (line.match_id,) = create_matches([_copy_request(line.match)])
        line.save(update_fields=["match"])


def _copy_request(match: Match) -> MatchRequest:
    return MatchRequest(
        game=match.game,
        settings=match.settings,
        limits=match.limits,
        seed=match.seed,
        purpose=Purpose(match.purpose),
        submissions=tuple(match.seats.order_by("index").values_list("submission_id", flat=True)),
        requested_by=match.requested_by_id,
        withheld=match.withheld,
    )
