"""The operations page of a tournament, and the actions behind the page's buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.permissions import SignedInRequest
from arena.celery import Queue
from arena.matches.failures import flagged_bots
from arena.platform.refusal import Refused, show_refusal
from arena.platform.workers.queries import overview
from arena.tournaments.access import organized_tournament
from arena.tournaments.entries import registration, substitutions
from arena.tournaments.events.snapshots import progress_json
from arena.tournaments.exports.archive.writer import is_over
from arena.tournaments.forms.entry import HouseBotsForm, InviteForm
from arena.tournaments.forms.filters import TournamentMatchFilterForm
from arena.tournaments.forms.organizer import (
    ActivityFilterForm,
    AnnouncementForm,
    ExtendForm,
    OperationsBotFilterForm,
    RerunForm,
    SubstituteForm,
)
from arena.tournaments.forms.records import RecordsForm
from arena.tournaments.queries import activity, entries, tournaments
from arena.tournaments.queries.drawn_bracket import TournamentBracket, bracket_of
from arena.tournaments.queries.organizer import (
    bot_behaviour_rows,
    operations_match_rows,
    other_versions,
    phase_steps,
    void_count,
)
from arena.tournaments.queries.phases import phase_of
from arena.tournaments.queries.retention_plan import retention_plan
from arena.tournaments.services import announcements, extensions, record_retention, reruns
from arena.ui.localized import localized_name

BOTS_PER_PAGE = 20
MATCHES_PER_PAGE = 20
LINES_PER_PAGE = 20


@require_safe
@login_required
def operations(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    return _operations(request, organized_tournament(request, tournament_id))


def _operations(request: SignedInRequest, detail: tournaments.TournamentDetail, **forms: Any) -> HttpResponse:
    """Render the page; ``forms``: submitted forms with errors, by name."""
    pk = detail.card.id
    bracket = bracket_of(pk)
    now = timezone.now()
    status = 422 if forms else 200
    progress = progress_json(pk)
    bots = entries.house_bots(detail.card.game, not_in=pk)
    context = {
        "detail": detail,
        "card": detail.card,
        "phase": phase_of(detail, bracket, now=now),
        "steps": phase_steps(pk),
        "progress": progress,
        "ends_at": parse_datetime(progress["ends_at"] or ""),
        "queue": next(
            line for line in overview(now=now).queues if (line.kind, line.game) == (Queue.MATCHES, detail.card.game)
        ),
        "organizing": {
            "house_form": HouseBotsForm(bots=bots) if bots else None,
            "invite_form": forms.get("invite_form", InviteForm()),
            "invited": entries.invited_people(pk),
        },
        "extend_form": ExtendForm(initial={"deadline": detail.card.deadline}, prefix="extend", zone=detail.time_zone),
        "announce_form": AnnouncementForm(prefix="announcement"),
        "rerun_form": RerunForm(),
        "records_form": RecordsForm(
            initial={"record_retention": detail.record_retention, "record_days": detail.record_days}, prefix="records"
        ),
        "records": retention_plan(detail.record_retention, detail.record_days, detail.card.finished_at),
        "archive": is_over(pk),
        "void_count": void_count(pk),
        "flagged": flagged_bots(now=now, among=entries.bot_ids(pk), reader=request.user),
        **_bots(request, detail, bracket, forms.pop("refused", {})),
        **_matches(request, detail),
        **_activity(request, pk),
        **forms,
    }
    return render(request, "tournaments/operations.html", context, status=status)


def _page(request: HttpRequest, rows: Any, size: int, param: str) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get(param))


def _bots(
    request: HttpRequest,
    detail: tournaments.TournamentDetail,
    bracket: TournamentBracket,
    refused: Mapping[int, SubstituteForm],
) -> dict[str, Any]:
    """Return the context for the bots section; ``refused``: submitted forms with errors, by entry."""
    form = OperationsBotFilterForm(request.GET, prefix="b")
    page = _page(request, bot_behaviour_rows(bracket, form.order(), form.name()), BOTS_PER_PAGE, "bpage")
    versions = other_versions(list(page.object_list))
    pinned = detail.card.status in substitutions.PINNED
    bots = [
        (line, refused.get(line.entry.id) or (_substitute_form(line.entry.id, versions) if pinned else None))
        for line in page.object_list
    ]
    return {"bot_form": form, "bot_page": page, "bots": bots}


def _substitute_form(entry_id: int, versions: Any) -> SubstituteForm | None:
    offered = versions.get(entry_id)
    return SubstituteForm(versions=offered, prefix=f"entry{entry_id}") if offered else None


def _matches(request: HttpRequest, detail: tournaments.TournamentDetail) -> dict[str, Any]:
    form = TournamentMatchFilterForm(request.GET, entries=entries.choices_of_entries(detail.card.id), prefix="m")
    rows = tournaments.matches(detail.card.id, form.chosen_filter(), request.user)
    page = _page(request, rows, MATCHES_PER_PAGE, "mpage")
    lines = operations_match_rows([row.pk for row in page.object_list])
    can_rerun = detail.card.status != "cancelled" and any(line.can_rerun for line in lines)
    return {"match_form": form, "match_page": page, "match_lines": lines, "can_rerun": can_rerun}


def _activity(request: HttpRequest, tournament_id: int) -> dict[str, Any]:
    form = ActivityFilterForm(request.GET, actors=activity.actors(tournament_id), prefix="f")
    page = _page(request, activity.filtered_log(tournament_id, form.chosen_filter()), LINES_PER_PAGE, "fpage")
    return {"activity_form": form, "activity_page": page, "lines": activity.lines(page.object_list)}


@require_POST
@login_required
def extend(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    form = ExtendForm(request.POST, prefix="extend", zone=detail.time_zone)
    if form.is_valid():
        try:
            deadline = form.cleaned_data["deadline"]
            extensions.extend_deadline(tournament_id, deadline, actor=request.user, now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form, field="deadline")
        else:
            messages.success(request, _("Deadline changed. Entries are open until the new deadline."))
            return redirect("tournament-operations", tournament_id)
    return _operations(request, detail, extend_form=form)


@require_POST
@login_required
def invite(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    form = InviteForm(request.POST)
    if form.is_valid():
        try:
            n = registration.invite(tournament_id, form.cleaned_data["people"], actor=request.user)
        except Refused as refusal:
            show_refusal(request, refusal, form, field="people")
        else:
            messages.success(request, ngettext("%(n)s person was invited.", "%(n)s people were invited.", n) % {"n": n})
            return redirect(
                "tournament-operations" if request.POST.get("from") == "operations" else "tournament", tournament_id
            )
    return _operations(request, detail, invite_form=form)


@require_POST
@login_required
def records(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    """Set what happens to the records and logs of the tournament's matches."""
    detail = organized_tournament(request, tournament_id)
    form = RecordsForm(request.POST, prefix="records")
    if not form.is_valid():
        return _operations(request, detail, records_form=form)
    chosen = form.retention()
    record_retention.choose_retention(tournament_id, chosen["record_retention"], chosen["record_days"])
    messages.success(request, _("Changes saved."))
    return redirect(reverse("tournament-operations", args=[tournament_id]) + "#records")


