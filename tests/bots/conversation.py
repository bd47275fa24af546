"""A test client that talks to a harness session as the referee does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.core.referee import protocol
from arena.core.referee.bot_messages import bot_messages
from arena.games.golden_point.rules import Numbers, pack_numbers
from arena.games.registry import GAMES, PACKAGES
from bots.sdk.harness import Session


def board() -> str:
    cells = ["."] * 64
    cells[27] = cells[36] = "O"
    cells[28] = cells[35] = "X"
    return "".join(cells)


class Conversation:
    """A session with one bot, whose files are given by name.

    Each method sends one request and returns the reply's fields.
    """

    def __init__(self, folder: Path, game: str = "reversi", **files: str) -> None:
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        import_module(PACKAGES[game].sdk)
        self.session = Session(str(folder))
        self.game = game

    def send(self, do: str, **fields: Any) -> dict[str, Any]:
        payload = self.session.handle(json.dumps({"nonce": "n", "do": do, **fields}).encode())
        reply: dict[str, Any] = json.loads(payload)
        assert reply.pop("nonce") == "n"
        return {**reply, **self._reply_texts(payload)}

    def _reply_texts(self, payload: bytes) -> dict[str, str]:
        """Return a reply's text fields, worded by the referee; {} for an answer or a reply without a code."""
        said = protocol.decode(payload)
        if isinstance(said, protocol.Answer) or not said.code:
            return {}
        assert said.code in bot_messages(GAMES[self.game])
        with_text = protocol.fill_in_text(said, bot_messages(GAMES[self.game]))
        return {field: getattr(with_text, field) for field in ("note", "text", "message") if hasattr(with_text, field)}

    def load(self, seat: int = 0, seats: int = 2, **settings: Any) -> dict[str, Any]:
        settings = settings or ({"numbers": 2, "rounds": 10} if self.game == "golden_point" else {"opening": ""})
        limits = {"start_seconds": 10, "move_seconds": 60, "course_files": sorted(GAMES[self.game].course_files)}
        return self.send("load", game=self.game, seat=seat, seats=seats, settings=settings, **limits)

    def start(self) -> dict[str, Any]:
        """Start the bot and construct its player.

        Return the first reply that is not ``done``, or else the last reply.
        """
        own = {"color": "X"} if self.game == "reversi" else {"score": 0}
        for reply in (self.load(), self.send("import"), self.send("construct", own=own)):
            if reply["t"] != "done":
                break
        return reply

    def move(self, cells: str | None = None) -> dict[str, Any]:
        return self.send("move", own={"color": "X"}, shared={"board": cells or board(), "last": None, "moves": ""})

    def round(
        self, number: int, golden: float = 0.0, played: Sequence[Numbers | None] = (), score: int = 0
    ) -> dict[str, Any]:
        """Request a move and return the reply.

        ``golden`` and ``played`` describe the previous round; they are ignored in the first round.
        """
        silent = [seat for seat, own in enumerate(played) if own is None]
        previous = {"golden": golden, "numbers": pack_numbers(played), "silent": silent} if number > 1 else None
        return self.send("move", own={"score": score}, shared={"round": number, "previous": previous})
