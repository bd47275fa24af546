"""A process with the site's code and database, in which a test calls functions from outside.

Each line on its standard input is a call, ``["name", {arguments}]``; each line on its output is the returned value.
The process is started once per site, because starting takes a second.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import django

django.setup()

from django.contrib.auth.hashers import make_password  # noqa: E402
from django.db import close_old_connections, connections  # noqa: E402
from django.utils import timezone  # noqa: E402

from arena.accounts.models import Role, User  # noqa: E402
from arena.accounts.services import house_account  # noqa: E402
from arena.core.referee.record import load  # noqa: E402
from arena.core.sandbox.uploads.package import read_package  # noqa: E402
from arena.games.registry import GAMES  # noqa: E402
from arena.matches import verification as matches  # noqa: E402
from arena.matches.models import Match, MatchRecord, MatchStatus  # noqa: E402
from arena.matches.services import JOBS, PLAY_TASK  # noqa: E402
from arena.platform.jobs.dispatcher import wake_worker  # noqa: E402
from arena.submissions import services  # noqa: E402
from arena.submissions.models import Submission  # noqa: E402
from arena.submissions.services import BotDraft, Upload  # noqa: E402
from arena.tournaments import scheduler  # noqa: E402
from arena.tournaments.models import Entry, Format, Tournament  # noqa: E402
from arena.tournaments.services import creation  # noqa: E402
from arena.tournaments.services.creation import TournamentPlan  # noqa: E402
from arena.tournaments.standings import verification  # noqa: E402

GAME = "reversi"


def organizer(name: str, password: str) -> None:
    User.objects.create(username=name, role=Role.ORGANIZER, password=make_password(password))


def upload(name: str, source: str) -> int:
    """Upload a house bot, start its check, and return its id."""
    data = source.encode()
    sent = Upload(read_package(data, "main.py"), "main.py", len(data))
    draft = BotDraft(GAME, name, is_house=True)
    return services.create_bot(house_account(), draft, sent, now=timezone.now()).bot_id


def checks() -> dict[str, int]:
    """Count uploads by status."""
    return dict(Counter(Submission.objects.values_list("status", flat=True)))


def package_of(bot: int) -> str:
    """Return the hash under which a bot's files are stored."""
    return str(Submission.objects.values_list("sha256", flat=True).get(bot=bot))


def tournament(bots: list[int], repeats: int, pace: float) -> int:
    """Create a round robin of ``bots`` that starts now, organized by the newest organizer; return its id."""
    now = timezone.now()  # not earlier, because the bots may have been uploaded in this very second
    rules = GAMES[GAME]
    plan = TournamentPlan(
        name="Cup",
        game=GAME,
        format=Format.ROUND_ROBIN,
        repeats=repeats,
        deadline=now,
        starts_at=now,
        settings=rules.settings_json(rules.settings({})),
        limits={"move_seconds": 10.0, "start_seconds": 20.0, "illegal_answers": 3, "pace_seconds": pace},
    )
    host = User.objects.filter(role=Role.ORGANIZER).latest("pk")
    made = creation.create(host, plan, rng=random.Random(len(bots)), house_bots=bots)
    scheduler.tick(now=timezone.now())
    return made


def progress(tournament: int) -> dict[str, Any]:
    """Return the tournament's status, its matches by status, and the largest number of attempts for a match."""
    rows = Match.objects.filter(pairing__tournament=tournament).values_list("status", "attempts")
    return {
        "status": Tournament.objects.values_list("status", flat=True).get(pk=tournament),
        "matches": dict(Counter(status for status, _ in rows)),
        "attempts": max((attempts for _, attempts in rows), default=0),
    }


def match(pk: int) -> dict[str, Any]:
    row = Match.objects.values("status", "fence", "attempts", "worker").get(pk=pk)
    return dict(row)


def running_matches(tournament: int) -> list[int]:
    rows = Match.objects.filter(pairing__tournament=tournament, status=MatchStatus.RUNNING)
    return list(rows.values_list("pk", flat=True))


