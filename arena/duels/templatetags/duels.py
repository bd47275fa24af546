"""What the pages of games against bots need in their templates."""

from django import template

from arena.duels import labels

register = template.Library()


@register.filter
def level_name(name: str) -> str:
    """A level in the reader's language."""
    return str(labels.level_name(name))
