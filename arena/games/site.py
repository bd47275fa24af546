"""A game's Django side: everything that the site needs in addition to the rules.

Each game defines ``SITE`` in its ``site.py``.

Invariant: importing a ``site.py`` needs no settings and no models, because settings, URLs and the beat schedule are
read from it. Code that needs them is in functions with local imports, or is referred to by its dotted name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time, timedelta
from typing import Any, Final, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from arena.core.duration_estimate import PlayedMatch
from arena.core.referee.record import Record
from arena.games.base import Json

Text = str | Promise

SCORE: Final = _("Score")
MOVE: Final = _("Move")
MOVES: Final = _("Moves")
FOR_ONE_MOVE: Final = _("for one move")


class MatchOverview(Protocol):
    """The overview of a match that is too long to be sent as a whole: its chart and totals.

    Invariant: it is computed from turns as a viewer sees them, so it reveals nothing hidden. Its JSON is small for a
    match of any length: at most about ten thousand numbers.
    """

    def add(self, turn: Mapping[str, Json]) -> None:
        """Add the next turn, starting with turn 0: ``{"number", "moves", "view"}``."""

    def to_json(self) -> Json: ...


@dataclass(frozen=True, slots=True)
class SettingText:
    """The label and help text of one setting in the game's schema, for forms. ``choices``: the label of each value."""

    label: Text
    help: Text = ""
    choices: Mapping[Json, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnWords:
    """The words for a turn on pages: ``name`` in headings, ``position`` in replays, ``count`` in lists of matches.

    ``at``: when something happened, such as "on turn 3" or "on turns 3, 5"; ``start``: before the first turn;
    ``within``: "for one move", after a number of answers.

    ``move`` and ``moves``: headings for the answers in a turn. English uses one word for all games. Chinese, for
    example, has one word for a move on a board and another for a card that is played.
    """

    name: Text
    position: Text
    count: Text
    at: Text
    start: Text
    within: Text = FOR_ONE_MOVE
    move: Text = MOVE
    moves: Text = MOVES


TURNS: Final = TurnWords(
    name=_("Turn"),
    position=_("Turn %(turn)s of %(turns)s"),
    count=ngettext_lazy("%(n)s turn", "%(n)s turns", "n"),
    at=ngettext_lazy("on turn %(turns)s", "on turns %(turns)s", "n"),
    start=_("before the first turn"),
)


@dataclass(frozen=True, slots=True)
class TournamentDefaults:
    """The defaults of the form for a new tournament.

    ``format``: a code of ``arena.tournaments``, or "" for the first format that suits the game. ``settings``: values
    that differ from the defaults of the schema.
    """

    format: str = ""
    move_seconds: float = 60.0
    settings: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TournamentPreset:
    """A kind of tournament that the first step of the wizard offers.

    ``code``: part of its URL; ``picture``: the template of its inline SVG. ``format``: a code of ``arena.tournaments``,
    or "" for the game's default; ``fields``: defaults of the form's other fields, by name; ``settings``: settings of
    the game, by name. ``start``: a code of ``StartMode``. ``open_for``: how long bots can enter; ``closes_at``: the
    time of day to which the resulting deadline is moved, in the organizer's time zone.
    """

    code: str
    name: Text
    text: Text
    picture: str
    format: str = ""
    fields: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, Json] = field(default_factory=dict)
    start: str = "deadline"
    open_for: timedelta | None = None
    closes_at: time | None = None


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A link in the main navigation, identified by the name of its URL."""

    url_name: str
    label: Text


@dataclass(frozen=True, slots=True)
class EmbeddablePage:
    """A page that other sites may embed: its URL, its title and its preferred size in pixels."""

    url: str
    title: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Export:
    """A download of a finished match.

    ``file``: the last part of its URL, such as "moves.txt"; ``write``: receives the record and the names of the seats.
    """

    file: str
    label: Text
    write: Callable[[Record, Sequence[str]], str]
    content_type: str = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ScriptDialect:
    """The guide's description of a script dialect.

    ``name``: the value of ``# arena: NAME``; ``runs``: how many times the script is started. ``example``: the name of
    an example file in the folder of the game's bots, without its extension; ``example_title``: its heading. Both may
    be empty.
    """

    name: str
    site: Text
    reads: Text
    prints: Text
    runs: Text
    example: str = ""
    example_title: Text = ""


@dataclass(frozen=True, slots=True)
class AnswerExample:
    """The guide's example of an answer, for the position whose state the guide shows.

    ``code``: a Python expression for the result of ``get_move``, in which ``state`` is the argument of ``get_move``.
    """

    code: str
    meaning: Text
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A tournament of house bots for a new installation.

    ``format``: a code of ``arena.tournaments``. ``players``: names of house bots, () for all house bots of the game
    except difficulty levels. The tournament starts once all of these bots have passed their checks, so a game
    with some slow bots should name only fast ones.
    """

    name: Text
    description: Text
    format: str
    repeats: int
    settings: Mapping[str, Json] = field(default_factory=dict)
    move_seconds: float = 60.0
    pace_seconds: float = 0.5
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """A task that Celery beat sends periodically.

    ``seconds``: the interval; None for the interval at which the site sweeps stalled jobs.
    """

    task: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class PersonMove:
    """A legal move for a person: the answer as the rules encode it, and the label of its button."""

    answer: Json
    label: Text


