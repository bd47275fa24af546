"""Read settings from the environment. If a value is invalid, startup fails with an error that names the variable.

An empty variable counts as unset. Settings of games can also be given in ``GAME_SETTINGS``, so that a deployment
passes all of them in one variable, whichever games it has.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_network

from django.core.exceptions import ImproperlyConfigured


def game_variables() -> dict[str, str]:
    """Return the space-separated ``NAME=value`` pairs in ``GAME_SETTINGS``."""
    pairs = [pair.partition("=") for pair in os.environ.get("GAME_SETTINGS", "").split()]
    if wrong := [name for name, sign, _value in pairs if not (name and sign)]:
        raise ImproperlyConfigured(f"GAME_SETTINGS must list pairs such as NAME=value, not {wrong[0]!r}")
    return {name: value for name, _sign, value in pairs}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name) or game_variables().get(name) or default


def required_text(name: str, meaning: str = "") -> str:
    """Return the value of a variable that is required in production; the error for a missing one says its meaning."""
    value = text(name)
    if not value:
        error = f"{name} must be set when ARENA_ENV=production"
        raise ImproperlyConfigured(f"{error}: {meaning}" if meaning else error)
    return value


def choice(name: str, *choices: str) -> str:
    """Return a variable's value, which must be one of ``choices``; the first choice if the variable is unset."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(choices)}, not {value!r}")
    return value


def flag(name: str, default: bool) -> bool:
    value = text(name).lower()
    if value not in {"", "0", "1", "true", "false", "yes", "no"}:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")
    return value in {"1", "true", "yes"} if value else default


def seconds(name: str, default: float, *, least: float = 0.0) -> float:
    written = text(name, str(default))
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not least <= value < math.inf:
        raise ImproperlyConfigured(f"{name} must be a number of seconds, at least {least:g}, not {written!r}")
    return value


def count(name: str, default: int, *, least: int = 0) -> int:
    written = text(name, str(default))
    if not (written.isascii() and written.isdigit() and int(written) >= least):
        raise ImproperlyConfigured(f"{name} must be a whole number, at least {least}, not {written!r}")
    return int(written)


def required_count(name: str, meaning: str) -> int:
    """Return the whole number in a variable that is required in production."""
    required_text(name, meaning)
    return count(name, 0)


def comma_list(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in text(name, default).split(",") if item.strip()]


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return the IP networks that a variable lists; [] if it is unset."""
    try:
        return [ip_network(one) for one in comma_list(name)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must list networks such as 10.0.0.0/8, not {text(name)!r}") from error


def ports(name: str, default: str) -> frozenset[int]:
    values = comma_list(name, default)
    if not all(value.isascii() and value.isdigit() and 0 < int(value) < 65536 for value in values):
        raise ImproperlyConfigured(f"{name} must list ports such as 443,8443, not {text(name)!r}")
    return frozenset(map(int, values))


def subset(name: str, choices: Collection[str]) -> list[str]:
    """Return those ``choices`` that the variable lists; all of them if it is unset."""
    values = comma_list(name) or list(choices)
    if not set(values) <= set(choices):
        raise ImproperlyConfigured(f"{name} must list some of {', '.join(choices)}, not {text(name)!r}")
    return values
