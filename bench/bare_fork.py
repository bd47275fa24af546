"""For each number in the input, fork that many children and print the seconds until all have responded.

Run by ``baselines.ForkBaseline`` in an isolated interpreter; the argument is a folder with importable packages.
"""

import gc
import importlib
import os
import signal
import sys
import time

sys.path.append(sys.argv[1])
for name in ("json", "random", "inspect", "decimal", "statistics", "numpy", "numpy.random"):
    try:
        importlib.import_module(name)
    except ImportError:  # no libraries are installed here
        continue
gc.collect()
gc.disable()
gc.freeze()


def fork_and_time(count: int) -> float:
    started = time.perf_counter()
    readers, children = [], []
    for _ in range(count):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, b".")
            signal.pause()
        os.close(writer)
        readers.append(reader)
        children.append(child)
    for reader in readers:
        os.read(reader, 1)
    seconds = time.perf_counter() - started
    for child, reader in zip(children, readers, strict=True):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
    return seconds


for line in sys.stdin:
    print(fork_and_time(int(line)), flush=True)
