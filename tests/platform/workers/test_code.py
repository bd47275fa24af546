from pathlib import Path

from pytest_django import Settings

from arena.platform.workers.code import code_version, digest


def test_digest_changes_only_with_the_code(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.py").write_text("x = 1\n")
    before = digest([tmp_path])
    (tmp_path / "notes.txt").write_text("y\n")
    assert digest([tmp_path]) == before
    (tmp_path / "deep" / "a.py").write_text("x = 2\n")
    changed = digest([tmp_path])
    assert changed != before
    (tmp_path / "deep" / "a.py").rename(tmp_path / "b.py")
    assert digest([tmp_path]) not in (before, changed)


def test_operator_may_set_the_code_version(settings: Settings) -> None:
    code_version.cache_clear()
    settings.ARENA_VERSION = "2026.9"
    try:
        assert code_version() == "2026.9"
    finally:
        code_version.cache_clear()
