"""``{% may "change_bot" bot.owner_id as can_change %}`` checks the permission table."""

from __future__ import annotations

from django import template
from django.template import Context

from arena.accounts import permissions
from arena.accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: Context, action: str, owner: User | int | None = None) -> bool:
    """Return whether the reader may perform ``action`` (see ``permissions.may``); False if the context has no user."""
    user = context.get("user")
    return user is not None and permissions.may(user, action, owner)
