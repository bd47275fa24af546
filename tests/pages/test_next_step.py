"""The home page suggests one step: the first that applies."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.template.loader import render_to_string

from arena.learning_path.queries import GamePath, Rung
from arena.learning_path.rungs import PASSED_CHECK
from arena.pages.member_home import ExplainedLoss, MemberHome, OwnBot
from arena.pages.next_step import NextStep, next_step
from arena.submissions.queries import BotRow
from arena.tournaments.queries.deadlines import Deadline
from arena.tournaments.queries.tournaments import TournamentCard

NOW = datetime(2026, 11, 23, tzinfo=UTC)
LINE = BotRow(
    id=1, name="Mine", game="reversi", description="", owner="ann", owner_id=1, is_house=False, level=None, texts={},
    plays_people=True, retired=False, active_number=1, newest_number=1, versions=1, status="passed", status_label="",
    created_at=NOW,
)  # fmt: skip
CUP = Deadline(7, "Cup", "reversi", "open", "", NOW + timedelta(days=1))
OWN_CUP = TournamentCard(
    id=7, name="Cup", game="reversi", format_label="Swiss", status="running", status_label="", organizer="ann",
    organizer_id=1, course_id=None, course="", members_only=False, deadline=None, starts_at=None, started_at=None,
    finished_at=None, entries=2, matches=1, finished=0, leaders=(),
)  # fmt: skip
RUNGS = (
    Rung(PASSED_CHECK, 1, reached_at=NOW),
    Rung("corners", 2, boss_id=5, boss="Corners", about="Takes corners.", can_play=True, is_next=True),
)
EMPTY = MemberHome((), False, (), (), ())
WITH_BOT = replace(EMPTY, bots=(OwnBot(LINE, None, None),))
WITH_PATH = replace(WITH_BOT, paths=(GamePath("reversi", RUNGS, ((1, "Mine"),)),))


def suggested_step(home: MemberHome) -> NextStep:
    return next_step(home, now=NOW, newest_version=lambda bot: 10 * bot)


def test_newcomers_are_pointed_to_the_studio() -> None:
    assert suggested_step(replace(EMPTY, deadlines=(CUP,))).url == "/studio/new/"


def test_organizers_without_bots_are_pointed_to_tournaments() -> None:
    organizer = replace(EMPTY, organizes=True)
    assert suggested_step(organizer).url == "/tournaments/new/"
    over = replace(OWN_CUP, status="finished")
    assert suggested_step(replace(organizer, tournaments=(over,))).url == "/tournaments/new/"
    assert suggested_step(replace(organizer, tournaments=(over, OWN_CUP))).url == "/tournaments/7/operations/"
    assert suggested_step(replace(WITH_PATH, organizes=True)) == suggested_step(WITH_PATH)


def test_failed_check_has_priority() -> None:
    failed = OwnBot(replace(LINE, status="failed"), None, None)
    assert suggested_step(replace(WITH_PATH, bots=(failed,), deadlines=(CUP,))).url == "/submissions/10/studio/"


def test_tournament_is_suggested_shortly_before_its_deadline() -> None:
    assert suggested_step(replace(WITH_PATH, deadlines=(CUP,))).url == "/tournaments/7/"
    for other in (
        replace(CUP, bots=("Mine",)),
        replace(CUP, at=NOW + timedelta(days=9)),
        replace(CUP, at=None),
        replace(CUP, game="fib2584"),
    ):
        assert suggested_step(replace(WITH_PATH, deadlines=(other,))).url != "/tournaments/7/"


def test_time_left_to_enter_a_tournament_is_shown() -> None:
    step = suggested_step(replace(WITH_PATH, deadlines=(CUP,)))
    assert step.closes_at == CUP.at
    shown = render_to_string("pages/member_home.html", {"step": step, "member": EMPTY})
    assert re.search(r'<time datetime="2026-11-24T00:00:00\+00:00" data-relative>[^<]+</time>\.', shown)


def test_next_boss_is_one_click_away() -> None:
    found = suggested_step(WITH_PATH)
    assert (found.url, found.bot, found.title) == ("/path/reversi/corners/challenge/", 1, "Beat Corners with Mine")


def test_unavailable_boss_is_not_suggested() -> None:
    away = GamePath("reversi", (RUNGS[0], replace(RUNGS[1], can_play=False)), ((1, "Mine"),))
    card: Any = type("Card", (), {"id": 3})()
    own: Any = None
    loss = ExplainedLoss(card, own, "erred at move 26", 25)
    assert suggested_step(replace(WITH_BOT, paths=(away,), losses=(loss,))).url == "/matches/3/?at=25"


def test_completed_paths_lead_to_the_path_page() -> None:
    assert suggested_step(WITH_BOT).url == "/path/"
