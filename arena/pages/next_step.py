"""Choose the next step that the home page suggests to a member: the first one that applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.pages.member_home import MemberHome

SOON: Final = timedelta(days=3)
ENDED: Final = ("finished", "cancelled")


@dataclass(frozen=True, slots=True)
class NextStep:
    """A link to ``url`` or, if ``bot`` is not None, a button that posts ``bot`` to ``url``.

    ``closes_at``: when the offer ends; None if it does not.
    """

    title: str
    text: str
    label: str
    url: str
    bot: int | None = None
    closes_at: datetime | None = None


def next_step(home: MemberHome, *, now: datetime, newest_version: Callable[[int], int | None]) -> NextStep:
    """Return the step to suggest: the first one that applies to the member.

    ``newest_version``: returns the id of a bot's newest submission.
    """
    return (
        _organizer_step(home)
        or _first_bot_step(home)
        or _failed_check_step(home, newest_version)
        or _deadline_step(home, now)
        or _boss_step(home)
        or _lost_match_step(home)
        or NextStep(
            _("Try another game"),
            _("You have beaten every boss in your games. Each game has a learning path of its own."),
            _("Learning path"),
            reverse("learning-path"),
        )
    )


def _organizer_step(home: MemberHome) -> NextStep | None:
    """Return a step for an organizer who has no bots, such as a teacher; None for other members."""
    if not home.organizes or home.bots:
        return None
    current = next((card for card in home.tournaments if card.status not in ENDED), None)
    if current is None:
        text = _("Choose a preset, who can enter and when the tournament starts. The arena will do the rest.")
        return NextStep(_("Create a tournament"), text, _("New tournament"), reverse("tournament-new"))
    title = _("Follow %(tournament)s") % {"tournament": current.name}
    text = _("The operations page shows the tournament's entries, progress and any problems.")
    return NextStep(title, text, _("Operations"), reverse("tournament-operations", args=[current.id]))


def _first_bot_step(home: MemberHome) -> NextStep | None:
    if home.bots:
        return None
    text = _("The editor begins with a working bot. Change a line, run it against a house bot and submit it.")
    return NextStep(_("Write your first bot"), text, _("Open the studio"), reverse("studio-first"))


def _failed_check_step(home: MemberHome, newest_version: Callable[[int], int | None]) -> NextStep | None:
    failed = next((bot.line for bot in home.bots if bot.line.status == "failed"), None)
    version = newest_version(failed.id) if failed else None
    if failed is None or version is None:
        return None
    title = _("Fix %(bot)s") % {"bot": failed.name}
    text = _("The newest version failed its check. The studio opens at the line that failed.")
    return NextStep(title, text, _("Open the studio"), reverse("studio-submission", args=[version]))


def _deadline_step(home: MemberHome, now: datetime) -> NextStep | None:
    games = {bot.line.game for bot in home.bots if bot.line.active_number is not None}
    for one in home.deadlines:
        if not one.bots and one.game in games and one.at is not None and one.at - now < SOON:
            title = _("Enter %(tournament)s") % {"tournament": one.name}
            url = reverse("tournament", args=[one.tournament_id])
            return NextStep(title, _("One of your bots plays this game."), _("Enter a bot"), url, closes_at=one.at)
    return None


def _boss_step(home: MemberHome) -> NextStep | None:
    """Suggest challenging the next boss of a game; games with the member's latest changes come first."""
    by_game = {path.game: path for path in home.paths}
    for bot in home.bots:
        path = by_game.get(bot.line.game)
        rung = path.next_rung if path else None
        if path is None or rung is None or not rung.can_play or not path.bots:
            continue
        bot_id, name = path.bots[0]
        title = _("Beat %(boss)s with %(bot)s") % {"boss": rung.boss, "bot": name}
        url = reverse("boss-challenge", args=[path.game, rung.code])
        return NextStep(title, rung.about, _("Challenge %(boss)s") % {"boss": rung.boss}, url, bot_id)
    return None


def _lost_match_step(home: MemberHome) -> NextStep | None:
    loss = next((loss for loss in home.losses if loss.why), None)
    if loss is None:
        return None
    url = reverse("match", args=[loss.card.id]) + (f"?at={loss.turn}" if loss.turn is not None else "")
    return NextStep(_("Learn from your last loss"), loss.why, _("Show the match"), url)
