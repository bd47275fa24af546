"""``{% may "change_bot" bot.owner_id as can_change %}`` asks the one table of permissions."""

from __future__ import annotations

from django import template
from django.template import Context

from arena.accounts import permissions
from arena.accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: Context, action: str, owner: User | int | None = None) -> bool:
    """Whether the reader of the page may do ``action``; where a page has no reader, they may do nothing."""
    user = context.get("user")
    return user is not None and permissions.may(user, action, owner)