@dataclass(frozen=True, slots=True)
class Advice:
    """A game's hint for a person.

    ``answer``: the best move as the rules encode it. ``context``: the context of the game's template ``advice.html``.
    """

    answer: Json
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LearningEnvironment:
    """The game as a learning environment, for the training page; see ``environment.py`` in the folder of its bots.

    ``opponent``: the house bot that plays at random. ``compiled``: the result of `python -m bots train` with compiled
    rules, None if the game has no such rules; ``rival``: the house bot that the result was measured against.
    ``q_learner``: describes what a house bot learns by Q-learning, for the page that explains the method; "" if no bot
    uses it.
    """

    observation: Text
    actions: Text
    reward: Text
    opponent: str
    compiled: Text | None = None
    rival: str = ""
    q_learner: Text = ""


def _no_moves(view: Mapping[str, Json], seat: int) -> Sequence[PersonMove]:
    return ()


@dataclass(frozen=True, slots=True)
class HumanPlay:
    """The settings for people who play the game in the browser, with bots or alone.

    In a game that people play, bots receive the full state on each turn, because another worker may take over the
    match. Every seat sees its own moves.

    ``player_counts``: the possible numbers of players, including the person; forms propose the first number.
    ``seats``: the label of each seat choice, such as "Black (you move first)"; () if names or numbers are enough.
    ``settings``: settings of the matches, if they differ from the defaults of the schema.
    ``clocks``: possible total times for a person's moves, in seconds; forms propose ``clock``.
    ``moves``: returns a seat's possible moves in its view, for buttons; empty if the game's own template
    ``answer.html`` uses other input.
    ``adviser``: the module of the house bot that gives hints.
    ``advice``: computes hints immediately on the web server instead, from a state and a seat, and reveals nothing
    hidden from the seat. If neither ``adviser`` nor ``advice`` is set, there are no hints.
    ``takes_back``: whether a person may take back a move against house bots; False if moves reveal hidden or random
    information. ``no_take_back``: the reason in that case, shown beside the board.
    ``links``: further pages for people who want to play.
    """

    player_counts: tuple[int, ...] = (2,)
    seats: tuple[Text, ...] = ()
    settings: Mapping[str, Json] = field(default_factory=dict)
    clocks: tuple[int, ...] = (300, 600, 1800)
    clock: int = 600
    moves: Callable[[Mapping[str, Json], int], Sequence[PersonMove]] = _no_moves
    adviser: str = ""
    advice: Callable[[Any, int], Advice | None] | None = None
    takes_back: bool = False
    no_take_back: Text = ""
    links: tuple[MenuEntry, ...] = ()

    @property
    def gives_hints(self) -> bool:
        return bool(self.adviser) or self.advice is not None


