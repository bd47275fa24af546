"""In the jail, course scripts can save files next to themselves and read them back."""

from __future__ import annotations

import pytest

from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.referee.jailed import FIRST, MakeBot, play_in_jail
from tests.core.referee.matches import golden_spec, reversi_spec

pytestmark = pytest.mark.sandbox


SAVES = """
import os
import numpy as np

if not os.path.exists("assets"):
    os.mkdir("assets")
np.save("prediction_table.npy", np.zeros(500_000))
np.savetxt("assets/weights.csv", np.arange(3))
with open("tactics.py", "w") as file:
    file.write("NUMBER = 7\\n")
import tactics

class AIPlayer:
    def __init__(self, seat):
        self.games = 0
    def get_move(self, state):
        self.games += 1
        with open("history.txt", "a") as file:
            file.write("x")
        assert len(open("history.txt").read()) == self.games
        assert np.load("prediction_table.npy").shape == (500_000,)
        return tactics.NUMBER
"""


def test_script_saves_a_file_next_to_itself_and_reads_it_again(server: ForkServer, bot: MakeBot) -> None:
    if "numpy" not in server.preloaded:
        pytest.skip("numpy is not among the libraries for bots: make install")
    folder = bot(SAVES)
    for _ in range(2):  # the second match starts from the same state as the first
        result = play_in_jail(server, golden_spec(2, rounds=3, numbers=1), folder, bot("def get_move(s): return 1"))
        assert result.diagnoses == (None, None)
        assert [path.name for path in folder.iterdir()] == ["main.py"]


def test_full_folder_is_reported_with_the_source_line(server: ForkServer, bot: MakeBot) -> None:
    greedy = FIRST.replace(
        "        return",
        "        for n in range(99):\n            open(f'{n}.bin', 'wb').write(bytes(2**20))\n        return",
    )
    found = play_in_jail(server, reversi_spec(), bot(greedy), bot(FIRST)).diagnoses[0]
    assert found is not None
    assert (found.kind.value, found.message.code) == ("output", "bot.folder_full")
    assert found.source_line == "open(f'{n}.bin', 'wb').write(bytes(2**20))"
