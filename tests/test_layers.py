"""Every module of the arena belongs to a layer in pyproject.toml, either directly or through its package."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.import_contracts import expand_layer, modules_of

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
# Imported before everything else, so it is outside the layers.
OUTSIDE = {"arena.settings"}
# Test folders that cover the whole site or a game made for tests.
WHOLE_SITE = {"browser", "js", "example_game", "scored", "stack"}


# Template folders whose package has another name.
PACKAGES = {
    "": "arena.ui",
    "components": "arena.ui",
    "embed": "arena.pages",
    "tv": "arena.pages",
    "workers": "arena.platform.workers",
}


@cache
def layers() -> list[set[str]]:
    """Return the modules of each layer, the highest first."""
    (contract,) = (one for one in CONTRACTS if one["name"] == "One direction only")
    return [{name.strip() for name in re.split(r"[|:]", expand_layer(layer))} for layer in contract["layers"]]


def layered_modules() -> set[str]:
    return set.union(*layers())


def ancestors(module: str) -> set[str]:
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def test_every_module_has_a_layer() -> None:
    paths = (path.relative_to(ROOT) for path in (ROOT / "arena").rglob("*.py") if path.name != "__init__.py")
    modules = {".".join(path.with_suffix("").parts) for path in paths}
    assert modules
    assert sorted(one for one in modules - OUTSIDE if ancestors(one).isdisjoint(layered_modules())) == []


def test_every_layer_exists() -> None:
    missing = [
        name
        for name in layered_modules()
        if not (ROOT / f"{name.replace('.', '/')}.py").is_file() and not (ROOT / name.replace(".", "/")).is_dir()
    ]
    assert missing == []


def test_tests_mirror_packages() -> None:
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    mirrors = {folder for folder in folders if folder.parts and folder.parts[0] not in WHOLE_SITE}
    assert mirrors
    missing = [one for one in mirrors if not (ROOT / "arena" / one).is_dir() and not (ROOT / one).is_dir()]
    assert sorted(map(str, missing)) == []


def scripts_of(test: Path) -> list[Path]:
    """Return the possible paths of the script that a ``.test.mjs`` file tests.

    It is either in the root folder ``static`` or in the static files of the package that the test's folder mirrors.
    """
    below = test.relative_to(ROOT / "tests").with_name(test.name.replace(".test.mjs", ".js"))
    if below.parts[0] == "js":
        return [ROOT / "static" / below]
    return list((ROOT / "arena" / below.parent).glob(f"static/*/{below.name}"))


@pytest.mark.parametrize("test", sorted((ROOT / "tests").rglob("*.test.mjs")), ids=lambda path: path.name)
def test_script_tests_mirror_script_paths(test: Path) -> None:
    assert [script for script in scripts_of(test) if script.is_file()]


@cache
def highest_layer(package: str) -> int:
    """Return the number of the highest layer that contains the package or a part of it."""
    inside = f"{package}."
    return next(
        number
        for number, names in enumerate(layers())
        if any(name in ancestors(package) or name.startswith(inside) for name in names)
    )


def templates() -> dict[Path, str]:
    """Map every template to the package it belongs to."""
    found = {}
    for path in (*ROOT.glob("templates/**/*.*"), *ROOT.glob("arena/**/templates/**/*.*")):
        owner, _, name = str(path.relative_to(ROOT)).rpartition("templates/")
        folder = name.partition("/")[0] if "/" in name else ""
        package = owner.strip("/").replace("/", ".") or PACKAGES.get(folder, f"arena.{folder}")
        # Pages include the games' own templates.
        found[path] = modules_of("games.apps")[0] if package in modules_of("games") else package
    return found


def test_templates_load_no_tag_library_of_a_higher_layer() -> None:
    paths = (path.relative_to(ROOT) for path in ROOT.glob("arena/**/templatetags/*.py") if path.name != "__init__.py")
    libraries = {path.stem: ".".join(path.with_suffix("").parts) for path in paths}
    wrong = []
    for path, package in templates().items():
        for tag in re.findall(r"{% load ([^%]+) %}", path.read_text(encoding="utf-8")):
            for library in libraries.keys() & set(tag.split()):
                if highest_layer(libraries[library]) < highest_layer(package):
                    wrong.append(f"{path.relative_to(ROOT)}: {library}")
    assert len(libraries) > 5
    assert wrong == []


def test_base_template_and_components_load_only_generic_libraries() -> None:
    own = {path.stem for path in (ROOT / "arena/ui/templatetags").glob("*.py")} | {"i18n", "static"}
    paths = [ROOT / "templates/base.html", *(ROOT / "templates/components").glob("*.html")]
    assert len(paths) > 10
    for path in paths:
        loaded = " ".join(re.findall(r"{% load ([^%]+) %}", path.read_text(encoding="utf-8"))).split()
        assert set(loaded) <= own, path


def test_base_template_and_components_do_not_reference_domains() -> None:
    """The base template and components include nothing from an app; apps register parts in ``arena.ui.page_parts``."""
    for path in [ROOT / "templates/base.html", *(ROOT / "templates/components").glob("*.html")]:
        text = path.read_text(encoding="utf-8")
        included = re.findall(r"{% include \"([^\"]+)\"", text)
        assert [name for name in included if not name.startswith("components/")] == [], path
        assert set(re.findall(r"{% url ['\"]([\w-]+)['\"]", text)) <= {"home", "javascript-catalog", "set_language"}, (
            path
        )
