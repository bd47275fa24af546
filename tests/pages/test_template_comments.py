"""A comment of a template ends on its line: what does not is shown to readers."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_comments_end_on_their_line() -> None:
    lines = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("arena", "templates")
        for path in (ROOT / folder).rglob("*.html")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if line.count("{#") != line.count("#}")
    ]
    assert not lines
