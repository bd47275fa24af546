"""Messages to and from a bot process.

Invariants: a bot has at most one open request, bound to a nonce it cannot guess; ``BadMessage`` is raised for a reply
that is early, late, duplicated, forged, oversized, malformed or of a type that no honest bot can send. Decoded text
contains no NUL and no lone surrogate, numbers are finite and not booleans, and whole numbers fit a double. A payload
shared by all seats is encoded once.

Requests are JSON objects ``{"nonce", "do", ...}``, one datagram each; ``do`` is one of

- ``load``, with ``game seat seats settings start_seconds move_seconds seed``: compile ``main.py``
- ``import``: run it
- ``construct``, with ``own``: find the player and instantiate it
- ``move``, with ``own shared`` (the changes): call ``get_move``
- ``again``, with ``reason``: the answer was rejected; call ``get_move`` again on the same state

Replies are ``{"t", "nonce", ...}`` with ``t`` one of ``done``, ``answer``, ``unusable``, ``failed``. All types except
``answer`` can contain a ``code`` and its ``parameters`` (see ``arena.core.messages``) instead of text; the referee
then writes the English text (``bot_messages.py``). Such a code begins with "bot.", so that no bot can impersonate the
referee; if the code has no template, the bot's own text is shown unchanged. ``bots/sdk/harness.py`` implements the
bot's side.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec

from arena.core.messages import Templates
from arena.core.referee import messages
from arena.core.referee.bot_messages import HARNESS
from arena.core.referee.faults import BotFault
from arena.games.base import Json

MAX_REPLY_BYTES = 64 * 1024
MAX_ANSWER_ITEMS = 1024  # in a list that a bot returns; ``bots.sdk.answers`` has the same number


class RequestKind(StrEnum):
    """The kinds of requests to a bot, in the order in which a match sends them."""

    LOAD = "load"
    IMPORT = "import"
    CONSTRUCT = "construct"
    MOVE = "move"
    AGAIN = "again"

    @property
    def opens_budget(self) -> bool:
        """Return whether a new time limit starts with this request; other requests continue with the previous one."""
        return self in (RequestKind.LOAD, RequestKind.MOVE)

    @property
    def is_start(self) -> bool:
        return self in (RequestKind.LOAD, RequestKind.IMPORT, RequestKind.CONSTRUCT)


class Cause(StrEnum):
    """The cause of a bot's failure to answer."""

    SYNTAX = "syntax"  # main.py is not Python
    MISSING_MODULE = "missing_module"  # imports a missing module
    NO_PLAYER = "no_player"  # the module contains no player
    MANY_PLAYERS = "many_players"  # several classes could be the player
    EXCEPTION = "exception"  # the bot's code raised an exception
    EXIT = "exit"  # SystemExit
    MEMORY = "memory"  # MemoryError
    OUTPUT = "output"  # exceeded its limits for files


class BadMessage(BotFault):
    """A reply that no honest bot can send; the text says what was wrong."""


_Nonce = Annotated[str, msgspec.Meta(max_length=64)]
_Line = Annotated[str, msgspec.Meta(max_length=4_000)]
_Text = Annotated[str, msgspec.Meta(max_length=32_000)]
_Whole = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Scalar = _Whole | float | _Line
_Values = Annotated[list[_Scalar], msgspec.Meta(max_length=MAX_ANSWER_ITEMS)]
_Code = Annotated[str, msgspec.Meta(pattern=r"^(bot\.[a-z0-9_.]{1,60})?$")]
_Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z_]{1,32}$")]
_Short = Annotated[str, msgspec.Meta(max_length=1_000)]
_Parameters = Annotated[dict[_Name, _Whole | float | _Short], msgspec.Meta(max_length=8)]


class StartDone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="done"):
    """The reply to a completed startup request.

    ``note``: how a script was started or, after ``construct``, a description of the player.
    """

    nonce: _Nonce
    note: _Line = ""
    code: _Code = ""
    parameters: _Parameters = {}


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="answer"):
    """The return value of ``get_move``."""

    nonce: _Nonce
    value: _Scalar | _Values | None


class UnusableAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="unusable"):
    """A return value of ``get_move`` that is not a move in any game; ``text`` describes it."""

    nonce: _Nonce
    text: _Line = ""
    code: _Code = ""
    parameters: _Parameters = {}


class CodeFailed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="failed"):
    """A failure of the bot's code; ``file`` and ``line`` point into its own files if known."""

    nonce: _Nonce
    cause: Cause
    message: _Line = ""
    traceback: _Text = ""
    file: _Line | None = None
    line: _Whole | None = None
    source_line: _Line | None = None
    module: _Line | None = None
    code: _Code = ""
    parameters: _Parameters = {}


Reply = StartDone | Answer | UnusableAnswer | CodeFailed
_TEXT_FIELDS = {StartDone: "note", UnusableAnswer: "text", CodeFailed: "message"}

