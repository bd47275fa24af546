"""Pages about bots: list, bot, upload, check, source, profile. Changes require POST."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts import queries as people
from arena.accounts.panels import bot_actions, bot_head, bot_panels, profile_actions, profile_head, profile_panels
from arena.accounts.permissions import Action, SignedInRequest, may, require
from arena.games.bot_packages import starter, starters
from arena.games.registry import GAMES
from arena.platform.downloads import attachment
from arena.platform.refusal import Refused, show_refusal
from arena.submissions import private_report, queries, quota, services, store
from arena.submissions.access import (
    bot_or_404,
    changeable_bot,
    changeable_submission,
    readable_submission,
    submission_with_files,
)
from arena.submissions.bot_texts import introduction
from arena.submissions.downloads import files_response
from arena.submissions.fault_report import newest_by_cause, position_text
from arena.submissions.forms import BotFilterForm, NamingForm, NewBotForm, UploadForm
from arena.submissions.sources import single_source, source_files
from arena.ui.code_texts import translated_source

BOTS_PER_PAGE = 30
VERSIONS_PER_PAGE = 20
FAULTS_PER_PAGE = 5
UNPROCESSABLE = 422


@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    form = BotFilterForm(request.GET)
    page = Paginator(queries.bots(form.chosen_filter()), BOTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "bots": queries.bot_rows(page.object_list), "filtered": form.is_set()}
    return render(request, "submissions/bot_list.html", context)


@require_safe
def bot(request: HttpRequest, bot_id: int) -> HttpResponse:
    line = bot_or_404(bot_id)
    page = Paginator(queries.versions(bot_id), VERSIONS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "bot": line,
        "page": page,
        "versions": queries.version_rows(page.object_list),
        "introduction": introduction(bot_id) if line.is_house else None,
        "head_panels": bot_head.panels_for(bot_id, request.user),
        "actions": bot_actions.panels_for(line, request.user),
        "panels": bot_panels.panels_for(bot_id, request.user),
    }
    return render(request, "submissions/bot.html", context)


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    person = people.person(username)
    if person is None:
        raise Http404
    is_own = person.id == request.user.pk
    chosen = queries.BotFilter(owner=person.username, retired=is_own)
    page = Paginator(queries.bots(chosen), BOTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": person,
        "is_own": is_own,
        "page": page,
        "bots": queries.bot_rows(page.object_list),
        "head_panels": profile_head.panels_for(person.id, request.user),
        "actions": profile_actions.panels_for(person.id, request.user),
        "panels": profile_panels.panels_for(person.username, request.user),
    }
    return render(request, "submissions/profile.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def bot_new(request: SignedInRequest) -> HttpResponse:
    require(request.user, Action.CREATE_BOT)
    game = request.GET.get("game", "")
    game = game if game in GAMES else next(iter(GAMES))
    if request.method == "POST":
        form = NewBotForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                made = services.create_bot(request.user, form.draft(), form.upload, now=timezone.now())
            except Refused as refusal:
                show_refusal(request, refusal, form)
            else:
                return redirect("studio-submission", made.pk)
    else:
        form = NewBotForm(initial={"game": game, "source": translated_source(starter(game))})
    context = {
        "form": form,
        "starters": {game: translated_source(source) for game, source in starters().items()},
        "use": quota.hourly_use_of(request.user, now=timezone.now()),
    }
    return render(request, "submissions/bot_new.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@login_required
def bot_edit(request: HttpRequest, bot_id: int) -> HttpResponse:
    line = changeable_bot(request, bot_id)
    initial = {"name": line.name, "description": line.description, "plays_people": line.plays_people}
    form = NamingForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            services.update_bot(bot_id, **form.cleaned_data)
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("Changes saved."))
            return redirect("bot", bot_id)
    context = {"bot": line, "form": form}
    return render(request, "submissions/bot_edit.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_POST
@login_required
def bot_retire(request: HttpRequest, bot_id: int, retired: bool) -> HttpResponse:
    line = changeable_bot(request, bot_id)
    services.retire(bot_id, retired=retired)
    text = _("%(name)s has been retired. Its matches are kept.") if retired else _("%(name)s has been restored.")
    messages.success(request, text % {"name": line.name})
    return redirect("bot", bot_id)


@require_http_methods(["GET", "POST"])
@login_required
def submission_new(request: HttpRequest, bot_id: int) -> HttpResponse:
    line = changeable_bot(request, bot_id)
    same = None
    if request.method == "POST":
        form = UploadForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                made = services.submit(bot_id, form.upload, now=timezone.now())
            except Refused as refusal:
                same = refusal if refusal.code == services.SAME_CONTENT else None
                if same is None:
                    show_refusal(request, refusal, form)
            else:
                return redirect("studio-submission", made.pk)
    else:
        form = UploadForm(initial={"source": _newest_source(line)})
    owner = people.account(line.owner_id)
    context = {"bot": line, "form": form, "same": same, "use": quota.hourly_use_of(owner, now=timezone.now())}
    return render(request, "submissions/submission_new.html", context, status=UNPROCESSABLE if form.is_bound else 200)


def _newest_source(line: queries.BotRow) -> str:
    """Return the editor's initial text: the newest version if it is a single file, otherwise the template."""
    sha256 = queries.newest_content_hash(line.id)
    source = single_source(store.load_package(sha256)) if sha256 else None
    return source if source is not None else translated_source(starter(line.game))


