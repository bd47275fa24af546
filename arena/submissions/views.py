"""Pages about bots: list, bot, upload, check, source, profile. Changes require POST."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
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
from arena.submissions.bot_texts import introduction
from arena.submissions.fault_report import newest_by_cause, position_text
from arena.submissions.forms import BotFilterForm, NamingForm, NewBotForm, UploadForm
from arena.submissions.queries import SubmissionCard
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
    line = _bot_or_404(bot_id)
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
    line = _bot_or_404(bot_id)
    require(request.user, Action.CHANGE_BOT, line.owner_id)
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
    line = _bot_or_404(bot_id)
    require(request.user, Action.CHANGE_BOT, line.owner_id)
    services.retire(bot_id, retired=retired)
    text = _("%(name)s has been retired. Its matches are kept.") if retired else _("%(name)s has been restored.")
    messages.success(request, text % {"name": line.name})
    return redirect("bot", bot_id)


@require_http_methods(["GET", "POST"])
@login_required
def submission_new(request: HttpRequest, bot_id: int) -> HttpResponse:
    line = _bot_or_404(bot_id)
    require(request.user, Action.CHANGE_BOT, line.owner_id)
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
    card = _submission_or_404(submission_id)
    require(request.user, Action.SEE_LOG, card.owner_id)
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
    card = _submission_or_404(submission_id)
    require(request.user, Action.SEE_LOG, card.owner_id)
    return JsonResponse(queries.snapshot(submission_id))


@require_safe
@login_required
def submission_match(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Show the trial match of the check as a replay, like any other match."""
    card = _submission_or_404(submission_id)
    require(request.user, Action.SEE_LOG, card.owner_id)
    shown = private_report.check_match(card)
    if shown is None:
        raise Http404
    return render(request, "submissions/check_match.html", {"submission": card, "snapshot": shown})


@require_safe
@login_required
def submission_position(request: HttpRequest, submission_id: int, turn: int, answer_number: int) -> HttpResponse:
    """Send the position in which this answer was a fault during the bot's check, for ``python -m bots replay``."""
    card = _submission_or_404(submission_id)
    require(request.user, Action.SEE_LOG, card.owner_id)
    position = private_report.report_of(submission_id).position(turn, answer_number)
    if position is None:
        raise Http404
    headers = attachment(private_report.position_filename(submission_id, turn, answer_number))
    return HttpResponse(position_text(position), content_type="application/json", headers=headers)


def _require_source_reader(
    view: Callable[[HttpRequest, SubmissionCard], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Wrap a view of a submission's files: refuse readers who may not read them.

    House bots' files are public; other bots' files are visible only to their author and staff.
    """

    @wraps(view)
    def guarded_view(request: HttpRequest, submission_id: int) -> HttpResponseBase:
        card = _submission_or_404(submission_id)
        if not card.is_house:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            require(request.user, Action.SEE_SOURCE, card.owner_id)
        return view(request, card)

    return guarded_view


@require_safe
@_require_source_reader
def submission_source(request: HttpRequest, card: SubmissionCard) -> HttpResponse:
    """Show every file as escaped text: an upload is never sent as active content."""
    files = source_files(store.load_package(card.sha256))
    return render(request, "submissions/source.html", {"submission": card, "files": files})


@require_safe
@_require_source_reader
def submission_download(request: HttpRequest, card: SubmissionCard) -> HttpResponseBase:
    data, ending = store.download_of(store.load_package(card.sha256))
    headers = attachment(f"{slugify(card.bot_name) or 'bot'}-v{card.number}{ending}")
    return HttpResponse(data, content_type="application/octet-stream", headers=headers)


@require_POST
@login_required
def submission_activate(request: HttpRequest, submission_id: int) -> HttpResponse:
    card = _submission_or_404(submission_id)
    require(request.user, Action.CHANGE_BOT, card.owner_id)
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
    card = _submission_or_404(submission_id)
    require(request.user, Action.CHANGE_BOT, card.owner_id)
    try:
        services.check_again(submission_id)
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect("studio-submission" if request.POST.get("then") == "studio" else "submission", submission_id)


def _bot_or_404(bot_id: int) -> queries.BotRow:
    line = queries.bot_row(bot_id)
    if line is None:
        raise Http404
    return line


def _submission_or_404(submission_id: int) -> queries.SubmissionCard:
    card = queries.submission(submission_id)
    if card is None:
        raise Http404
    return card
