"""The studio: one page for each bot, and one for a new bot of each game. Changes require POST."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.accounts.throttle import Throttle
from arena.games.bot_packages import tutorial_steps
from arena.games.forms import GameSettingsForm
from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform.refusal import Refused, first_error, refusal_json, show_refusal
from arena.studio import completions as completing
from arena.studio import drafts, opponents, payload, queries, quota, runs, snapshots
from arena.studio import lint as linting
from arena.studio.drafts import DraftFiles, Workspace
from arena.studio.versions import compare_files
from arena.submissions import queries as bots
from arena.submissions import quota as uploads
from arena.submissions import services
from arena.submissions.forms import NamingForm, UploadForm
from arena.submissions.queries import BotRow, SubmissionCard
from arena.submissions.services import BotDraft
from arena.ui.code_texts import translated_code_text, translated_source

LINTS = Throttle(
    "lints",
    setting="LINTS_AN_HOUR",
    refusal=gettext_lazy("You have reached the hourly limit for file checks in the editor (%(n)s)."),
)


UNPACKED = Throttle(
    "unpacked",
    setting="UPLOADS_AN_HOUR",
    refusal=gettext_lazy("You have reached the hourly limit for archives (%(n)s)."),
)


# Facts about a refusal that the page's script uses: the saved revision, and the version with the same files.
_SENT_FACTS = ("revision", "number")


def json_refusals(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a POST view that the page's script calls: return refusals as JSON."""

    @wraps(view)
    def guarded_view(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            answer = refusal_json(refusal, {key: refusal.facts[key] for key in _SENT_FACTS if key in refusal.facts})
            if refusal.code:
                answer["Refusal-Code"] = refusal.code
            return answer

    return require_POST(login_required(guarded_view))


@require_safe
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Show the studio for a new bot in the game given in the URL, or in the first game."""
    game = request.GET.get("game", "")
    return redirect("studio-new", game if game in GAMES else next(iter(GAMES)))


@require_safe
@never_cache
@login_required
def studio(request: SignedInRequest, bot_id: int | None = None, game: str = "") -> HttpResponse:
    workspace, line = _workspace(request, bot_id, game)
    files, revision = drafts.read_draft(workspace)
    choices = opponents.offered_opponents(workspace.game)
    draft = drafts.draft_of(workspace)
    settings = {**SITES[workspace.game].scrimmage, **queries.last_settings(request.user.pk, workspace.game)}
    remembered = (draft.opponents if draft else []) or queries.last_opponents(request.user.pk, workspace.game)
    results = queries.shown_results(
        _requested_check(request, bot_id),
        queries.last_run(request.user.pk, bot_id, workspace.game),
        check_requested="submission" in request.GET,
    )
    context = {
        "bot": line,
        "game": workspace.game,
        "games": list(GAMES),
        "data": {
            "files": _files_json(files),
            "kept": list(files.kept),
            "revision": revision,
            "game": workspace.game,
            "urls": _request_urls(workspace),
        },
        "naming": None if line else NamingForm(),
        "upload": UploadForm(),
        "choices": choices,
        "chosen": opponents.first_choice(workspace.game, remembered, choices),
        "max_chosen": opponents.max_opponents(workspace.game),
        "settings_form": GameSettingsForm(game=workspace.game, initial=settings),
        "batch": runs.MATCHES_PER_BATCH,
        "versions": queries.versions(bot_id) if bot_id else [],
        "check": results.check,
        "shows_check": results.shows_check,
        "snapshot": snapshots.snapshot(results.run) if results.run else None,
        "run": results.run,
        "is_run_newer": results.is_run_newer,
        "run_version": results.run_version,
        "faults": results.faults,
        "runs_use": quota.hourly_use_of(request.user, now=timezone.now()),
        "use": uploads.hourly_use_of(request.user, now=timezone.now()),
    }
    return render(request, "studio/studio.html", context)


@require_POST
@login_required
def take_step(request: SignedInRequest, game: str, number: int) -> HttpResponse:
    """Start a new bot from a step of the game's tutorial; the step's code replaces the draft."""
    workspace, _line = _workspace(request, None, game)
    steps = tutorial_steps(game)
    if not 1 <= number <= len(steps):
        raise Http404
    try:
        drafts.start_over(workspace, translated_source(steps[number - 1]), now=timezone.now())
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect("studio-new", game)


def _workspace(request: SignedInRequest, bot_id: int | None, game: str) -> tuple[Workspace, BotRow | None]:
    """Return the draft's workspace, and its bot unless the draft is for a new bot. Raises Http404, PermissionDenied."""
    if bot_id is None:
        if game not in GAMES:
            raise Http404
        require(request.user, Action.CREATE_BOT)
        return Workspace(request.user, game), None
    line = bots.bot_row(bot_id)
    if line is None:
        raise Http404
    require(request.user, Action.CHANGE_BOT, line.owner_id)
    return Workspace(request.user, line.game, bot_id), line


def _request_urls(workspace: Workspace) -> dict[str, str]:
    """Return the URLs that the page's script requests."""
    prefix, args = ("studio", [workspace.bot_id]) if workspace.bot_id else ("studio-new", [workspace.game])
    found = {name: reverse(f"{prefix}-{name}", args=args) for name in ("save", "run", "submit", "unpack")}
    return {
        **found,
        "lint": reverse("studio-lint"),
        "completions": reverse("studio-completions", args=[workspace.game]),
    }


def _requested_check(request: HttpRequest, bot_id: int | None) -> queries.VersionCheck | None:
    """Return the check of the version in the URL.

    If the URL contains no version, return the check of the newest version, or None if that check has passed.
    """
    if bot_id is None:
        return None
    requested = request.GET.get("submission", "")
    newest = next(iter(queries.versions(bot_id)), None)
    if requested.isascii() and requested.isdigit() and len(requested) < 19:
        card = bots.submission(int(requested))
        return queries.check_of(card) if card is not None and card.bot_id == bot_id else None
    card = bots.submission(newest.id) if newest else None
    return queries.check_of(card) if card is not None and card.status != "passed" else None


@require_safe
@login_required
def studio_of_submission(request: SignedInRequest, submission_id: int) -> HttpResponse:
    """Open the studio at the line of the fault that this version's check found, and show the check."""
    card = bots.submission(submission_id)
    if card is None:
        raise Http404
    require(request.user, Action.CHANGE_BOT, card.owner_id)
    return redirect(_check_url(card.bot_id, submission_id))


def _check_url(bot_id: int, submission_id: int) -> str:
    return f"{reverse('studio', args=[bot_id])}?submission={submission_id}"


@json_refusals
def save(request: SignedInRequest, bot_id: int | None = None, game: str = "") -> HttpResponse:
    workspace, _line = _workspace(request, bot_id, game)
    draft = drafts.save_draft(workspace, payload.edit_of(payload.parse_object(request.body)), now=timezone.now())
    return JsonResponse({"revision": draft.revision})


@json_refusals
def run(request: SignedInRequest, bot_id: int | None = None, game: str = "") -> HttpResponse:
    """Save the draft and run it; return the initial state of the board."""
    workspace, line = _workspace(request, bot_id, game)
    require(request.user, Action.REQUEST_MATCH)
    sent = payload.parse_object(request.body)
    wanted = payload.run_request_of(sent)
    now = timezone.now()
    draft = drafts.save_draft(workspace, payload.edit_of(sent), now=now)
    with _saved_before_refusal(draft.revision):
        files, _revision = drafts.read_draft(workspace)
        name = line.name if line else ""
        made = runs.request_run(workspace, name, files, wanted, now=now, rng=random.SystemRandom())
    board = {"snapshot": snapshots.snapshot(made), "run": made, "run_version": queries.version_of_run(made)}
    html = render_to_string("studio/run.html", board, request)
    return JsonResponse({"revision": draft.revision, "run": made.pk, "html": html, "use": _runs_use_text(request)})


@contextmanager
def _saved_before_refusal(revision: int) -> Iterator[None]:
    """Send the page the revision of the draft that was saved before the block refused the rest of the request."""
    try:
        yield
    except Refused as refusal:
        refusal.facts["revision"] = revision
        raise


def _runs_use_text(request: SignedInRequest) -> str:
    """Describe how much of the hourly limit the person has used; "" if they have no limit."""
    use = quota.hourly_use_of(request.user, now=timezone.now())
    return render_to_string("studio/runs_use.html", {"runs_use": use}, request).strip()


@json_refusals
def submit(request: SignedInRequest, bot_id: int | None = None, game: str = "") -> HttpResponse:
    """Submit the draft as a version or a new bot; respond with the URL of the page that shows its check."""
    workspace, line = _workspace(request, bot_id, game)
    sent = payload.parse_object(request.body)
    now = timezone.now()
    draft = drafts.save_draft(workspace, payload.edit_of(sent), now=now)
    with _saved_before_refusal(draft.revision):
        upload = drafts.upload_of(drafts.read_draft(workspace)[0])
        if line is not None:
            made = services.submit(line.id, upload, now=now)
        else:
            made = services.create_bot(request.user, _new_bot(workspace.game, sent), upload, now=now)
            runs.assign_to_new_bot(workspace, made.bot_id)
    drafts.delete_draft(workspace)
    return JsonResponse({"url": _check_url(made.bot_id, made.pk)})


@require_POST
@login_required
def upload(request: SignedInRequest, bot_id: int) -> HttpResponse:
    """Submit an uploaded file as a version; its files replace the draft."""
    workspace, _line = _workspace(request, bot_id, "")
    form = UploadForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            raise first_error(form)
        made = services.submit(bot_id, form.upload, now=timezone.now())
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("studio", bot_id)
    drafts.delete_draft(workspace)
    return redirect(_check_url(bot_id, made.pk))


def _new_bot(game: str, sent: Any) -> BotDraft:
    """Return the new bot that the submitted fields describe. Raises Refused if the name is invalid."""
    form = NamingForm({field: sent.get(field, "") for field in ("name", "description", "plays_people")})
    if not form.is_valid():
        text = " ".join(str(text) for texts in form.errors.values() for text in texts)
        raise Refused(text, code="invalid_name", field="name")
    data = form.cleaned_data
    return BotDraft(game, data["name"], data["description"], plays_people=data["plays_people"])


@require_safe
@never_cache
@login_required
def diff(request: SignedInRequest, bot_id: int, submission_id: int) -> HttpResponse:
    """Compare the draft with a version."""
    workspace, _line = _workspace(request, bot_id, "")
    card = _version_or_404(bot_id, submission_id)
    files = compare_files(drafts.files_of(card.sha256), drafts.read_draft(workspace)[0])
    return render(request, "studio/diff.html", {"version": card, "files": files})


@json_refusals
def restore(request: SignedInRequest, bot_id: int, submission_id: int) -> HttpResponse:
    """Copy the files of a version to the draft."""
    workspace, _line = _workspace(request, bot_id, "")
    card = _version_or_404(bot_id, submission_id)
    edit = payload.edit_of(payload.parse_object(request.body))
    files, draft = drafts.restore_version(workspace, card.sha256, edit.revision, now=timezone.now())
    return _draft_response(files, draft.revision)


@json_refusals
def unpack(request: SignedInRequest, bot_id: int | None = None, game: str = "") -> HttpResponse:
    """Replace the draft's files with those of an uploaded archive."""
    workspace, _line = _workspace(request, bot_id, game)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        raise first_error(form)
    revision = payload.edit_of(payload.parse_object(request.POST.get("edit", "").encode())).revision
    UNPACKED.count_use(str(request.user.pk), now=timezone.now())
    files, draft = drafts.unpack_archive(workspace, form.upload, revision, now=timezone.now())
    return _draft_response(files, draft.revision)


def _draft_response(files: DraftFiles, revision: int) -> HttpResponse:
    """Return the content of a draft whose files have all been replaced."""
    return JsonResponse({"revision": revision, "files": _files_json(files), "kept": list(files.kept)})


def _files_json(files: DraftFiles) -> list[dict[str, str]]:
    return [{"path": path, "text": text} for path, text in files.texts.items()]


def _version_or_404(bot_id: int, submission_id: int) -> SubmissionCard:
    card = bots.submission(submission_id)
    if card is None or card.bot_id != bot_id:
        raise Http404
    return card


@json_refusals
def lint(request: SignedInRequest) -> HttpResponse:
    """Find errors in a file without running it."""
    source = payload.source_of(payload.parse_object(request.body))
    LINTS.count_use(str(request.user.pk), now=timezone.now())
    return JsonResponse({"problems": [problem.to_json() for problem in linting.problems_of(source)]})


@require_safe
@cache_control(max_age=3600, public=True)
@vary_on_cookie
def completions(request: HttpRequest, game: str) -> HttpResponse:
    """Return the members of a game's state for the editor, with descriptions in the language of the page."""
    if game not in GAMES:
        raise Http404
    return JsonResponse(completing.described_completions(game, translated_code_text))


def _run_or_404(request: SignedInRequest, run_id: int) -> Any:
    """Return the run for the person who started it. Raises Http404 for everyone else."""
    found = snapshots.find_run(run_id)
    if found is None:
        raise Http404
    require(request.user, Action.SEE_RUN, found.person_id)
    return found


@require_safe
@never_cache
@login_required
def run_snapshot(request: SignedInRequest, run_id: int) -> HttpResponse:
    return JsonResponse(snapshots.snapshot(_run_or_404(request, run_id)))


@require_safe
@never_cache
@login_required
def run_report(request: SignedInRequest, run_id: int) -> HttpResponse:
    """Return what to show after a run: the draft's faults in the last match, and the use of the hourly limit."""
    run = _run_or_404(request, run_id)
    check = _requested_check(request, run.bot_id) if "submission" in request.GET else None
    version = queries.version_of_run(run)
    context = {
        "faults": queries.faults_beside(run, version, check),
        "game": run.game,
        "checksum": run.checksum,
        "run_version": version,
    }
    html = render_to_string("studio/faults.html", context, request)
    return JsonResponse({"faults": html.strip(), "use": _runs_use_text(request)})


@json_refusals
def run_stop(request: SignedInRequest, run_id: int) -> HttpResponse:
    _run_or_404(request, run_id)
    return JsonResponse({"stopped": bool(runs.cancel([run_id]))}, status=HTTPStatus.OK)
