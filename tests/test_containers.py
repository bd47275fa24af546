"""The build context contains everything that the image copies, and the compose files are valid."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.dockerfile import build_context, copied_from_context, missing_sources

ROOT = Path(__file__).resolve().parents[1]
COMPOSE_FILES = ("docker-compose.yml", "docker/namespaces.yml")


def folder(tmp_path: Path, dockerfile: str, ignored: str, *files: str) -> Path:
    (tmp_path / "Dockerfile").write_text(dockerfile)
    (tmp_path / ".dockerignore").write_text(ignored)
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def compose_schema(*paths: Path) -> subprocess.CompletedProcess[str]:
    """Validate files against the compose specification's schema, which check-jsonschema bundles (no download)."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_image_copies_only_files_in_the_build_context() -> None:
    assert "requirements-s3.txt" in copied_from_context((ROOT / "Dockerfile").read_text())
    assert missing_sources(ROOT) == []


def test_build_context_excludes_data_and_compiled_files() -> None:
    context = build_context(ROOT)
    tops = {Path(path).parts[0] for path in context}
    assert not tops & {".git", ".venv", "build", "node_modules", "tests", "var"}
    assert not [path for path in context if path.endswith((".mo", ".pyc"))]


@pytest.mark.parametrize(
    ("ignored", "missing"),
    [
        ("*\n", ["a.txt", "pages"]),
        ("*\n!a.txt\n!pages\n", []),
        ("!a.txt\n*\n", ["a.txt", "pages"]),  # the last matching line wins
        ("**/*.txt\n", ["a.txt"]),
        ("**/*.txt\n!a.txt\n", []),
        ("# a.txt\n", []),
    ],
)
def test_missing_sources_follow_dockerignore(tmp_path: Path, ignored: str, missing: list[str]) -> None:
    dockerfile = (
        "FROM one AS first\nCOPY a.txt \\\n  # a comment between\n  pages ./\n"
        'FROM two\nCOPY --from=first /nowhere ./\nCOPY --chown=1:1 ["a.txt", "b/"]\n'
    )
    found = missing_sources(folder(tmp_path, dockerfile, ignored, "a.txt", "pages/index.html"))
    assert sorted(set(found)) == missing


def test_wildcard_source_needs_a_match(tmp_path: Path) -> None:
    root = folder(tmp_path, "COPY requirements*.txt missing*.txt ./\n", "*\n!requirements*\n", "requirements-s3.txt")
    assert missing_sources(root) == ["missing*.txt"]


@pytest.mark.long
def test_compose_files_are_valid() -> None:
    checked = compose_schema(*(ROOT / name for name in COMPOSE_FILES))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.long
def test_unknown_key_makes_a_compose_file_invalid(tmp_path: Path) -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert text.count("cap_drop:") == 1
    broken = tmp_path / "docker-compose.yml"
    broken.write_text(text.replace("cap_drop:", "cap_drops:"))
    checked = compose_schema(broken)
    assert checked.returncode == 1
    assert "cap_drops" in checked.stdout
