"""Find words that the glossary rules out: ``python -m tests.vocabulary [FOLDER]``, a part of ``make check``.

The glossary is the last section of docs/architecture.md.

Reads the prose of documents and build files; the docstrings, comments and strings of Python files; templates, scripts
and styles; and translations. Strings are read as the program sees them: concatenated, without the expressions of
f-strings. Names in Python, names of functions, methods, classes and constants in scripts, and names of files and
folders are read as their words: ``by_lot`` and ``ByLot`` contain "by lot". Skips code in documents and text in
backticks.
"""

from __future__ import annotations

import ast
import html
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
    *("*.md", "docs/**/*.md", "docs/**/*.yaml", "docs/**/*.json", "tests/**/*.md"),
    *("Makefile", "Dockerfile", "*.yml", "docker/*", ".ci/*", "pyproject.toml", "*.config.js"),
)
CODE: Final = ("arena", "bench", "bots", "tests")
CATALOGUES: Final = ("locale/*/LC_MESSAGES/*.po", "locale/*/*.toml")
LISTS: Final = ("tests/vocabulary.py", "tests/test_vocabulary.py")  # these files quote the phrases
WHOLE: Final = (
    *("tests/**/*.mjs", "tests/**/*.html"),
    *(
        f"{folder}/**/*.{kind}"
        for folder in ("arena", "bots", "static/css", "static/js", "static/src", "templates")
        for kind in ("html", "txt", "md", "toml", "js", "mjs", "ts", "css")
    ),
)
_DEFINITION: Final = re.compile(r"^[ \t]*(?:async )?(?:def|class) (\w+)", re.MULTILINE)
_SCRIPTS: Final = (".js", ".mjs", ".ts")
_SCRIPT_DEFINITION: Final = re.compile(  # a function or class, a constant of the module, or a method
    r"(?:\b(?:function\*?|class) |^(?:export )?const |^[ \t]+(?:(?:static|async|get|set) )*#?(?=\w+\(.*\) \{$))(\w+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class AvoidedPhrase:
    """A phrase to avoid, except in files whose paths contain one of the strings in ``within``."""

    phrase: str
    instead: str
    within: tuple[str, ...] = ()

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return a pattern that matches the phrase as whole words, ignoring case.

        Tags, line breaks, hyphens and underscores also count as spaces.
        """
        phrase = self.phrase.replace(" ", r"(?:[\s#*/_-]|\\n|</?\w[^<>]*>)+")
        if self.phrase.isascii():  # Chinese has no spaces between words
            phrase = rf"(?<![^\W_])(?:{phrase})(?![^\W_])"
        return re.compile(phrase, re.IGNORECASE)

    def may_occur_in(self, lowered: str) -> bool:
        """Return False only if a text, given in lower case, cannot contain the phrase, even one split across literals.

        Without word boundaries and upper case, the search skips to the phrase's first letters.
        """
        gap = r"""(?:[\W_]|\\n|</?\w[^<>]*>|\b[bfru]{1,2}(?=["']))+"""
        return re.search(self.phrase.replace(" ", gap), lowered) is not None


def _forms(verb: str, rest: str) -> str:
    """Return the pattern for a phrase: any of the space-separated words in ``verb``, followed by ``rest``."""
    return f"(?:{verb.replace(' ', '|')}) (?:{rest})"


# Each phrase is a regular expression of whole words, in lower case.
_ENGLISH: Final = (
    # Phrases that read like a translation.
    AvoidedPhrase("shall|shan't", "must, will, or the imperative"),
    AvoidedPhrase("by lots?|by the lot|by chance", "random draw, at random"),
    AvoidedPhrase(_forms("come comes came coming", "again"), "recurring"),
    AvoidedPhrase(_forms("go goes went going", "on"), "continue, resume"),
    AvoidedPhrase(_forms("break breaks broke broken breaking", "out"), "escape"),
    AvoidedPhrase(_forms("fall falls fell fallen falling", "out"), "leaves, is removed"),
    AvoidedPhrase(_forms("let lets letting", "(?:it|them) play"), "activate"),
    AvoidedPhrase(_forms("can could", "be set back"), "restore"),
    AvoidedPhrase(_forms("name names named naming", "a number"), "picks a number"),
    AvoidedPhrase(_forms("admit admits admitted admitting", "nobody"), "is invalid, has expired"),
    AvoidedPhrase(_forms("count counts counted counting", "for (?:nobody|no)"), "does not count, is unrated"),
    AvoidedPhrase(_forms("is was are were", "no (?:csv|ordinary)"), "is not a valid CSV file, is not a regular file"),
    AvoidedPhrase(_forms("leave leaves left leaving", "without a rank"), "is not ranked"),
    AvoidedPhrase("the file counts", "the file is used"),
    AvoidedPhrase("what explains|what i am told", "a noun: analysis, notifications"),
    AvoidedPhrase("whoever loses|whoever lost", "the loser", ("bots/reversi/house/",)),
    AvoidedPhrase("level in (?:all|everything)", "tied"),
    AvoidedPhrase("spectators' pace", "spectator delay"),
    AvoidedPhrase("straight line", "linear extrapolation", ("bots/golden_point/house/",)),
    # One term per concept.
    AvoidedPhrase(
        "match(?:es)? (?:that )?(?:is|are|was|were|has been|have been|must be) replayed"
        "|replay(?:s|ed|ing)? (?:a |the |any |these )?(?:void|finished) match(?:es)?",
        "rerun, requeued",
    ),
    AvoidedPhrase("(?:our|your|your bot's|arena's|nobody's) fault|arena errors?", "arena failure"),
    AvoidedPhrase("answers? (?:is |are |was |were )?refused|refused answers?", "rejected"),
    AvoidedPhrase("(?:illegal|rejected) answers in one turn", "for one move"),
    AvoidedPhrase(
        "game in progress|game (?:has|had) (?:not )?(?:ended|started|finished)|game ended|(?:won|lost|resign) this game"
        "|(?:during|end of|middle of|rest of|stages of) (?:an?|the|this) game|game ends (?:in a draw|early|before the)"
        "|games? of (?:reversi|othello|the golden point)|(?:an?|each|this) (?:reversi|golden point|suit pairs) games?"
        "|(?:finished|completed|recorded|played|random|whole) games?|games? (?:of|in) (?:an|the|this|each) encounter",
        "match; leg of an encounter; playout of a search",
        ("fib2584", "bots/training/", "bots/reversi/training/", "bots/suit_pairs/training/"),
    ),
    AvoidedPhrase("places? in (?:the bracket|(?:a|the) group)|group places?|first three places", "slot, rank"),
    AvoidedPhrase("changes? of place|place changes?|shares? (?:a|the) places?", "rank change, share a rank"),
    AvoidedPhrase(
        "possible final ranks?|ranks? (?:that (?:is|are) )?still possible"
        "|ranks? that (?:it|an entry|each entry|a bot|each bot) can still reach",
        "place",
    ),
    AvoidedPhrase(
        "(?:scores?|results?) (?:by|on (?:one|a|each|this|the same)) seeds?"
        "|play(?:s|ed|ing)? the same (?:[0-9]+ )?seeds?",
        "random seed",
    ),
    AvoidedPhrase("deciding finals?|bracket resets?", "second final"),
    AvoidedPhrase("free slots?|slots? (?:is|are) (?:free|taken)", "worker, process; a slot is a position in a bracket"),
    AvoidedPhrase("people log in|logs? in at once", "sign in, sign-in"),
)
_CHINESE: Final = {  # the term to use: terms to avoid
    "非法": "不合法",
    "违规": "犯规",
    "超时": "逾时",
    "着法": "招法",
    "局面": "盘面",
    "对局": "(?:这|本|一|两|整|每)场比赛|(?:这|那|本|一)局棋|多局棋",
    "回放": "重放",
    "重赛（对局）、重新运行（程序）": "重跑|重打",
    "练习赛": "友谊赛",
    "玩家": "选手",
    "席位": "座位|座次",
    "应答": "作答|答复",
    "积分榜": "积分表|排名表",
    "小分": "破同分",
    "分差": "净胜",
    "决赛、决赛加赛": "总决赛|决胜加赛",
    "截止时间": "截止日期",
    "组织者": "主办",
    "账号": "账户|帐号|帐户",
    "登录": "登陆",
    "移出": "移除|踢出",
    "存档": "归档",
    "自我对弈": "自对弈",
}
AVOIDED: Final = (*_ENGLISH, *(AvoidedPhrase(avoided, term) for term, avoided in _CHINESE.items()))

# Words that are avoided only in the names of modules, classes and functions.
AVOIDED_IN_NAMES: Final = (
    AvoidedPhrase("seldom", "throttle"),
    AvoidedPhrase("lifeline", "heartbeat, lease"),
    AvoidedPhrase("telling", "notify, publish, message"),
    AvoidedPhrase("clockwork", "scheduler"),
    AvoidedPhrase("keeping", "retention, store"),
    AvoidedPhrase("holders?", "owner, lease", ("tests/",)),
    AvoidedPhrase("breakout", "escape"),
    AvoidedPhrase("inmates?", "request, process"),
    AvoidedPhrase(
        r"(?:creating|delivering|entering|extending|rerunning|storing|substituting|withdrawing|withholding)(?=\.py)"
        r"|(?:inside|outside|longest)(?=\.py|/)",
        "a noun that says what the module or package contains: creation, delivery, registration, ...",
    ),
)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a phrase to avoid; ``path`` is relative to the root."""

    path: str
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}; write: {self.instead}"


def find_avoided_phrases(
    root: Path,
    avoided: tuple[AvoidedPhrase, ...] = AVOIDED,
    avoided_in_names: tuple[AvoidedPhrase, ...] = AVOIDED_IN_NAMES,
) -> Iterator[Occurrence]:
    """Yield every occurrence of a phrase to avoid under ``root``, in text and in names."""
    modules = sorted(path for folder in CODE for path in (root / folder).rglob("*.py"))
    scripts = sorted({path for pattern in WHOLE for path in root.glob(pattern)})
    names = [path.relative_to(root).as_posix() for path in (*modules, *scripts)]
    yield from _in_paths([name for name in names if name not in LISTS], (*avoided, *avoided_in_names))
    for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
        yield from _in_text(path.relative_to(root).as_posix(), 1, _prose_of(path.read_text()), avoided)
    for path in scripts:
        source, name = path.read_text(), path.relative_to(root).as_posix()
        yield from _in_text(name, 1, _join_strings(html.unescape(source)), avoided)
        if path.suffix in _SCRIPTS:
            yield from _in_definitions(name, source, _SCRIPT_DEFINITION, (*avoided, *avoided_in_names))
    for path in sorted(path for pattern in CATALOGUES for path in root.glob(pattern)):
        for line, text in _entries_of(path.read_text(encoding="utf-8")):
            yield from _in_text(path.relative_to(root).as_posix(), line, text, avoided)
    for path in modules:
        source, name = path.read_text(), path.relative_to(root).as_posix()
        if name not in LISTS:
            yield from _in_module(name, source, avoided, avoided_in_names)


def _possible(avoided: tuple[AvoidedPhrase, ...], text: str) -> tuple[AvoidedPhrase, ...]:
    """Return the phrases that ``text`` may contain."""
    lowered = text.lower()
    return tuple(one for one in avoided if one.may_occur_in(lowered))


def _in_paths(paths: list[str], avoided: tuple[AvoidedPhrase, ...]) -> Iterator[Occurrence]:
    """Search the names of files and folders, all at once because there are thousands of them."""
    text = "\n".join(paths)
    for one in _possible(avoided, text):
        for match in one.pattern.finditer(text):
            path = paths[text.count("\n", 0, match.start())]
            if not any(part in path for part in one.within):
                yield Occurrence(path, 1, match[0], one.instead)


def _in_module(
    name: str, source: str, avoided: tuple[AvoidedPhrase, ...], avoided_in_names: tuple[AvoidedPhrase, ...]
) -> Iterator[Occurrence]:
    if found := _possible(avoided, _split_camel_case(source)):  # parsing is slow
        for line, text in sorted((*_comments_of(source), *_texts_of(source), *_names_of(source))):
            yield from _in_text(name, line, text, found)
    yield from _in_definitions(name, source, _DEFINITION, avoided_in_names)


def _in_definitions(
    name: str, source: str, definition: re.Pattern[str], avoided: tuple[AvoidedPhrase, ...]
) -> Iterator[Occurrence]:
    """Search the names that a file defines; the first group of ``definition`` is a name."""
    if not (found := _possible(avoided, _split_camel_case(source))):
        return
    for one in definition.finditer(source):
        yield from _in_text(name, 1 + source.count("\n", 0, one.start(1)), _split_camel_case(one[1]), found)


def _split_camel_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)


def _in_text(name: str, first: int, text: str, avoided: tuple[AvoidedPhrase, ...]) -> Iterator[Occurrence]:
    for one in _possible(avoided, text):
        if any(part in name for part in one.within):
            continue
        for match in one.pattern.finditer(text):
            yield Occurrence(name, first + text.count("\n", 0, match.start()), " ".join(match[0].split()), one.instead)


def _prose_of(document: str) -> str:
    """Blank out code blocks and code spans, keeping line numbers unchanged."""
    without = re.sub(
        r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), document, flags=re.DOTALL | re.MULTILINE
    )
    return re.sub(r"`[^`\n]*`", "``", without)


def _entries_of(catalogue: str) -> Iterator[tuple[int, str]]:
    """Yield each entry of a message catalogue, its strings joined, with the number of its first line."""
    line = 1
    for entry in catalogue.split("\n\n"):
        yield line, re.sub(r'"\n"', "", entry)
        line += entry.count("\n") + 2


def _join_strings(script: str) -> str:
    """Join the strings that a script concatenates, keeping line numbers unchanged."""
    return re.sub(r"([\"'`])\s*\+\s*\1", lambda gap: "\n" * gap[0].count("\n"), script)


def _texts_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings and all other strings with their line numbers."""
    nodes: list[ast.AST] = [ast.parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.expr) and (text := _text_of(node)):
            yield node.lineno, _prose_of(text)
            nodes += [value for value in getattr(node, "values", ()) if isinstance(value, ast.FormattedValue)]
        else:
            nodes += ast.iter_child_nodes(node)


def _text_of(node: ast.expr) -> str:
    """Return the text of a string, an f-string without its expressions, or a concatenation; "" for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text_of(value) or "{}" for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _text_of(left), _text_of(right)
            return first + second if first and second else ""
    return ""


def _comments_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield comment blocks with the numbers of their first lines."""
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


def _names_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield names that consist of several words, with their line numbers."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and "_" in (words := _split_camel_case(token.string)):
            yield token.start[0], words


def main(root: Path = ROOT) -> int:
    """Print every use of a phrase to avoid; return the exit status."""
    found = list(find_avoided_phrases(root))
    for one in found:
        print(one)
    if found:
        print("Use the terms of the glossary (docs/architecture.md); tests/vocabulary.py lists the phrases to avoid.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
