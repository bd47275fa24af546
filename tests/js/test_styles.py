"""Style sheets contain no unused class, and both blocks of the dark theme are identical."""

import re
from os.path import normpath
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
STYLES = ROOT / "static" / "css"
SHEETS = [*STYLES.glob("*.css"), *(ROOT / "arena").rglob("static/**/*.css")]
# Classes of uPlot, and classes whose names are built from a number.
_ELSEWHERE = re.compile(r"u-.+|hue-\d+")


def rules(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)


def test_every_class_is_used() -> None:
    folders = (ROOT / "templates", ROOT / "static", ROOT / "arena")
    files = [path for folder in folders for path in folder.rglob("*")]
    texts = [path.read_text() for path in files if path.suffix in {".html", ".js", ".py"}]
    worn = {word for text in texts for word in re.findall(r"[\w-]+", text)}
    dressed = {name for path in SHEETS for name in re.findall(r"(?<!\w)\.([a-z][\w-]*)", rules(path))}
    assert len(dressed) > 100
    assert [name for name in sorted(dressed - worn) if not _ELSEWHERE.fullmatch(name)] == []


def served_path(path: Path) -> PurePosixPath:
    """Return the path at which the site serves a static file."""
    return PurePosixPath("/static", path.as_posix().rpartition("/static/")[2])


def test_every_style_sheet_is_imported() -> None:
    """Every style sheet is imported by the main sheet of the site or of a game, so that the bundle contains it."""
    entries = {STYLES / "site.css", *(path for path in SHEETS if path.stem == path.parent.name)}
    imported = {
        normpath(served_path(sheet).parent / name)
        for sheet in entries
        for name in re.findall(r'@import (?:url\()?"([\w./-]+\.css)"', sheet.read_text())
    }
    assert sorted(path for path in {*SHEETS} - entries if str(served_path(path)) not in imported) == []


def test_dark_theme_is_the_same_whether_chosen_or_followed() -> None:
    """The two dark-theme blocks are identical; CSS cannot share one between a media query and an attribute."""
    blocks = re.findall(r"\{([^{}]*color-scheme: dark;[^{}]*)\}", rules(STYLES / "tokens.css"))
    followed, chosen = [[line.strip() for line in block.split("\n") if line.strip()] for block in blocks]
    assert followed == chosen


def test_game_sheets_style_no_site_classes() -> None:
    """A game's style sheet never styles a class of the site, such as `.podium`, because every page loads all sheets."""

    def single_class_rules(path: Path) -> set[str]:
        return set(re.findall(r"^\.([a-z][\w-]*) \{", rules(path), re.MULTILINE))

    of_site = set[str]().union(*map(single_class_rules, STYLES.glob("*.css")))
    of_games = {
        path.relative_to(ROOT).as_posix(): single_class_rules(path) & of_site
        for path in (ROOT / "arena").rglob("*.css")
    }
    assert {path: names for path, names in of_games.items() if names} == {}
