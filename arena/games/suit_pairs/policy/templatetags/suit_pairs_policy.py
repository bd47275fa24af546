"""Template tags for the policy's panel on pages without JavaScript."""

from __future__ import annotations

from django import template

from arena.games.suit_pairs.policy.match_panel import PolicyPanel, ShownDecision

register = template.Library()


@register.simple_tag
def decision_at(panel: PolicyPanel, at: str | None) -> ShownDecision:
    return panel.decision_at(at)
