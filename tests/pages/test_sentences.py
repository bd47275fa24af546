"""Every sentence that referee, check and harness write is known to the site, and nothing else is."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import translation

from arena.core.messages import verbatim
from arena.core.referee import protocol, verdict
from arena.core.referee.bot_messages import HARNESS
from arena.core.referee.check import Check
from arena.core.referee.clock import FakeClock
from arena.core.referee.diagnosis import Moment, Place, diagnose
from arena.core.referee.events import NO_TIME, LogSpan
from arena.core.referee.faults import Fault, FaultKind
from arena.core.referee.jailed_player import departure_of
from arena.core.referee.protocol import BadMessage, Line, Stage
from arena.core.referee.spec import MatchLimits
from arena.core.referee.testing import ScriptedPlayer, Turn
from arena.core.sandbox.outside.exits import ExitReason, ProcessExit
from arena.games.base import IllegalMove, Json
from arena.games.registry import GAMES
from arena.games.sentences import recognized, translated
from bots.golden_point.sdk import SDK as GOLDEN_POINT
from bots.reversi.sdk import SDK as REVERSI
from bots.sdk import answers, failures
from bots.sdk.scripts.dialect import Dialect
from tests.bots.conversation import Conversation
from tests.bots.wording import TEMPLATES, said
from tests.core.referee.games import first_legal

PLACE = Place("deep/search.py", 12, "while True:")


def refusal(game: str, answer: Json, settings: dict[str, Json]) -> str:
    rules = GAMES[game]
    state = rules.initial(rules.settings(settings), 2, random.Random(1))
    with pytest.raises(IllegalMove) as refused:
        rules.parse(state, 0, answer)
    return str(refused.value)


def complaint(payload: bytes, stage: Stage = Stage.MOVE) -> str:
    line = Line(make_nonce=lambda: "n")
    line.open(protocol.Request(0, stage, b"}"))
    with pytest.raises(BadMessage) as bad:
        line.accept(payload)
    return str(bad.value)


def unusable(answer: object) -> str:
    with pytest.raises(answers.Unusable) as refused:
        answers.plain(answer)
    return said(refused.value)


def missing(*libraries: str) -> str:
    return diagnose(Fault(FaultKind.START, verbatim(""), missing_module="torch.nn"), Moment(0), libraries).message.text


REFUSALS = [
    *(refusal("reversi", answer, {}) for answer in (None, 3, "Z9", "A1")),
    *(refusal("golden_point", answer, {"numbers": 1}) for answer in ([1, 2], None, "5", True, [[]], [{}], 100)),
    refusal("golden_point", 5, {"numbers": 2}),
    *(unusable(answer) for answer in ({"a set"}, list(range(1025)), True)),
    "it gave no answer",
    "it cannot be read as a move",
]
OURS = (ExitReason.OUT_OF_MEMORY, ExitReason.KILLED_FROM_OUTSIDE)
ENDS = [reason for reason in ExitReason if reason not in OURS]
DEPARTURES = [departure_of(ProcessExit(reason, code=3, signal=11)).message.text for reason in ENDS]
COMPLAINTS = [
    complaint(b'{"t":"answer","nonce":"other","value":1}'),
    complaint(b'{"t":"done","nonce":"n"}'),
    complaint(b" " * (protocol.MAX_REPLY_BYTES + 1)),
    complaint(b'"\\u0000"'),
    complaint(b"hello"),
    "It wrote to the referee's channel without being asked.",
]
OWN_DOING = [
    HARNESS[failures.describe(error, "/bot")["code"]].english
    for error in (MemoryError(), SystemExit(), OSError(27, ""), OSError(28, ""))
]


@pytest.mark.parametrize(
    "sentence",
    [
        *REFUSALS,
        *DEPARTURES,
        *COMPLAINTS,
        *OWN_DOING,
        missing(),
        missing("numpy", "treelib"),
        *(verdict.timed_out(stage, 60.0, place).message.text for stage in Stage for place in (None, PLACE)),
        *(verdict.gone(Stage.IMPORT, FaultKind.EXIT, verbatim(text), PLACE).message.text for text in DEPARTURES),
    ],
)
def test_what_the_referee_says_is_known(sentence: str) -> None:
    assert recognized(sentence)


@pytest.mark.parametrize("reason", REFUSALS)
@pytest.mark.parametrize("tries", [1, 3])
def test_why_an_answer_is_illegal_is_known(reason: str, tries: int) -> None:
    shown = verdict.refused(protocol.Answer("n", "a: b"), verbatim(reason), NO_TIME, LogSpan()).message
    known = recognized(verdict.illegal(tries, shown).message.text)
    assert known
    assert recognized(known[1]["sentence"]) == ("%(answer)s: %(reason)s", {"answer": "'a: b'", "reason": reason})


@pytest.mark.parametrize(
    "main",
    [
        "x = 1",
        "class Brain: pass",
        "def play(): pass",
        "class Brain: pass\ndef play(): pass",
        "class AIPlayer: pass",
        "class A:\n  def get_move(self, b): pass\nclass B(A): pass",
    ],
)
def test_what_is_no_player_is_known(tmp_path: Path, main: str) -> None:
    assert recognized(Conversation(tmp_path, main=main).start()["message"])


@pytest.mark.parametrize(
    ("main", "answer"),
    [
        ("# arena: nonsense", None),
        ("x = input()", None),
        ("# arena: codingame", None),
        ("# arena: reversi-ai", None),
        ("# arena: botzone\ninput()", "the script printed nothing"),
        ("# arena: botzone\ninput(); print('?')", "the script printed '?'"),
        ("# arena: botzone\ninput(); print('{\"response\": 3}')", "its response is 3"),
        *(
            (f"# arena: botzone-simple\nopen(0).read(); print('{pair}')", told)
            for pair, told in {"-1 -1": "the script passed", "8 1": "x = 8, y = 1 is outside"}.items()
        ),
        ("# arena: botzone\ninput(); print('{\"response\": {}}')", "x and y must be whole"),
        ("def reversi_ai(a, b, c): return 64", "which is outside"),
        ("def reversi_ai(a, b, c): return 'a1'", "not a pair"),
    ],
)
def test_what_is_said_of_scripts_is_known(tmp_path: Path, main: str, answer: str | None) -> None:
    bot = Conversation(tmp_path, main=main)
    reply = bot.start()
    assert (reply["t"] == "failed") == (answer is None)
    said = bot.move()["text"] if answer else reply["message"]
    assert answer is None or answer in said
    assert recognized(said)


@pytest.mark.parametrize("dialect", [*REVERSI.dialects.values(), *GOLDEN_POINT.dialects.values()])
def test_whom_a_script_was_written_for_is_known(dialect: type[Dialect]) -> None:
    assert recognized(TEMPLATES[dialect.code].english)


@pytest.mark.parametrize("seconds", [0.1, 15.0])
def test_what_the_check_says_is_known(seconds: float) -> None:
    clock = FakeClock()

    def seat(folder: Path) -> ScriptedPlayer:
        return ScriptedPlayer(clock, then=slow(seconds) if folder.name == "bot" else first_legal)

    report = Check(seat, GAMES["reversi"], MatchLimits(), clock, lambda step: None).run(Path("bot"), Path("house"))
    assert report.passed
    for step in report.steps:
        assert recognized(step.message.text), step.message


def slow(seconds: float) -> Callable[[Json], Turn]:
    def answer(request: Json) -> Turn:
        turn = first_legal(request)
        return Turn(turn.answer, takes=seconds)

    return answer


@pytest.mark.parametrize("text", ["KeyError: 'x'", "SyntaxError: expected ':'", "", "a: b: c"])
def test_the_text_of_an_exception_stays(text: str) -> None:
    assert recognized(text) is None
    assert translated(text) == text


def test_sentences_within_sentences_are_translated_too() -> None:
    sentence = "While importing main.py: It ended its own process with exit code 3. It was at line 12 of main.py."
    assert translated(sentence) == sentence
    with translation.override("zh-hans"):
        assert translated(sentence) == "导入 main.py 时：它自行结束了进程，退出码为 3。当时执行到 main.py 第 12 行。"
