"""Run the engine in its own process, because the site never imports bots.

Invariants: the process runs at a low priority, so that it does not slow down matches; it is stopped when the worker
shuts down, and it exits when nobody reads its output any more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Final

from django.conf import settings

from arena.games.reversi.analysis.engine import EngineError, EngineStopped
from arena.games.reversi.lines import Line
from arena.games.reversi.move_grades import EngineFinding
from arena.games.reversi.notation import write_ggf

# Niceness 10 (the maximum is 19) gives the engine about a tenth of a contested core. Its budget is CPU time: with a
# smaller share, an analysis would take half an hour on a busy machine.
_NICENESS: Final = 10
_POLL_SECONDS: Final = 0.5  # polling interval of ``stop``
_REPORTED_CHARACTERS: Final = 400  # from the end of a failed process's output


class ProcessEngine:
    """An ``Engine`` that runs ``command``, whose last argument is the line in GGF.

    ``folder``: the command's working directory.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command, self._folder = tuple(command), folder

    def __call__(self, line: Line, on_finding: Callable[[EngineFinding], None], stop: Callable[[], bool]) -> None:
        positions = len(line.moves) + 1
        with tempfile.TemporaryFile() as errors, self._start_process(write_ggf(line), errors) as process:
            found = 0
            for text in _lines(process, stop):
                on_finding(_parse_finding(text))
                found += 1
            code = process.wait()
            if code or found != positions:
                errors.seek(0)
                stderr = errors.read().decode("utf-8", "replace").strip()[-_REPORTED_CHARACTERS:]
                raise EngineError(f"exit code {code} after {found} of {positions} positions: {stderr}")

    @contextmanager
    def _start_process(self, game: str, errors: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
        try:
            process = subprocess.Popen(
                [*self._command, game],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        except OSError as error:
            raise EngineError(f"the engine cannot be started: {error}") from error
        try:
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
            yield process
        finally:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()


def _lines(process: subprocess.Popen[bytes], stop: Callable[[], bool]) -> Iterator[bytes]:
    """Yield the process's output line by line until it closes. Raises EngineStopped once ``stop`` returns true."""
    lines: SimpleQueue[bytes] = SimpleQueue()
    reader = threading.Thread(target=_read, args=(process, lines), name="engine", daemon=True)
    reader.start()
    ended = False
    try:
        while not ended:
            with suppress(Empty):
                text = lines.get(timeout=_POLL_SECONDS)
                ended = not text
                if text:
                    yield text
            if stop() and not ended:
                raise EngineStopped
    finally:
        if not ended:
            process.kill()
        reader.join()


def _read(process: subprocess.Popen[bytes], lines: SimpleQueue[bytes]) -> None:
    """Put all lines of the output into ``lines``, then an empty one; runs in a thread, because reading blocks."""
    assert process.stdout is not None  # noqa: S101 - it was started with a pipe
    for text in process.stdout:
        lines.put(text)
    lines.put(b"")


def _parse_finding(text: bytes) -> EngineFinding:
    try:
        return EngineFinding.from_json(json.loads(text))
    except ValueError as error:
        raise EngineError(f"unexpected engine output: {text[:80]!r} ({error})") from None


def house_engine() -> ProcessEngine:
    """Return the engine of the alpha-beta bot, with the time limits from the settings."""
    command = (
        sys.executable,
        "-m",
        "bots",
        "analyse",
        "--json",
        "--seconds",
        str(settings.ANALYSIS_SECONDS),
        "--solving",
        str(settings.ANALYSIS_SOLVING_SECONDS),
    )
    return ProcessEngine(command, settings.BOT_CODE_DIR)
