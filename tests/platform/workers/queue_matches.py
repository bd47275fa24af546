"""Queue scrimmages: ``python -m tests.platform.workers.queue_matches GAME BOT NUMBER PACE``.

Each match is between two copies of a house bot. The copies are created without an upload and its check, in the
database and the store that the environment variables select. Prints the ids of the matches. PACE is the minimum number
of seconds between turns.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import django

django.setup()

from django.db import transaction  # noqa: E402

from arena.accounts.services import house_account  # noqa: E402
from arena.core.sandbox.uploads.package import read_package  # noqa: E402
from arena.matches.models import Match, Purpose  # noqa: E402
from arena.submissions import store  # noqa: E402
from arena.submissions.models import Bot, Submission  # noqa: E402
from tests import factories  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]


def main(game: str, name: str, number: int, pace: float) -> list[int]:
    path = ROOT / "bots" / game / "house" / f"{name}.py"
    package = read_package(path.read_bytes(), path.name)
    store.store_package(package)
    players = [factories.bot(house_account(), game=game, name=f"{name} {Bot.objects.count()}") for _ in range(2)]
    for player in players:
        Submission.objects.filter(bot=player).update(sha256=package.sha256)
    with transaction.atomic():  # hide the matches from workers until their limits are set
        made = [factories.queued_match(players, game=game, purpose=Purpose.SCRIMMAGE).pk for _ in range(number)]
        Match.objects.filter(pk__in=made).update(limits={"pace_seconds": pace})
    return made


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))))
