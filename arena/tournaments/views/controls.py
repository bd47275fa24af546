"""The views behind a tournament page's buttons: each handles a POST and redirects to the page with a message."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from arena.accounts.permissions import SignedInRequest
from arena.platform.refusal import Refused, first_error, show_refusal
from arena.tournaments.access import organized_tournament, visible_tournament, withdrawable_entry
from arena.tournaments.entries import registration
from arena.tournaments.forms.entry import EnterForm, HouseBotsForm
from arena.tournaments.queries import entries
from arena.tournaments.services import controls, reruns, result_release
from arena.ui.localized import sentence_space


def _change_and_redirect(request: HttpRequest, tournament_id: int, change: Callable[[], str]) -> HttpResponse:
    """Make a change and show its success message, or the reason for the refusal."""
    try:
        messages.success(request, change())
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect(
        "tournament-operations" if request.POST.get("from") == "operations" else "tournament", tournament_id
    )


def _require_valid(form: Form) -> Form:
    """Return the form if it is valid. Raises Refused with the form's first error."""
    if not form.is_valid():
        raise first_error(form)
    return form


@require_POST
@login_required
def enter(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = visible_tournament(request, tournament_id)
    bots = entries.own_bots(detail.card.game, request.user.pk)

    def change() -> str:
        bot_id = _require_valid(EnterForm(request.POST, bots=bots)).cleaned_data["bot"]
        entry = registration.enter(request.user, tournament_id, bot_id, now=timezone.now())
        entered = _("%(bot)s has entered.") % {"bot": entry.bot.name}
        unready = registration.readiness(entry.bot)
        hints = [str(registration.UNREADY_TEXTS[unready])] if unready else []
        return sentence_space().join([entered, *hints])

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def withdraw(request: SignedInRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    entry = withdrawable_entry(request, tournament_id, entry_id)

    def change() -> str:
        registration.withdraw(entry_id, actor=request.user, now=timezone.now())
        return _("%(bot)s was withdrawn.") % {"bot": entry.name}

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def add_house_bots(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    detail = organized_tournament(request, tournament_id)
    bots = entries.house_bots(detail.card.game, not_in=tournament_id)

    def change() -> str:
        chosen = _require_valid(HouseBotsForm(request.POST, bots=bots)).cleaned_data["bots"]
        n = len(registration.add_house_bots(tournament_id, chosen, actor=request.user))
        return ngettext("%(n)s house bot was added.", "%(n)s house bots were added.", n) % {"n": n}

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def start(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        controls.start_now(tournament_id, actor=request.user, now=timezone.now())
        return _("Entries are closed. The tournament will start as soon as the running checks finish.")

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def pause(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        controls.pause(tournament_id, actor=request.user, now=timezone.now())
        return _("Tournament paused. Running matches will finish.")

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def resume(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        controls.resume(tournament_id, actor=request.user, now=timezone.now())
        return _("Tournament resumed.")

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def cancel(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        controls.cancel_tournament(tournament_id, actor=request.user, now=timezone.now())
        return _("The tournament was cancelled.")

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def release(request: SignedInRequest, tournament_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        result_release.release_results(tournament_id, actor=request.user, now=timezone.now())
        return _("Results are now public.")

    return _change_and_redirect(request, tournament_id, change)


@require_POST
@login_required
def rerun(request: SignedInRequest, tournament_id: int, match_id: int) -> HttpResponse:
    organized_tournament(request, tournament_id)

    def change() -> str:
        reruns.rerun(tournament_id, [match_id], "", actor=request.user, now=timezone.now())
        return _("The match is being rerun.")

    return _change_and_redirect(request, tournament_id, change)
