"""Template tags that describe bots in the reader's language."""

from __future__ import annotations

from django import template

from arena.submissions.bot_texts import shown_description
from arena.ui.localized import localized_name

register = template.Library()

register.filter("bot_name", localized_name)
register.filter("bot_description", shown_description)
