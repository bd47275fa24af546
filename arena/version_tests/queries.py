"""Read-only queries for the version test pages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.celery import Queue
from arena.core.number_format import format_number
from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_plan import Estimate, VersionPlan, estimate_gain
from arena.core.ranking.version_test import Bounds, Gain, GainVerdict
from arena.games.openings import has_openings
from arena.matches.models import Match, MatchStatus, Seat
from arena.platform.workers.queries import processes_for
from arena.submissions.models import Bot, Submission, SubmissionStatus
from arena.ui.templatetags.ui import duration
from arena.version_tests.chart import Chart, chart_of
from arena.version_tests.evidence import is_ranked, matches_a_pair, plan_of, plan_of_test, test_from_json
from arena.version_tests.models import ACTIVE, MatchPair, PairStatus, VersionTest, VersionTestStatus
from arena.version_tests.texts import GAINS, sentence

_MAX_VERSIONS: Final = 50
_TIMED: Final = 100  # number of matches in the sample for the mean duration


@dataclass(frozen=True, slots=True)
class StartChoices:
    """The form's choices: versions that have passed their check, newest first, and gains with their labels.

    ``ranked``: whether the gain is in Elo.
    """

    versions: list[tuple[int, str]]
    active: int | None
    gains: list[tuple[str, str]]
    ranked: bool


@dataclass(frozen=True, slots=True)
class VersionTestRow:
    """A test in a list."""

    number: int
    bot_id: int
    status: str
    status_label: str
    sentence: str
    matches: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Winner:
    """The version that a finished test found to be better, with its submission's id."""

    id: int
    number: int
    is_active: bool


@dataclass(frozen=True, slots=True)
class VersionTestPage:
    """A test as shown on its own page.

    ``expected``: the expected numbers of matches (see ``_expected_matches``); ``most``: the maximum number of matches.
    """

    id: int
    number: int
    bot_id: int
    bot_name: str
    game: str
    owner_id: int
    status: str
    status_label: str
    verdict: str
    sentence: str
    new: int
    old: int
    is_active: bool
    event_seq: int
    ranked: bool
    is_normalized: bool
    has_openings: bool
    gain: str
    size: float
    bounds: Bounds
    better: float
    worse: float
    estimate: Estimate | None
    pairs: int
    skipped: int
    matches: int
    expected: tuple[int, int]
    most: int
    chart: Chart
    winner: Winner | None
    created_at: datetime
    ended_at: datetime | None

    @property
    def has_estimate(self) -> bool:
        return self.estimate is not None and math.isfinite(self.estimate.value)

    @property
    def one_sided_bound(self) -> str:
        """Return "above" if only a lower bound is known, "below" if only an upper bound is known, otherwise ""."""
        if self.estimate is None or math.isfinite(self.estimate.value):
            return ""
        return "above" if self.estimate.value > 0 else "below"


@dataclass(frozen=True, slots=True)
class DecidedPair:
    """A pair that was won by one of the versions."""

    number: int
    opening: str
    result: float
    matches: tuple[int, ...]
    won: bool  # won by the new version


def is_any_active() -> bool:
    return VersionTest.objects.filter(status__in=ACTIVE).exists()


def owner_of(bot_id: int) -> int | None:
    return Bot.objects.filter(pk=bot_id).values_list("owner_id", flat=True).first()


def tests(bot_id: int) -> QuerySet[VersionTest]:
    """Return the tests, newest first, for a paginator; callers convert each page with ``version_test_rows``."""
    return VersionTest.objects.filter(bot=bot_id).order_by("-number")


def version_test_rows(rows: Iterable[VersionTest] | QuerySet[VersionTest]) -> list[VersionTestRow]:
    """Return rows in the given order. Runs two queries."""
    order = [row.pk for row in rows]
    played = Count("pairs__matches", filter=Q(pairs__matches__match__status=MatchStatus.FINISHED))
    wanted = VersionTest.objects.filter(pk__in=order).select_related("new", "old").annotate(played=played)
    found = {row.pk: row for row in wanted}
    return [
        VersionTestRow(
            number=row.number,
            bot_id=row.bot_id,
            status=row.status,
            status_label=row.get_status_display(),
            sentence=sentence(row.status, row.verdict, row.new.number, row.old.number),
            matches=row.played,
            created_at=row.created_at,
        )
        for row in (found[pk] for pk in order if pk in found)
    ]


def start_choices(bot_id: int) -> StartChoices | None:
    """Return the choices that the form offers for a bot.

    Return None for a retired bot, or if fewer than two versions have passed their check.
    """
    bot = Bot.objects.filter(pk=bot_id, retired=False).first()
    rows = Submission.objects.filter(bot=bot_id, status=SubmissionStatus.PASSED).order_by("-number")
    passed = list(rows.values_list("pk", "number")[:_MAX_VERSIONS])
    if bot is None or len(passed) < 2:
        return None
    plays = _("v%(n)s, active")
    versions = [(pk, (plays if pk == bot.active_id else "v%(n)s") % {"n": number}) for pk, number in passed]
    seconds = _seconds_per_match(bot_id)
    gains = [(gain.value, _gain_label(bot.game, gain, seconds)) for gain in GAINS]
    return StartChoices(versions, bot.active_id, gains, is_ranked(bot.game))


