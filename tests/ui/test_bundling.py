"""esbuild.config.js discovers everything that pages load, including the files of externally registered games."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from arena.games.registry import GAMES
from tests.bundle import MADE, bundle_once

ROOT = Path(__file__).resolve().parents[2]

VIEW = 'import { element } from "#site/dom.js";\nexport const TURN_MS = 5;\nexport const mount = () => element("p");\n'


@pytest.fixture
def game() -> Iterator[Path]:
    """Yield a game package in this checkout, with a view and a style sheet."""
    folder = ROOT / "build" / f"example_game_{os.getpid()}" / "lanterns"
    static = folder / "static" / "lanterns"
    static.mkdir(parents=True)
    (static / "view.js").write_text(VIEW)
    (static / "lanterns.css").write_text(".lantern { color: gold }\n")
    yield folder
    shutil.rmtree(folder.parent)


def bundle(out: Path, game: Path) -> subprocess.CompletedProcess[str]:
    package = ".".join(game.relative_to(ROOT).parts)
    return subprocess.run(
        ["node", "esbuild.config.js", f"--outdir={out}"],
        cwd=ROOT,
        env={**os.environ, "EXTRA_GAMES": f"{package}=bots.lanterns"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.long
def test_view_and_styles_of_an_extra_game_are_bundled(tmp_path: Path, game: Path) -> None:
    ended = bundle(tmp_path, game)
    assert ended.returncode == 0, ended.stderr
    manifest = json.loads((tmp_path / "bundle.json").read_text())
    assert "lanterns/lanterns.css" in manifest["styles"]
    assert ".lantern{" in (tmp_path / "css" / "site.css").read_text()
    view = (tmp_path / "lanterns" / "view.js").read_text()
    assert "#site" not in view
    [common] = manifest["imports"]["lanterns/view.js"]
    assert common == manifest["imports"]["js/common.js"][0]
    assert (tmp_path / common).is_file()
    assert "TURN_MS" in (tmp_path / "lanterns" / "view.js.map").read_text()


@pytest.mark.long
def test_template_loading_a_missing_file_fails_the_build(tmp_path: Path, game: Path) -> None:
    (game / "templates").mkdir()
    (game / "templates" / "page.html").write_text('{% module "lanterns/nowhere.js" %}\n')
    ended = bundle(tmp_path, game)
    assert ended.returncode != 0
    assert "page.html" in ended.stderr
    assert "lanterns/nowhere.js" in ended.stderr


@pytest.mark.parametrize(("one", "other"), list(combinations(GAMES, 2)))
def test_home_page_with_any_two_games_makes_few_requests(one: str, other: str) -> None:
    """The home page makes at most 15 requests, at most eight of them for modules.

    The other seven are for the page, the theme script, the style sheet, the catalogue and three WebSockets. Which games
    the home page shows depends on the matches being played, so a browser sees only some of the pairs.
    """
    bundle_once()
    imports = json.loads(MADE.read_text())["imports"]
    modules = ["js/pages/home.js", f"{one}/view.js", f"{other}/view.js"]
    loaded = set(modules).union(*(imports[module] for module in modules))
    assert len(loaded) <= 8, sorted(loaded)


def test_bundle_lists_all_texts_of_scripts() -> None:
    """Every translated string is in a module's list; otherwise, pages could show the string only in English."""
    bundle_once()
    texts = json.loads(MADE.read_text())["texts"]
    with (ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "djangojs.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    keys = {
        (f"{message.context}\4" if message.context else "")
        + (message.id if isinstance(message.id, str) else message.id[0])
        for message in messages
    }
    assert keys - set().union(*texts.values()) == set()
    studio = set(texts["js/studio/studio.js"])
    assert {"Draft saved", "pending", "editor\4Find"} <= studio, "also of modules that are imported later"
    assert len(studio) < len(keys) / 2
