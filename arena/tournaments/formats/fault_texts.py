"""Explain what a fault is and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.core.referee.faults import FaultKind
from arena.games.localized_messages import FAULT_LABELS, FAULT_MEANINGS
from arena.games.templatetags.games import within_turn
from arena.tournaments.formats.base import Options, RuleText
from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Format


def fault_rules(format_: str, limits: Options, game: str) -> Iterator[RuleText]:
    """Yield the definition of a fault and its consequences in a format."""
    yield _definition(limits, game)
    if TRAITS[format_].scored:
        text = _(
            "After a fault, a bot keeps its score so far in that match and ranks below all bots with fewer faults."
        )
        yield RuleText("faults", _("Faults"), text)
        return
    if format_ == Format.TABLE:
        one = _("A bot that commits a fault ranks below all bots that finish the match.")
        both = _("Two bots that both commit a fault score nothing against each other.")
    else:
        one = _("A bot that commits a fault loses the match.")
        both = _("If both bots commit a fault, neither scores.")
    yield RuleText("faults", _("Faults"), one)
    yield RuleText("double_faults", _("Double faults"), both)


def _definition(limits: Options, game: str) -> RuleText:
    text = ngettext(
        "The bot gave an illegal answer.", "The bot gave %(n)s illegal answers %(within)s.", limits["illegal_answers"]
    )
    meanings = {**FAULT_MEANINGS, FaultKind.ILLEGAL_MOVE: text}
    words = {"n": limits["illegal_answers"], "within": within_turn(game)}
    points = tuple((str(FAULT_LABELS[kind]), str(meaning) % words) for kind, meaning in meanings.items())
    return RuleText(
        "fault_definition", _("Definition of a fault"), _("Each of these events counts as a fault."), points
    )