def kill_worker(
    part: str, tournament: int | None = None, match: int | None = None, timeout: float = 150.0
) -> list[int]:
    """Kill a process of a running match's worker: its pool process (``part`` "process") or its main process ("main").

    Without ``tournament`` and ``match``, choose any running match. Return the match and its fence. A match whose result
    was stored just before the kill does not count.
    """
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        rows = Match.objects.filter(status=MatchStatus.RUNNING)
        if tournament is not None:
            rows = rows.filter(pairing__tournament=tournament)
        if match is not None:
            rows = rows.filter(pk=match)
        for pk, fence, worker in rows.values_list("pk", "fence", "worker"):
            was_alive = _kill(int(worker.split(":")[{"main": 1, "process": 2}[part]]))
            if was_alive and Match.objects.filter(pk=pk, fence=fence, status=MatchStatus.RUNNING).exists():
                return [pk, fence]
        time.sleep(0.002)  # shorter than a turn, and hardly uses the CPU
    raise TimeoutError("no match could be interrupted")


def _kill(pid: int) -> bool:
    """Kill a process, wait until it is dead or a zombie, and return whether it was alive."""
    was_alive = _is_alive(pid)
    while _is_alive(pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)
    return was_alive


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wake(match: int, times: int) -> None:
    """Send ``times`` wake-ups for a match to the workers."""
    for _ in range(times):
        wake_worker(PLAY_TASK, match, queue=f"matches.{GAME}")


def tick(times: int) -> None:
    """Run scheduler ticks from an additional process."""
    for _ in range(times):
        scheduler.tick(now=timezone.now())


def is_interrupted(match: int, fence: int) -> bool:
    """Return whether the match still has this fence, so that no worker has claimed it since it was interrupted."""
    return JOBS.rows().filter(pk=match, fence=fence).exists()


def problems_of(match: int) -> list[str]:
    """Return the problems with the stored result of one match."""
    return [str(problem) for problem in matches.problems_of(match)]


def problems(tournament: int) -> list[str]:
    """Return the problems with a finished tournament, in which black must win every match without a fault."""
    pks = list(Match.objects.filter(pairing__tournament=tournament).order_by("pk").values_list("pk", flat=True))
    found = [f"match {pk}: {problem}" for pk in pks for problem in matches.problems_of(pk)]
    found += map(str, verification.problems_of(tournament))
    records = Counter(MatchRecord.objects.filter(match__in=pks).values_list("match_id", flat=True))
    found += [f"match {pk} has {records[pk]} records" for pk in pks if records[pk] != 1]
    return found + _standing_by_hand(tournament)


def points(tournament: int) -> list[float]:
    return list(Entry.objects.filter(tournament=tournament).order_by("pk").values_list("points", flat=True))


def _standing_by_hand(tournament: int) -> list[str]:
    """Compare each entry's points and match count with sums over the records; return the discrepancies."""
    points: Counter[int] = Counter()
    played: Counter[int] = Counter()
    problems = []
    rows = MatchRecord.objects.filter(match__pairing__tournament=tournament).select_related("match")
    for row in rows:
        record = load(bytes(row.data))
        outcome = record.outcome
        entries = row.match.pairing.seats.order_by("index").values_list("entry_id", flat=True)
        if list(outcome.points) != [1.0, 0.0] or outcome.termination != "completed":
            faulty = [(turn.number, move) for turn in record.turns for move in turn.moves if move.fault]
            problems.append(f"match {row.match_id}: {outcome}, faults {faulty}")
        for entry, value in zip(entries, outcome.points, strict=True):
            points[entry] += int(value)
            played[entry] += 1
    columns = ("pk", "points", "played")
    stored = {pk: (won, n) for pk, won, n in Entry.objects.filter(tournament=tournament).values_list(*columns)}
    fresh = {pk: (float(points[pk]), played[pk]) for pk in stored}
    return problems if stored == fresh else [*problems, f"the standing says {stored}, the records {fresh}"]


CALLS = {
    call.__name__: call
    for call in (
        organizer,
        upload,
        checks,
        package_of,
        tournament,
        progress,
        match,
        running_matches,
        kill_worker,
        wake,
        tick,
        is_interrupted,
        problems_of,
        problems,
        points,
    )
}


def main() -> None:
    for line in sys.stdin:
        name, arguments = json.loads(line)
        close_old_connections()
        try:
            answer: dict[str, Any] = {"returned": CALLS[name](**arguments)}
        except Exception as error:  # noqa: BLE001 - whatever it is, it is for the test outside
            answer = {"raised": f"{type(error).__name__}: {error}"}
            connections.close_all()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
