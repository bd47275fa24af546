"""Check how docstrings and comments begin: ``python -m tests.docstrings [FOLDER]``, a part of ``make check``.

A class's docstring begins with a noun phrase: "A form that filters …", "The standings of …". A plural needs an article,
so that any other word in "-s" is a verb. Neither classes nor modules begin with a clause such as "What a game needs".
ruff (D401) checks that functions begin with an imperative.

The comments of browser scripts (``/** … */``) follow the same rules. Those of functions and methods begin with neither
an article nor a fragment such as "From the first …", because ruff does not read them. The comments of templates
(``{# … #}``) and style sheets (``/* … */``) do not begin with a clause.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = ("arena", "bench", "bots", "tests")
CLAUSES: Final = frozenset({"How", "What", "Whatever", "Where", "Whether", "Which", "Who", "Whoever", "Whose", "Why"})
IMPERATIVES: Final = re.compile(
    "Add|Apply|Ask|Build|Choose|Collect|Compute|Convert|Create|Decide|Describe|Detect|Ensure|Find|Follow|Get|Give|Handle"
    "|Keep|Let|Load|Make|Parse|Play|Publish|Raise|Read|Remove|Return|Run|Select|Send|Serialize|Show|Start|Stop|Store|Take"
    "|Validate|Write"
)
THIRD_PERSON: Final = re.compile(r"[A-Z][a-z]*[a-rt-z]s")

MARKUP: Final = (
    *("templates/**/*.html", "arena/**/templates/**/*.html"),
    *("static/css/**/*.css", "arena/**/static/**/*.css"),
)
MARKUP_COMMENT: Final = re.compile(r"(?:\{#|\{% comment %\}|/\*)\s*(?P<word>\w+)")
SCRIPT_FOLDERS: Final = ("static/js", "arena/**/static")
COMMENT: Final = re.compile(
    r"^[ \t]*/\*\*(?P<text>(?:(?!\*/).)*)\*/[ \t]*\n?(?P<code>[^\n]*)", re.MULTILINE | re.DOTALL
)
CLASS: Final = re.compile(r"(export )?(default )?class\b")
FUNCTION: Final = re.compile(
    r"(export )?(default )?(async )?function\b"
    r"|(export )?const \w+ = (async )?(\([^\n]*\)|\w+) =>"
    r"|((static|async|get|set) )*(?!(?:if|for|while|switch|catch)\b)[#*]*\w+\([^\n]*\) \{$"
)
FRAGMENTS: Final = re.compile("A|All|An|As|Current|First|From|However|If|In|Not|On|The|When|While|With")


def find_wrong_beginnings(root: Path) -> Iterator[str]:
    """Yield a description of every docstring of a class or module under ``root`` that begins in another style."""
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        nodes: list[ast.Module | ast.ClassDef] = [tree]
        nodes += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        for node in nodes:
            word = _first_word(ast.get_docstring(node, clean=False) or "")
            if word in CLAUSES or (isinstance(node, ast.ClassDef) and _is_verb(word)):
                yield f"{path.relative_to(root).as_posix()}:{node.body[0].lineno}: docstring begins with {word!r}"


def find_wrong_comments(root: Path) -> Iterator[str]:
    """Yield a description of every comment in the browser scripts under ``root`` whose style differs."""
    for path in sorted(path for folder in SCRIPT_FOLDERS for path in root.glob(f"{folder}/**/*.js")):
        source = path.read_text()
        for comment in COMMENT.finditer(source):
            word = _first_word(comment["text"].lstrip("\n *"))
            if _begins_wrongly(word, comment["code"].strip()):
                line = source.count("\n", 0, comment.start()) + 1
                yield f"{path.relative_to(root).as_posix()}:{line}: comment begins with {word!r}"


def find_clauses_in_markup(root: Path) -> Iterator[str]:
    """Yield a description of every comment of a template or style sheet under ``root`` that begins with a clause."""
    for path in sorted(path for pattern in MARKUP for path in root.glob(pattern)):
        source = path.read_text()
        for comment in MARKUP_COMMENT.finditer(source):
            if comment["word"] in CLAUSES:
                line = source.count("\n", 0, comment.start()) + 1
                yield f"{path.relative_to(root).as_posix()}:{line}: comment begins with {comment['word']!r}"


def _begins_wrongly(word: str, code: str) -> bool:
    if FUNCTION.match(code):
        return word in CLAUSES or bool(FRAGMENTS.fullmatch(word) or THIRD_PERSON.fullmatch(word))
    return word in CLAUSES or (bool(CLASS.match(code)) and _is_verb(word))


def _first_word(docstring: str) -> str:
    return re.split(r"[\s.,:;]", docstring.lstrip(), maxsplit=1)[0]


def _is_verb(word: str) -> bool:
    return bool(THIRD_PERSON.fullmatch(word) or IMPERATIVES.fullmatch(word))


def main(root: Path = ROOT) -> int:
    """Print the docstrings and comments that begin in another style; return the exit status."""
    found = [*find_wrong_beginnings(root), *find_wrong_comments(root), *find_clauses_in_markup(root)]
    for one in found:
        print(one)
    if found:
        print('Begin classes with a noun phrase ("A form that filters …"), functions with an imperative ("Return …");')
        print("see CONTRIBUTING.md.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
