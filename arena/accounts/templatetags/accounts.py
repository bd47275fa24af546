"""``{{ seat.owner|account_name }}`` shows a username in the language of the page."""

from __future__ import annotations

from django import template

from arena.accounts.queries import account_name, is_house_account

register = template.Library()

register.filter("account_name", account_name)
register.filter("is_house_account", is_house_account)
