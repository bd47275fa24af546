"""All measurements in one table; everything stays on this machine.

make bench      or      python -m bench --only start --only answer
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from bench.part import Part, run
from bench.table import Section, lines, summary

# What each may take at most. On an idle machine they take ten minutes together, the tournament half of them.
PARTS = {
    "start": Part("starting:run", 60),
    "answer": Part("asking:run", 25),
    "match": Part("playing:run_reversi", 20),
    "end": Part("ending:run", 30),
    "search": Part("reversi_searching:run", 200),
    "playout": Part("reversi_chance:run", 90),
    "strength": Part("reversi_strength:run", 400),
    "golden": Part("playing:run_golden", 110),
    "strategies": Part("golden_point_strategies:run", 240),
    "site": Part("site:run", 260),
    "uploads": Part("uploads:run", 120),
    "live": Part("fanout:run", 80),
    "rooms": Part("rooms:run", 120),
    "spectators": Part("spectators:run", 150),
    "logins": Part("logins:run", 180),
    "tournament": Part("tournaments:run", 600),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the arena on this machine.")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="NAME", help=f"one of {', '.join(PARTS)}")
    names = parser.parse_args().only or list(PARTS)
    began, load = time.monotonic(), os.getloadavg()[0]
    found: list[Section] = []
    for name in names:
        section = run(PARTS[name])
        if section is None:
            print(f"\n{name}: not measured", flush=True)
            continue
        found.append(section)
        print("", *lines(section), sep="\n", flush=True)
    print(f"\n{summary(found)}.")
    print(
        f"{time.monotonic() - began:.0f} s on {os.cpu_count()} cores; when it began, {load:.1f} processes wanted them."
    )
    return 0 if len(found) == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
