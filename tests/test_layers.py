"""Every module of the arena has its place in the layers of pyproject.toml, which list parts of packages one by one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.import_contracts import expanded_layer

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
# Read before anything else, so it may stand beside all layers.
OUTSIDE = {"arena.settings"}
# Folders of tests that look at the whole site or at a game made for them.
WHOLE_SITE = {"browser", "js", "made_up", "scored", "stack"}


def layered() -> set[str]:
    (contract,) = (one for one in CONTRACTS if one["name"] == "One direction only")
    return {name.strip() for layer in contract["layers"] for name in re.split(r"[|:]", expanded_layer(layer))}


def ancestors(module: str) -> set[str]:
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def test_every_module_has_a_layer() -> None:
    paths = (path.relative_to(ROOT) for path in (ROOT / "arena").rglob("*.py") if path.name != "__init__.py")
    modules = {".".join(path.with_suffix("").parts) for path in paths}
    assert modules
    assert sorted(one for one in modules - OUTSIDE if ancestors(one).isdisjoint(layered())) == []


def test_every_layer_exists() -> None:
    missing = [
        name
        for name in layered()
        if not (ROOT / f"{name.replace('.', '/')}.py").is_file() and not (ROOT / name.replace(".", "/")).is_dir()
    ]
    assert missing == []


def test_tests_mirror_packages() -> None:
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    mirrors = {folder for folder in folders if folder.parts and folder.parts[0] not in WHOLE_SITE}
    assert mirrors
    missing = [one for one in mirrors if not (ROOT / "arena" / one).is_dir() and not (ROOT / one).is_dir()]
    assert sorted(map(str, missing)) == []


def test_tests_of_scripts_mirror_their_folders() -> None:
    for path in (ROOT / "tests" / "js").rglob("*.test.mjs"):
        script = path.relative_to(ROOT / "tests" / "js").with_name(path.name.replace(".test.mjs", ".js"))
        assert (ROOT / "static" / "js" / script).is_file(), path