# The JSON escape of NUL, but not an escaped backslash followed by "u0000".
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_decoder: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
_encoder = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Request:
    """One request before it is bound to a nonce; ``body`` is its JSON without the leading nonce."""

    seat: int
    kind: RequestKind
    body: bytes


def load_request(
    seat: int,
    seats: int,
    game: str,
    settings: Json,
    start_seconds: float,
    move_seconds: float,
    trace_seconds: float | None = None,
    course_files: Collection[str] = (),
    seed: str = "",
) -> Request:
    """Create the first request. ``seed``: for the bot's random generators; "" to use system entropy."""
    fields = {
        "game": game,
        "seat": seat,
        "seats": seats,
        "settings": settings,
        "start_seconds": start_seconds,
        "move_seconds": move_seconds,
        "trace_seconds": move_seconds if trace_seconds is None else trace_seconds,
        "course_files": sorted(course_files),
        **({"seed": seed} if seed else {}),
    }
    return Request(seat, RequestKind.LOAD, b'"do":"load",' + _encoder.encode(fields)[1:])


def import_request(seat: int) -> Request:
    return Request(seat, RequestKind.IMPORT, b'"do":"import"}')


def construct_request(seat: int, own: Json) -> Request:
    return Request(seat, RequestKind.CONSTRUCT, b'"do":"construct","own":' + _encoder.encode(own) + b"}")


def encode_shared(payload: Json) -> bytes:
    """Encode the shared part of a turn's requests once for all seats."""
    return _encoder.encode(payload)


def move_request(seat: int, own: Json, shared: bytes) -> Request:
    body = b"".join((b'"do":"move","own":', _encoder.encode(own), b',"shared":', shared, b"}"))
    return Request(seat, RequestKind.MOVE, body)


def retry_request(seat: int, reason: str) -> Request:
    return Request(seat, RequestKind.AGAIN, b'"do":"again","reason":' + _encoder.encode(reason) + b"}")


def fresh_nonce() -> str:
    return secrets.token_hex(16)


class ProtocolEndpoint:
    """The referee's endpoint of the protocol with one bot."""

    __slots__ = ("_kind", "_make_nonce", "_nonce", "_templates")

    def __init__(self, make_nonce: Callable[[], str] = fresh_nonce, templates: Templates = HARNESS) -> None:
        """Create the endpoint. ``templates``: the templates for the codes that the bot's harness may report."""
        self._templates = templates
        self._make_nonce = make_nonce
        self._nonce: str | None = None
        self._kind = RequestKind.LOAD

    @property
    def is_waiting(self) -> bool:
        return self._nonce is not None

    def open(self, request: Request) -> bytes:
        """Return the bytes to send; the request stays open until its reply is passed to ``accept``."""
        if self._nonce is not None:
            raise RuntimeError("the bot already has an open request")
        self._nonce = self._make_nonce()
        self._kind = request.kind
        return b'{"nonce":"' + self._nonce.encode("ascii") + b'",' + request.body

    def accept(self, payload: bytes) -> Reply:
        """Decode the reply to the open request. Raises BadMessage."""
        expected, self._nonce = self._nonce, None
        if expected is None:
            raise BadMessage(messages.UNASKED())
        reply = decode(payload)
        if not hmac.compare_digest(reply.nonce.encode(), expected.encode()):
            raise BadMessage(messages.WRONG_NONCE())
        if not isinstance(reply, CodeFailed) and isinstance(reply, StartDone) is not self._kind.is_start:
            raise BadMessage(messages.WRONG_KIND())
        return reply if isinstance(reply, Answer) or not reply.code else fill_in_text(reply, self._templates)


def fill_in_text(
    reply: StartDone | UnusableAnswer | CodeFailed, templates: Templates
) -> StartDone | UnusableAnswer | CodeFailed:
    """Fill in the English text for the reply's code and parameters; keep its text if no template fits."""
    template, text = templates.get(reply.code), ""
    with suppress(KeyError, TypeError, ValueError):  # sent by another version, or by a bot
        text = template(**reply.parameters).text if template else ""
    field = _TEXT_FIELDS[type(reply)]
    return msgspec.structs.replace(reply, **{field: text or getattr(reply, field) or reply.code})


def decode(payload: bytes) -> Reply:
    """Decode a well-formed reply; its nonce is not checked. Raises BadMessage."""
    if len(payload) > MAX_REPLY_BYTES:
        raise BadMessage(messages.TOO_LONG(n=MAX_REPLY_BYTES))
    if b"\\u0000" in payload and _ESCAPED_NUL.search(payload):
        raise BadMessage(messages.HAS_NUL())
    try:
        return _decoder.decode(payload)
    except Exception as error:  # noqa: BLE001 - whatever the decoder makes of a bot's bytes, the bot sent them
        raise BadMessage(messages.MALFORMED(error=str(error)[:200])) from None