@require_POST
@login_required
def announce(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    form = AnnouncementForm(request.POST, prefix="announcement")
    if not form.is_valid():
        return _operations(request, detail, announce_form=form)
    data = form.cleaned_data
    notified = announcements.announce(tournament_id, data["title"], data["text"], actor=request.user)
    message = ngettext(
        "Announcement published. %(n)s person will be notified.",
        "Announcement published. %(n)s people will be notified.",
        notified,
    )
    messages.success(request, message % {"n": notified})
    return redirect("tournament-operations", tournament_id)


@require_POST
@login_required
def rerun(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    form = RerunForm(request.POST)
    chosen = [int(text) for text in request.POST.getlist("match") if text.isascii() and text.isdecimal()]
    if form.is_valid():
        try:
            reason = form.cleaned_data["reason"]
            n = reruns.rerun(tournament_id, chosen, reason, actor=request.user, now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            message = ngettext("%(n)s match is being rerun.", "%(n)s matches are being rerun.", n)
            messages.success(request, message % {"n": n})
            return redirect("tournament-operations", tournament_id)
    return _operations(request, detail, rerun_form=form, chosen=chosen)


@require_POST
@login_required
def substitute(request: SignedInRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    line = next(
        (one for one in bot_behaviour_rows(bracket_of(tournament_id), "", "") if one.entry.id == entry_id), None
    )
    if line is None:
        raise Http404
    offered = other_versions([line]).get(entry_id, [])
    form = SubstituteForm(request.POST, versions=offered, prefix=f"entry{entry_id}")
    if form.is_valid():
        chosen, reason = form.cleaned_data["submission"], form.cleaned_data["reason"]
        try:
            entry = substitutions.substitute(entry_id, chosen, reason, actor=request.user, now=timezone.now())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            version = entry.submission.number if entry.submission else ""
            message = _("%(bot)s now plays with version %(version)s.")
            text = message % {"bot": localized_name(entry.bot), "version": version}
            messages.success(request, text, extra_tags="substituted")
            return redirect("tournament-operations", tournament_id)
    return _operations(request, detail, refused={entry_id: form})
