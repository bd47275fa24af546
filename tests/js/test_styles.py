"""Style sheets contain no unused class, both dark-theme blocks are identical, and text on boards is legible."""

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
    """Every style sheet is imported by one that a template links or by a game's, so that a bundle contains it."""
    templates = [path for folder in (ROOT / "templates", ROOT / "arena") for path in folder.rglob("*.html")]
    linked = {name for path in templates for name in re.findall(r"{% static '([\w./-]+\.css)' %}", path.read_text())}
    entries = {
        path
        for path in SHEETS
        if str(served_path(path).relative_to("/static")) in linked or path.stem == path.parent.name
    }
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
    """A game's style sheet never styles a site class, such as `.podium`, because every page loads all sheets."""

    def single_class_rules(path: Path) -> set[str]:
        return set(re.findall(r"^\.([a-z][\w-]*) \{", rules(path), re.MULTILINE))

    of_site = set[str]().union(*map(single_class_rules, STYLES.glob("*.css")))
    of_games = {
        path.relative_to(ROOT).as_posix(): single_class_rules(path) & of_site
        for path in (ROOT / "arena").rglob("*.css")
    }
    assert {path: names for path, names in of_games.items() if names} == {}


def luminance(color: str) -> float:
    """Return the relative luminance of a colour such as #1f6045, as WCAG 2.2 defines it."""
    shares = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_points_won_are_legible_on_the_card_table() -> None:
    """In both themes, the contrast is at least 4.5 (WCAG 2.2, 1.4.3); audits rarely catch such short text."""
    boards = set(re.findall(r"--board: (#[0-9a-f]{6});", rules(STYLES / "tokens.css")))
    table = rules(ROOT / "arena/games/suit_pairs/static/suit_pairs/card-table.css")
    gain = re.search(r"\.card-table__gain \{[^}]*?\bcolor: (#[0-9a-f]{6});", table)
    assert len(boards) == 2
    assert gain
    contrasts = {board: (luminance(gain[1]) + 0.05) / (luminance(board) + 0.05) for board in boards}
    assert {board: contrast for board, contrast in contrasts.items() if contrast < 4.5} == {}
