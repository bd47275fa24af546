"""Run all measurements and print one table; no data leaves this machine.

make bench      or      python -m bench --only start --only answer
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from bench.benchmark import Benchmark, run_benchmark
from bench.games import game_benches
from bench.table import Section, section_lines, summarize_goals

# The benchmarks with their time limits. On an idle machine, they take ten minutes together, half of it for tournaments.
BENCHMARKS = {
    "start": Benchmark("bench.starting:run", 60),
    "answer": Benchmark("bench.request_latency:run", 25),
    "match": Benchmark("bench.matches:run_pair", 20),
    "end": Benchmark("bench.stopping:run", 30),
    "site": Benchmark("bench.site:run", 260),
    "uploads": Benchmark("bench.uploads:run", 120),
    "studio": Benchmark("bench.studio:run", 120),
    "paint": Benchmark("bench.paint:run", 300),
    "live": Benchmark("bench.fanout:run", 80),
    "sign-ins": Benchmark("bench.sign_ins:run", 180),
    "tournament": Benchmark("bench.tournaments:run", 600),
    "million": Benchmark("bench.million:run", 1800),
}
# Run only with --only, because they take minutes and a gigabyte of disk space.
ON_REQUEST = {"million"}


def all_benchmarks() -> dict[str, Benchmark]:
    """Return the general benchmarks and those of the games."""
    found = dict(BENCHMARKS)
    for bench in game_benches():
        found |= bench.benchmarks
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Benchmark the arena on this machine.")
    benchmarks = all_benchmarks()
    parser.add_argument(
        "--only", action="append", choices=benchmarks, metavar="NAME", help=f"one of {', '.join(benchmarks)}"
    )
    names = parser.parse_args().only or [name for name in benchmarks if name not in ON_REQUEST]
    began, load = time.monotonic(), os.getloadavg()[0]
    found: list[Section] = []
    for name in names:
        section = run_benchmark(benchmarks[name])
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
