"""Find errors in a Python file without running it.

Invariants: nothing is executed or imported; no input causes an exception, and the running time is bounded by the size
of the text. Findings from pyflakes that are not in the table below concern style and are ignored.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pyflakes import checker, messages

CHECKED_CHARS: Final = 100_000  # maximum length of a checked file; longer files are treated as data
_MAX_FINDINGS: Final = 50


class Severity(StrEnum):
    """The severity of a problem, which determines how the editor marks it."""

    ERROR = "error"  # the code fails when the line is reached
    WARNING = "warning"  # the code may be intentional


@dataclass(frozen=True, slots=True)
class LintProblem:
    """A problem in a file; ``line`` counts from 1, ``column`` from 0, in characters.

    ``code``: the name of pyflakes' message, or that of Python's exception.
    """

    line: int
    column: int
    severity: Severity
    code: str
    message: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


# The text; %s is the first argument of pyflakes' message.
_ERRORS: Final[Mapping[type[messages.Message], Promise]] = {
    messages.UndefinedName: gettext_lazy("%s is not defined."),
    messages.UndefinedExport: gettext_lazy("%s is in __all__ but not defined."),
    messages.UndefinedLocal: gettext_lazy("%s is used before it is assigned in this function."),
    messages.DuplicateArgument: gettext_lazy("The argument %s appears twice."),
    messages.ReturnOutsideFunction: gettext_lazy("“return” is used outside a function."),
    messages.YieldOutsideFunction: gettext_lazy("“yield” is used outside a function."),
    messages.ContinueOutsideLoop: gettext_lazy("“continue” is used outside a loop."),
    messages.BreakOutsideLoop: gettext_lazy("“break” is used outside a loop."),
    messages.TwoStarredExpressions: gettext_lazy("An assignment can have only one starred target."),
    messages.RaiseNotImplemented: gettext_lazy("Raise NotImplementedError instead of NotImplemented."),
}
_WARNINGS: Final[Mapping[type[messages.Message], Promise]] = {
    messages.UnusedImport: gettext_lazy("%s is imported but not used."),
    messages.UnusedVariable: gettext_lazy("%s is assigned but never used."),
    messages.RedefinedWhileUnused: gettext_lazy("%s is redefined without having been used."),
    messages.IsLiteral: gettext_lazy("Compare values with “==”, not with “is”."),
    messages.AssertTuple: gettext_lazy("This assertion is always true: remove the parentheses."),
    messages.IfTuple: gettext_lazy("This condition is always true: it is a tuple."),
    messages.MultiValueRepeatedKeyLiteral: gettext_lazy("The key %s appears twice with different values."),
}


def problems_of(source: str) -> list[LintProblem]:
    """Return the problems, ordered by line; for invalid Python, return the syntax error."""
    if len(source) > CHECKED_CHARS:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about invalid escapes: not relevant here, only in the author's own runs
            tree = ast.parse(source)
            found = checker.Checker(tree, filename="").messages
    except SyntaxError as error:
        return [_syntax_problem(error)]
    except (RecursionError, MemoryError):
        text = _("The code in this file is nested too deeply to be checked here. Split it into functions.")
        return [LintProblem(1, 0, Severity.WARNING, "RecursionError", text)]
    except ValueError:  # NUL bytes
        text = _("The file contains NUL bytes, so it is not a text file. Save it as UTF-8 text.")
        return [LintProblem(1, 0, Severity.ERROR, "ValueError", text)]
    problems = [one for message in found if (one := _problem_of(message)) is not None]
    return sorted(problems, key=lambda one: (one.line, one.column))[:_MAX_FINDINGS]


def _syntax_problem(error: SyntaxError) -> LintProblem:
    text = _("Syntax error: %(message)s") % {"message": error.msg}
    line, column = max(1, error.lineno or 1), max(0, (error.offset or 1) - 1)
    return LintProblem(line, column, Severity.ERROR, "SyntaxError", text)


def _problem_of(message: messages.Message) -> LintProblem | None:
    for severity, table in ((Severity.ERROR, _ERRORS), (Severity.WARNING, _WARNINGS)):
        sentence = table.get(type(message))
        if sentence is not None:
            text = str(sentence)
            first = message.message_args[0] if message.message_args else ""
            filled = text % first if "%s" in text else text
            return LintProblem(message.lineno, message.col, severity, type(message).__name__, filled)
    return None
