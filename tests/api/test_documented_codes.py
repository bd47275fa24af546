"""docs/api.md lists exactly the error codes that a client of the API can receive."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from arena.api import drafts, validation
from arena.api.endpoints import versions
from arena.api.problems import Code
from arena.core.sandbox.uploads.problems import PackageProblem
from arena.matches import match_limits
from arena.submissions import names
from arena.submissions import services as uploads
from arena.tournaments.entries import eligibility, registration
from arena.tournaments.formats.availability import UnsuitableReason
from arena.tournaments.forms import format as formats
from arena.tournaments.forms import schedule, tournament
from arena.tournaments.services import controls, creation

GUIDE: Final = Path(__file__).resolve().parents[2] / "docs" / "api.md"
# The modules that validate or refuse requests of the API.
RAISING: Final = (
    *(drafts, versions, names, uploads, eligibility, registration, match_limits),
    *(formats, schedule, tournament, controls, creation),
)
# Refusals of functions and fields that only pages have: pausing, editing, weekly series.
PAGES_ONLY: Final = {"wrong_status", "format_final", "strangers_entered", "deadline_too_early"}


def codes_raised_in(module: ModuleType) -> Iterator[str]:
    """Yield the codes of the errors that a module creates: literals, constants and arguments of ``field_error``."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if not isinstance(node, ast.Call):
            continue
        match node:
            case ast.Call(func=ast.Name("field_error"), args=[_, ast.Constant(str(code)), *_]):
                yield code
        for keyword in node.keywords:
            match keyword:
                case ast.keyword(arg="code", value=ast.Constant(str(code))):
                    yield code
                case ast.keyword(arg="code", value=ast.Name(name)) if isinstance(getattr(module, name, None), str):
                    yield getattr(module, name)


def documented_codes() -> set[str]:
    """Return the codes in the tables of the guide's section about errors."""
    section = GUIDE.read_text().partition("\n## Error codes\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    cells = [cell for row in rows for cell in (row[1:2] if row[0].isdigit() else row[1:])]
    return set(re.findall(r"`([a-z_]+)`", " ".join(cells))) - {"code", "settings"}


def test_guide_lists_the_codes_that_clients_can_receive() -> None:
    raised = {code for module in RAISING for code in codes_raised_in(module)}
    assert raised >= PAGES_ONLY
    general = {"invalid", *(code for code, _text in validation.ERRORS.values())}
    assert documented_codes() - {PackageProblem.NO_MAIN} == {*Code, *general, *UnsuitableReason, *(raised - PAGES_ONLY)}
