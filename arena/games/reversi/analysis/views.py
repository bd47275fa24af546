"""Analysis pages for a match and for a position that the reader sets up."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import Action, may
from arena.games.reversi.analysis import queries, quota, services
from arena.games.reversi.analysis.presentation import present_line
from arena.games.reversi.analysis.setup import BARE_BOARD, PositionSetup
from arena.games.reversi.analysis.texts import SIDES, problem_text
from arena.games.reversi.lines import Line, LineError
from arena.games.reversi.notation import MAX_CHARACTERS, read, write_board, write_ggf, write_moves
from arena.games.reversi.recorded_line import GAME, match_line
from arena.matches import queries as matches
from arena.matches.records import record_of
from arena.matches.visibility import may_see
from arena.platform.downloads import attachment
from arena.platform.refusal import Refused, refusal_text


@require_http_methods(["GET", "POST"])
@never_cache
def match_analysis(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the analysis of a match; a POST request starts it."""
    if not may_see(request.user, match_id):
        raise Http404
    card = matches.match_card(match_id)
    if card is None or card.game != GAME:
        raise Http404
    url = reverse("match-analysis", args=[match_id])
    refused = ""
    if request.method == "POST":
        person = services.find_requester(request.user)
        if person is None:
            return redirect_to_login(url)
        try:
            services.analyse_match(person, match_id, now=timezone.now())
            return redirect(url)
        except Refused as refusal:
            refused = refusal_text(request, refusal)
    record = record_of(match_id)
    context: dict[str, Any] = {"card": card, "refused": refused}
    if record is not None:
        found = match_line(record)
        names = [seat.name for seat in card.seats]
        context |= _analysis_context(request, found.line, queries.analysis_of_match(match_id), names, found.prescribed)
        context |= {"ask_url": url, "setup": PositionSetup.from_line(found.line)}
    return render(request, "reversi_analysis/match.html", context, status=422 if refused else 200)


@require_safe
@never_cache
def board(request: HttpRequest) -> HttpResponse:
    """Show a board for setting up, importing and analysing positions. Every click or submitted text opens a new URL."""
    text = request.GET.get("text")
    try:
        setup = PositionSetup.from_query(request.GET)
    except LineError as error:
        return _render_board(request, PositionSetup(), wrong=error)
    try:
        if text is not None:
            return _redirect_to_board(PositionSetup.from_line(read(text, request.GET.get("text_side", ""))))
        if "click" in request.GET:
            return _redirect_to_board(setup.after_click(request.GET["click"].upper()))
        if "turn" in request.GET:
            return _redirect_to_board(setup.with_side_to_move(request.GET["turn"]))
    except LineError as error:
        return _render_board(request, setup, wrong=error, text=text)
    return _render_board(request, setup)


@require_POST
def analyse_board(request: HttpRequest) -> HttpResponse:
    """Request the analysis of a line that was set up."""
    try:
        setup = PositionSetup.from_query(request.POST)
        line = setup.line()
    except LineError as error:
        return _render_board(request, PositionSetup(), wrong=error)
    person = services.find_requester(request.user)
    if person is None:
        return redirect_to_login(_board_url(PositionSetup.from_line(line)))
    try:
        services.analyse_line(person, line, now=timezone.now())
    except Refused as refusal:
        return _render_board(request, PositionSetup.from_line(line), refused=refusal_text(request, refusal))
    return _redirect_to_board(PositionSetup.from_line(line))


@require_safe
def board_ggf(request: HttpRequest) -> HttpResponse:
    """Return the line in the URL as a GGF file."""
    try:
        text = write_ggf(PositionSetup.from_query(request.GET).line())
    except LineError as error:
        return _render_board(request, PositionSetup(), wrong=error)
    return HttpResponse(text + "\n", content_type="text/plain; charset=utf-8", headers=attachment("game.ggf"))


def _render_board(
    request: HttpRequest,
    setup: PositionSetup,
    *,
    wrong: LineError | None = None,
    refused: str = "",
    text: str | None = None,
) -> HttpResponse:
    """Render the board.

    ``wrong``: why the line is invalid; ``refused``: why the request was refused; ``text``: the unreadable input.
    """
    line, status = None, 422 if wrong or refused else 200
    try:
        shown_board, side = setup.displayed_board()
        line = setup.line()
    except LineError as error:
        wrong = wrong or error
        if setup.moves:
            setup, status = PositionSetup(setup.board, setup.side, hand=setup.hand), 422
        shown_board, side = setup.board, setup.side
    context: dict[str, Any] = {
        "setup": setup,
        "board": shown_board,
        "side": side,
        "wrong": problem_text(wrong) if wrong else "",
        "problem": wrong.problem.name if wrong else "",
        "refused": refused,
        "text": text or "",
        "text_side": request.GET.get("text_side", ""),
        "max_characters": MAX_CHARACTERS,
        "bare_board": BARE_BOARD,
        "ask_url": reverse("reversi-board-analysis"),
    }
    if line is not None:
        names = [str(name) for name in SIDES.values()]
        context |= _analysis_context(request, line, queries.analysis_of_line(line), names)
        context |= {"moves_text": write_moves(line), "ggf_text": write_ggf(line)}
    context["board_text"] = write_board(shown_board, side)
    return render(request, "reversi_analysis/board.html", context, status=status)


def _analysis_context(
    request: HttpRequest, line: Line, analysis: queries.AnalysisState | None, names: list[str], prescribed: int = 0
) -> dict[str, Any]:
    shown = present_line(line, analysis.findings if analysis else (), names, prescribed)
    person = services.find_requester(request.user)
    return {
        "shown": shown,
        "position": shown.displayed_position(request.GET.get("at")),
        "mistakes_only": request.GET.get("only") == "mistakes" and shown.mistake_count > 0,
        "analysis": analysis,
        "analysis_data": {"positions": shown.positions},
        "use": quota.hourly_use(person, now=timezone.now()) if person else None,
        "sees_failures": may(request.user, Action.SEE_OPERATIONS),
    }


def _board_url(setup: PositionSetup) -> str:
    query = setup.query()
    return reverse("reversi-board") + (f"?{query}" if query else "")


def _redirect_to_board(setup: PositionSetup) -> HttpResponse:
    return redirect(_board_url(setup))
