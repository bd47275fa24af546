"""Run all measurements and print one table; no data leaves this machine.

make bench      or      python -m bench --only start --only answer
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from bench.games import game_benches
from bench.part import Part, run_part
from bench.table import Section, section_lines, summarize_goals

# The parts with their time limits. On an idle machine, all parts together take ten minutes, half of it for tournaments.
PARTS = {
    "start": Part("bench.starting:run", 60),
    "answer": Part("bench.request_latency:run", 25),
    "match": Part("bench.matches:run_pair", 20),
    "end": Part("bench.stopping:run", 30),
    "site": Part("bench.site:run", 260),
    "uploads": Part("bench.uploads:run", 120),
    "studio": Part("bench.studio:run", 120),
    "paint": Part("bench.paint:run", 300),
    "live": Part("bench.fanout:run", 80),
    "logins": Part("bench.logins:run", 180),
    "tournament": Part("bench.tournaments:run", 600),
    "million": Part("bench.million:run", 1800),
}
# Run only with --only, because they take minutes and a gigabyte of disk space.
ON_REQUEST = {"million"}


def all_parts() -> dict[str, Part]:
    """Return the general parts and the games' own parts."""
    found = dict(PARTS)
    for bench in game_benches():
        found |= bench.parts
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Benchmark the arena on this machine.")
    parts = all_parts()
    parser.add_argument("--only", action="append", choices=parts, metavar="NAME", help=f"one of {', '.join(parts)}")
    names = parser.parse_args().only or [name for name in parts if name not in ON_REQUEST]
    began, load = time.monotonic(), os.getloadavg()[0]
    found: list[Section] = []
    for name in names:
        section = run_part(parts[name])
        if section is None:
            print(f"\n{name}: not measured", flush=True)
            continue
        found.append(section)
        print("", *section_lines(section), sep="\n", flush=True)
    print(f"\n{summarize_goals(found)}.")
    print(f"{time.monotonic() - began:.0f} s on {os.cpu_count()} cores; load average at the start: {load:.1f}.")
    return 0 if len(found) == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
