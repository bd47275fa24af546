"""A tournament's activity log in sentences: who did what, when, to what and why.

Invariant: the sentences for all kinds of activity are defined here. Lines that mention a match are shown only to people
who may know the results; the organizer's private lines are shown to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.accounts.models import User
from arena.accounts.queries import is_house_account
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.models import Activity, ActivityKind
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.ui.localized import localized_name

_K = ActivityKind
ORGANIZERS_ONLY: Final = (ActivityKind.INVITED,)


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """The filter for an activity log; empty fields are ignored."""

    kind: str = ""
    actor: str = ""


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """One line of the activity log. ``text``: the organizer's reason or announcement."""

    kind: str
    at: datetime
    actor: str  # "" for the arena itself
    sentence: str
    text: str
    match_id: int | None
    match_name: str = ""  # as in arena.tournaments.formats.encounter_names


def filtered_log(tournament_id: int, chosen: ActivityFilter) -> QuerySet[Activity]:
    """Return the filtered activity log, including private lines, newest first, for a paginator.

    Callers convert each page of it with ``lines``.
    """
    rows = Activity.objects.filter(tournament_id=tournament_id)
    if chosen.kind:
        rows = rows.filter(kind=chosen.kind)
    if chosen.actor:
        rows = rows.filter(actor__username=chosen.actor)
    return rows.order_by("-pk")


def newest_public_lines(bracket: TournamentBracket, limit: int, *, with_matches: bool) -> list[ActivityLine]:
    """Return at most ``limit`` of the newest public lines; ``with_matches``: include lines that mention a match."""
    rows = Activity.objects.filter(tournament=bracket.tournament).exclude(kind__in=ORGANIZERS_ONLY)
    if not with_matches:
        rows = rows.filter(match=None)
    return lines(rows.order_by("-pk")[:limit])


def substitutions(bracket: TournamentBracket) -> list[ActivityLine]:
    """Return the log's lines about version substitutions, oldest first."""
    rows = Activity.objects.filter(tournament=bracket.tournament, kind=_K.SUBSTITUTED)
    return lines(rows.order_by("pk"))


def lines(rows: QuerySet[Activity] | Iterable[Activity]) -> list[ActivityLine]:
    """Convert activities to lines in the given order, using a constant number of queries."""
    found = Activity.objects.select_related("actor", "entry__bot").in_bulk([row.pk for row in rows])
    played = [row.match_id for row in found.values() if row.match_id is not None]
    names = match_names(played) if played else {}
    return [_line(found[row.pk], names) for row in rows]


def actors(tournament_id: int) -> list[str]:
    """Return the names of everyone whose actions are in the activity log."""
    rows = User.objects.filter(pk__in=Activity.objects.filter(tournament_id=tournament_id).values("actor"))
    return list(rows.order_by("username").values_list("username", flat=True))


def _line(row: Activity, names: Mapping[int, str]) -> ActivityLine:
    sentence_of = _SENTENCES.get(_K(row.kind))
    return ActivityLine(
        kind=row.kind,
        at=row.at,
        actor=row.actor.username if row.actor and not is_house_account(row.actor.username) else "",
        sentence=sentence_of(row) if sentence_of else row.get_kind_display(),
        text=row.text,
        match_id=row.match_id,
        match_name=names.get(row.match_id or 0, ""),
    )


def _bot(row: Activity) -> str:
    return localized_name(row.entry.bot) if row.entry else _("a bot")


def _reason(row: Activity) -> str:
    return row.entry.get_reason_display() if row.entry and row.entry.reason else ""


def _creation_text(row: Activity) -> str:
    if row.actor and is_house_account(row.actor.username):
        return _("The arena created the tournament")
    name = row.actor.username if row.actor else _("Someone")
    return _("%(name)s created the tournament") % {"name": name}


def _entry_text(row: Activity) -> str:
    return _("%(bot)s entered") % {"bot": _bot(row)}


def _withdrawal_text(row: Activity) -> str:
    reason = _reason(row)
    text = _("%(bot)s was withdrawn: %(reason)s") if reason else _("%(bot)s was withdrawn")
    return text % {"bot": _bot(row), "reason": reason}


def _exclusion_text(row: Activity) -> str:
    reason = _reason(row)
    text = _("%(bot)s was excluded: %(reason)s") if reason else _("%(bot)s was excluded")
    return text % {"bot": _bot(row), "reason": reason}


def _invitation_text(row: Activity) -> str:
    people = row.details.get("people", [])
    text = ngettext("%(n)s person was invited: %(names)s", "%(n)s people were invited: %(names)s", len(people))
    return text % {"n": len(people), "names": pgettext("between names", ", ").join(people)}


def _extension_text(row: Activity) -> str:
    before, after = (_format_moment(row.details.get(name, "")) for name in ("before", "after"))
    had_none = row.details.get("before") == ""
    text = (
        _("The deadline was set to %(after)s") if had_none else _("The deadline was moved from %(before)s to %(after)s")
    )
    return text % {"before": before, "after": after}


def _format_moment(text: str) -> str:
    moment = parse_datetime(text)
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT") if moment else "?"


def _substitution_text(row: Activity) -> str:
    text = _("%(bot)s switched from version %(before)s to version %(after)s")
    versions = {name: row.details.get(name, "?") for name in ("before", "after")}
    return text % {"bot": _bot(row), **versions}


def _announcement_title(row: Activity) -> str:
    return str(row.details.get("title", "")) or str(row.get_kind_display())


def _replacement_text(row: Activity) -> str:
    return _("A match is being rerun; its earlier result no longer counts:")


_SENTENCES: Final[Mapping[ActivityKind, Callable[[Activity], str]]] = {
    _K.CREATED: _creation_text,
    _K.ENTERED: _entry_text,
    _K.WITHDRAWN: _withdrawal_text,
    _K.EXCLUDED: _exclusion_text,
    _K.INVITED: _invitation_text,
    _K.EXTENDED: _extension_text,
    _K.SUBSTITUTED: _substitution_text,
    _K.ANNOUNCED: _announcement_title,
    _K.REPLACED: _replacement_text,
}
