"""Old bots can use names that Python and numpy have removed."""

from __future__ import annotations

import collections
import sys
from pathlib import Path

import pytest

from bots.sdk.legacy import restore_removed_names
from tests.bots.conversation import Conversation

LIBRARIES = Path(__file__).resolve().parents[3] / "build" / "bot-libraries"


def play_turn(folder: Path, *lines: str) -> object:
    """Return the answer of a bot that runs these lines of code at the beginning of each turn."""
    body = "".join(f"    {line}\n" for line in lines)
    bot = Conversation(folder, main=f"def get_move(board):\n{body}    return 'D3'\n")
    assert bot.start()["t"] == "done"
    return bot.move().get("value")


def test_removed_names_of_the_standard_library_work(tmp_path: Path) -> None:
    assert play_turn(
        tmp_path,
        "import time, fractions",
        "from collections import Callable, Iterable, Mapping",
        "assert isinstance([], Iterable) and time.clock() and fractions.gcd(6, 4) == 2",
    )


def test_breakpoints_are_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pdb

    monkeypatch.setattr(sys, "breakpointhook", sys.breakpointhook)
    monkeypatch.setattr(pdb, "set_trace", pdb.set_trace)
    assert play_turn(tmp_path, "import pdb", "pdb.set_trace()", "breakpoint()") == "D3"
    noted = [line for line in capsys.readouterr().err.splitlines() if "breakpoint" in line]
    assert [line.partition(" was ")[0] for line in noted] == [
        "[arena] The breakpoint on line 3",
        "[arena] The breakpoint on line 4",
    ]


@pytest.mark.skipif(not LIBRARIES.is_dir(), reason="the bots' libraries are not installed: make install")
def test_removed_numpy_names_are_reported_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(LIBRARIES)
    assert play_turn(
        tmp_path,
        "import numpy as np",
        "assert np.Inf == -np.NINF == np.PINF == np.Inf and np.NaN != np.NaN",
        "assert np.zeros(1, dtype=np.float)[0] == np.product([0.0]) and np.float_ is np.float64",
        "assert not hasattr(np, 'nonsense')",
    )
    noted = [line for line in capsys.readouterr().err.splitlines() if "NumPy" in line]
    assert len(noted) == 7
    assert "[arena] np.Inf was removed from NumPy. Use np.inf instead." in noted
    assert "[arena] np.float was removed from NumPy. Use float instead." in noted


def test_existing_names_are_kept(tmp_path: Path) -> None:
    before = collections.OrderedDict, exit
    restore_removed_names(str(tmp_path))
    assert (collections.OrderedDict, exit) == before
