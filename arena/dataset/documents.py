"""The dataset's documents: instructions, description, and machine-readable schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.urls import reverse

from arena.dataset import versions
from arena.dataset.schema import TABLES, VERSION, schema_json
from arena.games.registry import GAMES

SCHEMA_FILE: Final = "schema.json"
# Names and URLs of licences by SPDX identifier; operators may configure other licences.
_LICENCES: Final = {
    "CC-BY-4.0": ("Creative Commons Attribution 4.0 International", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "CC-BY-NC-4.0": (
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ),
    "CC0-1.0": ("Creative Commons Zero 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
}


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence; for a licence that is not listed here, ``name`` is the identifier and ``url`` is ""."""

    code: str
    name: str
    url: str


def licence() -> Licence:
    """Return the licence that the operator has chosen for the dataset."""
    code = settings.DATASET_LICENCE
    name, url = _LICENCES.get(code, (code, ""))
    return Licence(code, name, url)


def _game_notes() -> Iterator[str]:
    """Yield each game's notes on its moves, from its ``dataset.md``; a game may have none."""
    for game in GAMES:
        with suppress(TemplateDoesNotExist):
            yield render_to_string(f"{game}/dataset.md").strip()


def documents(day: date, rows: Mapping[str, int]) -> dict[str, str]:
    """Return the documents by file name; ``rows``: the number of rows in each table."""
    context = {
        "day": day,
        "version": versions.version_name(day, VERSION),
        "licence": licence(),
        "site": settings.SITE_URL,
        "address": settings.SITE_URL + reverse("data"),
        "has_names": settings.DATASET_AUTHORS == "names",
        "tables": [(table, rows[table.name]) for table in TABLES],
        "keep": settings.DATASET_KEEP,
        "game": next(iter(GAMES)),
        "games": list(_game_notes()),
    }
    texts = {
        name: render_to_string(f"dataset/{template}", context).strip() + "\n"
        for name, template in {"README.md": "readme.md", "DATASHEET.md": "datasheet.md"}.items()
    }
    return {**texts, SCHEMA_FILE: json.dumps(schema_json(), indent=2, ensure_ascii=False) + "\n"}