@require_safe
@login_required
def submission(request: HttpRequest, submission_id: int) -> HttpResponse:
    card = readable_submission(request, submission_id)
    report = private_report.report_of(submission_id)
    page = Paginator(newest_by_cause(report.faults), FAULTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "submission": card,
        "report": report,
        "page": page,
        "faults": [report.explain(one) for one in page],
        "failure": card.failure if may(request.user, Action.SEE_OPERATIONS) else "",
    }
    return render(request, "submissions/submission.html", context)


@require_safe
@never_cache
@login_required
def submission_snapshot(request: HttpRequest, submission_id: int) -> JsonResponse:
    readable_submission(request, submission_id)
    return JsonResponse(queries.snapshot(submission_id))


@require_safe
@login_required
def submission_match(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Show the trial match of the check as a replay, like any other match."""
    card = readable_submission(request, submission_id)
    shown = private_report.check_match(card)
    if shown is None:
        raise Http404
    return render(request, "submissions/check_match.html", {"submission": card, "snapshot": shown})


@require_safe
@login_required
def submission_position(request: HttpRequest, submission_id: int, turn: int, answer_number: int) -> HttpResponse:
    """Send the position in which this answer was a fault during the bot's check, for ``python -m bots replay``."""
    readable_submission(request, submission_id)
    position = private_report.report_of(submission_id).position(turn, answer_number)
    if position is None:
        raise Http404
    headers = attachment(private_report.position_filename(submission_id, turn, answer_number))
    return HttpResponse(position_text(position), content_type="application/json", headers=headers)


def _offer_login(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a view: redirect guests to the login page if they lack permission."""

    @wraps(view)
    def offering_view(request: HttpRequest, submission_id: int) -> HttpResponseBase:
        try:
            return view(request, submission_id)
        except PermissionDenied:
            if request.user.is_authenticated:
                raise
            return redirect_to_login(request.get_full_path())

    return offering_view


@require_safe
@_offer_login
def submission_source(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Show every file as escaped text: an upload is never sent as active content."""
    card = submission_with_files(request, submission_id)
    files = source_files(store.load_package(card.sha256))
    return render(request, "submissions/source.html", {"submission": card, "files": files})


@require_safe
@_offer_login
def submission_download(request: HttpRequest, submission_id: int) -> HttpResponse:
    return files_response(submission_with_files(request, submission_id))


@require_POST
@login_required
def submission_activate(request: HttpRequest, submission_id: int) -> HttpResponse:
    card = changeable_submission(request, submission_id)
    try:
        services.activate(submission_id)
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, _("Version %(n)s is now active.") % {"n": card.number})
    return redirect("bot", card.bot_id)


@require_POST
@login_required
def submission_check_again(request: HttpRequest, submission_id: int) -> HttpResponse:
    changeable_submission(request, submission_id)
    try:
        services.check_again(submission_id)
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect("studio-submission" if request.POST.get("then") == "studio" else "submission", submission_id)