def _gain_label(game: str, gain: Gain, seconds: float | None) -> str:
    """Return the gain in words and figures, with the expected number of matches and their minimum duration.

    ``seconds``: the time per match; if None, the label contains no duration.
    """
    plan = plan_of(game, gain)
    matches = max(_expected_matches(game, plan))
    parts = [
        _("%(gain)s (%(size)s)") % {"gain": GAINS[gain], "size": size_text(plan)},
        ngettext("about %(n)s match", "about %(n)s matches", matches) % {"n": format_number(matches)},
    ]
    if seconds is not None:
        took = duration(round(matches * seconds) or 1)
        parts.append(_("at least %(time)s") % {"time": took})
    return _(", ").join(parts)


def size_text(plan: VersionPlan) -> str:
    if plan.ranked:
        return _("%(n)s Elo") % {"n": f"{plan.gain_size:g}"}
    return _("%(n)s standard deviations of the pair score") % {"n": f"{plan.gain_size:g}"}


def _expected_matches(game: str, plan: VersionPlan) -> tuple[int, int]:
    """Return two expected numbers of matches: for equal versions, and for a gain of exactly the tested size."""
    equal, better = (math.ceil(pairs) * matches_a_pair(game) for pairs in plan.expected_pairs)
    return equal, better


def _seconds_per_match(bot_id: int) -> float | None:
    """Return the bot's mean match duration, divided by the number of worker processes.

    Return None before the bot has played.
    """
    took = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    # Separate queries: with a join, databases would search for the newest of all matches.
    versions = list(Submission.objects.filter(bot=bot_id).order_by().values_list("pk", flat=True))
    seats = Seat.objects.filter(submission__in=versions).order_by("-match_id").values_list("match_id", flat=True)
    own = Match.objects.filter(pk__in=list(seats[:_TIMED]), status=MatchStatus.FINISHED)
    mean = own.aggregate(mean=Avg(took))["mean"]
    if mean is None:
        return None
    return float(mean.total_seconds()) / max(1, processes_for(Queue.LADDER, now=timezone.now()))


def version_test_page(bot_id: int, number: int) -> VersionTestPage | None:
    """Return the test without its pairs; None if there is no such test. Runs four queries."""
    test = VersionTest.objects.filter(bot=bot_id, number=number).select_related("bot", "new", "old").first()
    if test is None:
        return None
    game = test.bot.game
    plan = plan_of_test(test)
    played = Match.objects.filter(version_test_match__pair__test=test, status=MatchStatus.FINISHED).count()
    return VersionTestPage(
        id=test.pk,
        number=test.number,
        bot_id=test.bot_id,
        bot_name=test.bot.name,
        game=game,
        owner_id=test.bot.owner_id,
        status=test.status,
        status_label=test.get_status_display(),
        verdict=test.verdict,
        sentence=sentence(test.status, test.verdict, test.new.number, test.old.number),
        new=test.new.number,
        old=test.old.number,
        is_active=test.status in ACTIVE,
        event_seq=test.event_seq,
        ranked=plan.ranked,
        is_normalized=plan.model is EloModel.NORMALIZED,
        has_openings=has_openings(game),
        gain=str(GAINS[plan.gain]),
        size=plan.gain_size,
        skipped=test.skipped,
        matches=played,
        expected=_expected_matches(game, plan),
        most=test.most_pairs * matches_a_pair(game),
        winner=_winner(test),
        created_at=test.created_at,
        ended_at=test.ended_at,
        **_evidence_fields(test, plan),
    )


def _evidence_fields(test: VersionTest, plan: VersionPlan) -> dict[str, Any]:
    """Return the page's fields that are computed from the counted pairs. Runs one query."""
    state = test_from_json(test.evidence, plan, test.most_pairs)
    ratios = test.pairs.filter(status=PairStatus.COUNTED).order_by("number").values_list("better", "worse")
    return {
        "bounds": state.bounds,
        "better": state.better.ratio,
        "worse": state.worse.ratio,
        "estimate": estimate_gain(state.evidence),
        "pairs": state.evidence.pairs,
        "chart": chart_of([(better or 0.0, worse or 0.0) for better, worse in ratios], state.bounds),
    }


def _winner(test: VersionTest) -> Winner | None:
    better = {GainVerdict.BETTER.value: test.new, GainVerdict.WORSE.value: test.old}.get(test.verdict)
    if better is None or test.status != VersionTestStatus.FINISHED:
        return None
    return Winner(better.pk, better.number, is_active=better.pk == test.bot.active_id)


def decided_pair_rows(test_id: int, game: str) -> QuerySet[MatchPair]:
    """Return pairs that were not split, newest first, for a paginator; see ``decided_pairs``."""
    split = 1.0 if is_ranked(game) else 0.0
    return MatchPair.objects.filter(test=test_id, status=PairStatus.COUNTED).exclude(result=split).order_by("-number")


def decided_pairs(rows: Iterable[MatchPair] | QuerySet[MatchPair], game: str) -> list[DecidedPair]:
    """Convert rows to decided pairs, in the given order. Runs one query for the pairs and one for the matches."""
    split = 1.0 if is_ranked(game) else 0.0
    found = list(rows)
    links: dict[int, list[int]] = {}
    listed = Match.objects.filter(version_test_match__pair__in=[row.pk for row in found])
    for pair, match in listed.order_by("version_test_match__leg").values_list("version_test_match__pair", "pk"):
        links.setdefault(pair, []).append(match)
    return [
        DecidedPair(row.number, row.opening, row.result or 0.0, tuple(links.get(row.pk, ())), (row.result or 0) > split)
        for row in found
    ]
