"""Bots that are scripts: the referee's request becomes the script's input, and the script's output becomes the reply.

The jail allows neither threads nor processes, so a script waits for its next turn inside its own call to ``input``.
There the reply is sent and the next request is received; then the script continues.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from bots.sdk import answers, replies
from bots.sdk.failures import ScriptEnded
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.program import BotProgram

_NO_LOOP = "bot.script.ended"
_INPUT_ENDED = "[arena] The script had already read all input of this turn. The bot guide describes the input."


class ScriptBot:
    """A bot that is a script; ``finish_turn`` sends a reply and returns at the script's next turn."""

    def __init__(self, program: BotProgram, dialect: Dialect, finish_turn: Callable[[str], None]) -> None:
        self._program = program
        self._dialect = dialect
        self._finish_turn = finish_turn
        self._turns = 0  # number of turns begun so far
        self._last = ""  # the last reply of a script that keeps running; "" for other scripts

    def start(self) -> str:
        """Run the script up to its first read if it stays running between turns; return the reply.

        Other scripts start on the first turn.
        """
        if not self._dialect.stays:
            return replies.done_reply("bot.script.anew")
        return self._run("")

    def construct(self, own: Mapping[str, Any]) -> str:
        self._dialect.begin(own)
        return replies.done_reply(self._dialect.code)

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._turns += 1
        self._dialect.observe(own, shared)

    def ask(self) -> str:
        """Run a script that is not waiting for input; return its reply.

        Raises ScriptEnded for a script that should have kept running between turns.
        """
        if self._dialect.stays:
            raise ScriptEnded(_NO_LOOP)
        return self._run(self._dialect.first_input())

    def ask_again(self) -> str:
        """Repeat the turn after an illegal answer; return the reply.

        A script that keeps running has already continued and cannot be asked again, so its answer is resubmitted.
        """
        if not self._last:
            return self.ask()
        print("[arena] A script that keeps running is not asked again: its answer is resubmitted.", file=sys.stderr)
        return self._last

    def _run(self, text: str) -> str:
        """Run the script until it exits, on this turn or later; return the reply to the pending request."""
        try:
            printed = self._program.run(text, self._more, logged=self._dialect.logged)
        except EOFError as error:
            error.add_note(_INPUT_ENDED)
            raise
        self._last = ""
        if not self._dialect.stays:
            return replies.answer_reply(lambda: self._dialect.answer(printed))
        if not self._turns:
            raise ScriptEnded("bot.script.read_nothing")
        try:
            value = self._dialect.answer(printed)
        except answers.Unusable:
            raise ScriptEnded(_NO_LOOP) from None
        return replies.answer_reply(lambda: value)

    def _more(self, printed: str) -> str | None:
        """Return more input for a script that has printed ``printed`` and reads again; None if no input is left."""
        reply_to_question = self._dialect.reply(printed)
        if reply_to_question is not None:
            return reply_to_question
        if not self._turns:
            reply = replies.done_reply("bot.script.begun")
        elif self._dialect.waits(printed):
            reply = self._last = replies.answer_reply(lambda: self._dialect.answer(printed))
        else:
            return None
        first = not self._turns
        self._finish_turn(reply)
        return self._dialect.first_input() if first else self._dialect.next_input()
