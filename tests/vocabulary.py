"""Find words that docs/glossary.md rules out: ``python -m tests.vocabulary [FOLDER]``, a part of ``make check``.

Reads the prose of documents and build files; the docstrings, comments and texts of Python files; templates, scripts and
styles; and translations. A text is a string with a space. Skips code in documents and text in backticks.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENTS: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/*.md",
    "Makefile",
    "Dockerfile",
    "docker-compose.yml",
)
CODE: Final = ("arena", "bench", "bots", "tests")
CATALOGUES: Final = "locale/*/LC_MESSAGES/*.po"
LISTS: Final = ("tests/vocabulary.py", "tests/test_vocabulary.py")  # these files quote the phrases
WHOLE: Final = tuple(
    f"{folder}/**/*.{kind}"
    for folder in ("arena", "bots", "static/css", "static/js", "static/src", "templates", "tests/js")
    for kind in ("html", "txt", "md", "toml", "js", "mjs", "ts", "css")
)


@dataclass(frozen=True, slots=True)
class Avoided:
    """A phrase to avoid. ``within``: parts of the only paths where it is allowed."""

    phrase: str
    instead: str
    within: tuple[str, ...] = ()

    @property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as whole words, case-insensitive, also across a line break."""
        return self._across(r"[\s#*]+")

    @property
    def loose(self) -> re.Pattern[str]:
        """The phrase, even if it is split over adjacent string literals."""
        return self._across(r"[\s#\"'f]+")

    def _across(self, gap: str) -> re.Pattern[str]:
        edge = r"\b" if self.phrase.isascii() else ""  # Chinese has no spaces between words
        return re.compile(f"{edge}(?:{self.phrase.replace(' ', gap)}){edge}", re.IGNORECASE)


# The only list: each phrase is a regular expression of whole words.
AVOIDED: Final = (
    Avoided("shall", "must, will, or the imperative"),
    Avoided("by lot|by the lot", "random draw"),
    Avoided("comes? again", "recurring"),
    Avoided("spectators' pace", "spectator delay"),
    Avoided("straight line", "linear extrapolation", ("bots/golden_point/house/",)),
    Avoided("nobody but", "only"),
    Avoided("for ever", "permanently"),
    Avoided("whoever loses", "the loser", ("bots/reversi/house/",)),
    Avoided("level in (?:all|everything)", "tied"),
    Avoided("break out|breaks out", "escape"),
    Avoided("sees? to it", "ensures"),
    Avoided("falls? out|has fallen out", "leaves, is removed"),
    Avoided("let it go on|lets it go on", "resume"),
    Avoided("store of uploads", "upload store"),
    Avoided("admits? nobody", "is invalid, has expired"),
    Avoided("counts? for nobody", "does not count, is unrated"),
    Avoided("names? a number", "picks a number"),
    Avoided("is no csv", "is not a valid CSV file"),
    Avoided("feed stands", "timeline"),
    Avoided("other makes?", "external"),
    Avoided("by chance", "at random"),
    Avoided("uncount", "undo, release"),
    Avoided("went away|goes away", "is lost, is unavailable"),
    Avoided("from the view of|seen by the side", "from the point of view of"),
    Avoided("brings? along", "includes, provides"),
    Avoided("each two", "every pair of"),
    Avoided("longest ago", "least recently"),
    Avoided("learnt", "learned"),
    Avoided("present (?:plan|name|names|strength|weights)", "current"),
    Avoided("constant number of statements", "constant number of queries"),
    # One Chinese term per concept.
    Avoided("不合法", "非法"),
    Avoided("犯规", "违规"),
    Avoided("逾时", "超时"),
    Avoided("招法", "着法"),
    Avoided("盘面", "局面"),
    Avoided("重跑|重打", "重赛（对局）、重新运行（程序）"),
    Avoided("友谊赛", "练习赛"),
    Avoided("选手", "玩家"),
    Avoided("座位|座次", "席位"),
    Avoided("积分表|排名表", "积分榜"),
    Avoided("破同分", "小分"),
    Avoided("净胜", "分差"),
    Avoided("截止日期", "截止时间"),
    Avoided("主办", "组织者"),
    Avoided("账户|帐号|帐户", "账号"),
    Avoided("登陆", "登录"),
    Avoided("移除|踢出", "移出"),
    Avoided("归档", "存档"),
    Avoided("缺省", "默认"),
    Avoided("自对弈", "自我对弈"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """An occurrence of a phrase to avoid; ``path`` is relative to the root."""

    path: str
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}; write: {self.instead}"


def find(root: Path, avoided: tuple[Avoided, ...] = AVOIDED) -> Iterator[Found]:
    """Yield every occurrence of a phrase to avoid below ``root``."""
    for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
        yield from _in_text(path.relative_to(root).as_posix(), 1, _prose_of(path.read_text()), avoided)
    for path in sorted({path for pattern in WHOLE for path in root.glob(pattern)}):
        yield from _in_text(path.relative_to(root).as_posix(), 1, path.read_text(), avoided)
    for path in sorted(root.glob(CATALOGUES)):
        for line, text in _entries_of(path.read_text(encoding="utf-8")):
            yield from _in_text(path.relative_to(root).as_posix(), line, text, avoided)
    for path in sorted(path for folder in CODE for path in (root / folder).rglob("*.py")):
        source, name = path.read_text(), path.relative_to(root).as_posix()
        if name in LISTS or not any(one.loose.search(source) for one in avoided):  # parsing is slow
            continue
        for line, text in sorted((*_comments_of(source), *_texts_of(source))):
            yield from _in_text(name, line, text, avoided)


def _in_text(name: str, first: int, text: str, avoided: tuple[Avoided, ...]) -> Iterator[Found]:
    for one in avoided:
        if any(part in name for part in one.within):
            continue
        for match in one.pattern.finditer(text):
            yield Found(name, first + text.count("\n", 0, match.start()), " ".join(match[0].split()), one.instead)


def _prose_of(document: str) -> str:
    """Blank out code blocks and code spans, keeping the lines."""
    without = re.sub(
        r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), document, flags=re.DOTALL | re.MULTILINE
    )
    return re.sub(r"`[^`\n]*`", "``", without)


def _entries_of(catalogue: str) -> Iterator[tuple[int, str]]:
    """Yield each entry of a message catalogue with its first line, its strings joined across lines."""
    line = 1
    for entry in catalogue.split("\n\n"):
        yield line, re.sub(r'"\n"', "", entry)
        line += entry.count("\n") + 2


def _texts_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings and all other strings with a space; adjacent literals are one string."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, _prose_of(node.value)


def _comments_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield comment blocks with their first lines."""
    block: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if block and token.start[0] != block[-1].start[0] + 1:
            yield block[0].start[0], "\n".join(one.string for one in block)
            block = []
        block.append(token)
    if block:
        yield block[0].start[0], "\n".join(one.string for one in block)


def main(root: Path = ROOT) -> int:
    """Print every phrase to avoid and return the exit status."""
    found = list(find(root))
    for one in found:
        print(one)
    if found:
        print("Use the terms of docs/glossary.md; tests/vocabulary.py lists what to avoid, and where it may stand.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