@dataclass(frozen=True, slots=True)
class GameSite:
    """A game's definition for the site. Everything except the name has a default.

    ``seats``: names of the seats, if they have names; ``settings``: labels and help texts of the settings by name, in
    the schema's order.
    ``turns``: what pages call the game's turns; a view that uses a word other than "turn" also exports ``turnText``.
    ``wide``: whether the display of a match is wider than it is high, like a chart, and uses the wider of two layouts.
    ``boards``: how many running matches a tournament's page shows side by side; 1 for a chart as wide as the page.
    ``embed_height``: the height in pixels of a match embedded in another site, at a width of 520 pixels.
    ``apps``: the game's additional Django apps; ``urls``: their URL modules.
    ``service``: the dotted name of an ``arena.platform.asgi.Service`` that every web process runs.
    ``periodic``: periodic tasks by the name of their beat entries.
    ``transcribe``: the dotted name of a function that takes the id and the record of a match and returns its
    ``Transcript`` for the dataset; "" to export moves as they are in records.
    ``frames``: maps the URL name of a page to the dotted name of a function. It takes the number in the page's URL
    and returns the ``EmbeddablePage``, or None if other sites may not embed the page.
    ``presets``: tournament presets for this game only; ``arena.tournaments.formats.presets`` has the others.
    ``scrimmage``: default settings of scrimmages, if they differ from the schema's defaults.
    ``typical_match``: a typical match, measured between house bots without a spectator delay. The site estimates
    durations from it until enough matches or upload checks have been played; None if nothing was measured.
    ``score_name`` and ``score_decimals``: how standings show the score of a game that is scored rather than ranked; a
    score with decimals differs from the integer score on the board, so results name the score.
    ``margin_text``: explains what the tiebreak "margin" adds up in this game; ``margin_is_score``: whether these are
    scores rather than differences between opponents.
    ``move_label``: returns the label of an encoded move, like ``moveLabel`` in ``view.js``; None if the code is
    readable.
    ``counts``: returns each seat's count on the board of a view, such as its pieces. Results of matches with two
    seats show these counts instead of points.
    ``closeness``: returns how close a running match is in a public view, from 0 to 1, or None if nobody has an
    opponent; see ``arena.games.closeness``. The public screen prefers close matches.
    ``picture``: draws the newest of the views up to a turn as SVG, for share cards and animations; see
    ``arena.games.drawing``. If None, share cards and animations show only names and scores.
    ``seat_swatches``: whether ``picture`` draws each seat's moves in its hue; if so, cards show the seat's swatch too.
    ``scores``: returns each seat's points so far in a public view, for share cards and animations; None if a running
    match has none.
    ``overview``: collects, from all turns, the data that the view needs if a match is too long to be sent at once.
    ``people``: None if people cannot play the game move by move; ``played_at``: the URL name of the page where they
    play it instead.
    ``learning``: None if the game has no environment.
    ``bosses``: file names of house bots, easiest first: the rungs of the game's learning path.
    ``extra_opponents``: file names of house bots that also play in a challenge, for games with more than two
    seats. None of them may be a boss, so that a challenge cannot reach other rungs.
    """

    name: Text
    seats: tuple[Text, ...] = ()
    settings: Mapping[str, SettingText] = field(default_factory=dict)
    tournament: TournamentDefaults = TournamentDefaults()
    presets: tuple[TournamentPreset, ...] = ()
    scrimmage: Mapping[str, Json] = field(default_factory=dict)
    typical_match: PlayedMatch | None = None
    score_name: Text = SCORE
    score_decimals: int = 0
    margin_text: Text = ""
    margin_is_score: bool = False
    turns: TurnWords = TURNS
    wide: bool = False
    boards: int = 3
    embed_height: int = 640
    move_label: Callable[[Json], Text] | None = None
    counts: Callable[[Mapping[str, Json]], Sequence[int]] | None = None
    closeness: Callable[[Mapping[str, Json]], float | None] | None = None
    picture: Callable[[Sequence[Mapping[str, Any]]], str] | None = None
    seat_swatches: bool = False
    scores: Callable[[Mapping[str, Json]], Sequence[float]] | None = None
    overview: Callable[[], MatchOverview] | None = None
    people: HumanPlay | None = None
    played_at: str = ""
    learning: LearningEnvironment | None = None
    bosses: tuple[str, ...] = ()
    extra_opponents: tuple[str, ...] = ()
    menu: tuple[MenuEntry, ...] = ()
    exports: tuple[Export, ...] = ()
    dialects: tuple[ScriptDialect, ...] = ()
    answers: tuple[AnswerExample, ...] = ()
    demonstrations: tuple[Demonstration, ...] = ()
    apps: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    service: str = ""
    periodic: Mapping[str, PeriodicTask] = field(default_factory=dict)
    transcribe: str = ""
    frames: Mapping[str, str] = field(default_factory=dict)
