"""All measurements in one table; everything stays on this machine.

make bench      or      python -m bench --only start --only answer
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path

from arena.games.registry import GAMES
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


def all_parts() -> dict[str, Part]:
    """The parts above, and those of files about one game that say how many ``SECONDS`` they may take."""
    found = dict(PARTS)
    for path in sorted(path for game in GAMES for path in Path(__file__).parent.glob(f"{game}_*.py")):
        # Read and not imported: some need libraries that are not there.
        if seconds := re.search(r"^SECONDS = ([0-9]+)$", path.read_text(), re.MULTILINE):
            found[path.stem] = Part(f"{path.stem}:run", float(seconds[1]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the arena on this machine.")
    parts = all_parts()
    parser.add_argument("--only", action="append", choices=parts, metavar="NAME", help=f"one of {', '.join(parts)}")
    names = parser.parse_args().only or list(parts)
    began, load = time.monotonic(), os.getloadavg()[0]
    found: list[Section] = []
    for name in names:
        section = run(parts[name])
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
