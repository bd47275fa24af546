"""Translate problems found in an upload; ``arena.core.sandbox`` describes them by code."""

from __future__ import annotations

from django.utils.translation import gettext

from arena.core.sandbox.uploads.package import PackageError
from arena.games.localized_messages import translate_message
from arena.ui.localized import sentence_space


def explain_problem(error: PackageError) -> str:
    """Return one paragraph: the problem, its location, and what to do next."""
    return sentence_space().join((translate_message(error.message), gettext(error.hint)))
