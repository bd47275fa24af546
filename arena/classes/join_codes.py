"""Generate, format and parse the join codes of classes."""

from __future__ import annotations

import random

from arena.classes.models import CODE_LENGTH

# Without 0, O, 1 and I. There are 32 characters, so eight of them encode 40 bits.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def new_code(rng: random.Random) -> str:
    return "".join(rng.choice(ALPHABET) for _ in range(CODE_LENGTH))


def format_code(code: str) -> str:
    """Format a code in two groups for reading and typing: K7QW-M3XP."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}"


def normalize(text: str) -> str:
    """Normalize a typed code, ignoring case, hyphens and spaces; "" if it is invalid."""
    code = "".join(sign for sign in text.upper() if sign not in "- \t\r\n\u2010\u2011\u2013")
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else ""
