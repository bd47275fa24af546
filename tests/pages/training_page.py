"""The commands and code on the training page, extracted so that tests can run exactly what readers copy."""

from __future__ import annotations

import html
import re

from django.test import Client
from django.urls import reverse

_BLOCK = re.compile(r'<pre[^>]*data-run="(\w+)"[^>]*>(.*?)</pre>', re.DOTALL)


def train_page(game: str, **headers: str) -> str:
    response = Client().get(reverse("train-guide"), {"game": game}, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def code_blocks(page: str, kind: str) -> list[str]:
    """Return the text of each block of commands ("shell") or code ("python")."""
    return [html.unescape(text) for found, text in _BLOCK.findall(page) if found == kind]
