"""Every string on the site is translated, and the message catalogs are complete."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]
CATALOGS = [ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / f"{domain}.po" for domain in ("django", "djangojs")]


def messages(path: Path) -> list[Message]:
    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id]


def message_key(message: Message) -> tuple[object, object]:
    return message.context, message.id


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_every_text_is_translated(path: Path) -> None:
    found = messages(path)
    assert found, f"{path} is empty"
    untranslated = [
        message.id
        for message in found
        if message.fuzzy or not (all(message.string) if message.pluralizable else message.string)
    ]
    assert not untranslated


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_translations_keep_the_placeholders(path: Path) -> None:
    wrong = [(message.id, str(error)) for message in messages(path) for error in message.check()]
    assert not wrong


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_every_text_is_in_the_catalog_once(path: Path) -> None:
    """Compare the entries as text, since Babel merges duplicates without a warning."""
    heads = [entry.partition("\nmsgstr")[0] for entry in path.read_text(encoding="utf-8").split("\n\n")]
    keys = ["".join(re.findall(r'^(?:msg\w+ )?"(.*)"$', head, re.MULTILINE)) for head in heads if "#~" not in head]
    assert len(keys) > len(messages(path)), "the entries and the header"
    assert [key for key, count in Counter(keys).items() if count > 1] == []


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_seconds_after_a_number_are_written_as_a_unit(path: Path) -> None:
    ids = [str(text) for message in messages(path) for text in (message.id if message.pluralizable else [message.id])]
    assert [text for text in ids if re.search(r"(%\(\w+\)s|%s|[}]|\d) seconds?\b", text)] == []


@pytest.mark.long
@pytest.mark.needs("xgettext")
@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_catalog_contains_every_text(path: Path, tmp_path: Path) -> None:
    for name in ("arena", "templates", "static"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "src"))
    (tmp_path / "locale").mkdir()
    shutil.copy(ROOT / "manage.py", tmp_path)
    command = ["makemessages", "--locale", "zh_Hans", "--domain", path.stem, "--verbosity", "0"]
    subprocess.run([sys.executable, "manage.py", *command], cwd=tmp_path, check=True)
    collected = messages(tmp_path / path.relative_to(ROOT))
    known = {message_key(message) for message in messages(path)}
    missing = [message.id for message in collected if message_key(message) not in known]
    assert not missing, "run `make messages` and translate these"
