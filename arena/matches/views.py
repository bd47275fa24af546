"""Pages about matches: list, match, its data, and a seat's private report."""

from __future__ import annotations

import gzip
import random
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.panels import match_actions
from arena.accounts.permissions import Action, SignedInRequest, may
from arena.games.sites import export
from arena.matches import failures, follow_ups, listing, private_report, queries, records
from arena.matches.access import record_data_or_404, record_or_404, report_or_404, require_visible_or_404
from arena.matches.callbacks import guest_seat_of
from arena.matches.downloads import compressed_json, record_response
from arena.matches.forms import MatchFilterForm
from arena.matches.link_preview import match_preview
from arena.matches.repeats import earlier_identical_match
from arena.matches.reviews import expected_verdict, main_verdict, panels_of, review_of
from arena.matches.snapshots import match_snapshot as read_match
from arena.matches.snapshots import snapshot, turn_page
from arena.platform.downloads import attachment
from arena.platform.page_addresses import row_id
from arena.platform.refusal import Refused, show_refusal
from arena.submissions.fault_report import newest_by_cause, position_text

PER_PAGE = 24
FAULTS_PER_PAGE = 5


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    form = MatchFilterForm(request.GET)
    chosen = form.chosen_filter()
    places = {name: row_id(request.GET.get(name, "")) for name in ("before", "after")}
    page = listing.match_page(chosen, request.user, PER_PAGE, **places)
    context = {"form": form, "page": page, "cards": queries.cards_of_ids(page.ids), "filtered": form.is_set()}
    return render(request, "matches/list.html", context)


@require_safe
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    require_visible_or_404(request, match_id)
    found = read_match(match_id)  # read before the rest of the page, which later events update
    card = queries.match_card(match_id)
    if card is None:
        raise Http404
    shown = {**found.sent, **_reader(request, match_id)}
    review = review_of(shown)
    verdict = main_verdict(review, shown)
    actions = match_actions.panels_for(match_id, request.user)
    following = follow_ups.next_match(card, request.user)
    context = {
        "card": card,
        "snapshot": shown,
        "review": review,
        "verdict": verdict,
        "expected_verdict": None if verdict or not shown["outcome"] else _expected_verdict(match_id, card.game),
        "preview": match_preview(card, found.sent),
        "can_be_replayed": follow_ups.can_be_replayed(card, request.user),
        "next_match": None if following and follow_ups.is_linked(following.match_id, actions) else following,
        "history": found.turns,
        "reduction": records.reduction_of(match_id),
        "replaced": queries.replaced_matches(match_id),
        "played_before": earlier_identical_match(match_id, request.user),
        "actions": actions,
        "panels": panels_of(shown, review),
        **_private_report(request, match_id, found.turns),
        **_failures(request, match_id),
    }
    return render(request, "matches/match.html", context)


@require_POST
@login_required
def match_rematch(request: SignedInRequest, match_id: int) -> HttpResponse:
    require_visible_or_404(request, match_id)
    card = queries.match_card(match_id)
    if card is None or not follow_ups.can_be_replayed(card, request.user):
        raise Http404
    try:
        match_id = follow_ups.request_rematch(card, request.user, now=timezone.now(), rng=random.SystemRandom())
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect("match", match_id)


def _expected_verdict(match_id: int, game: str) -> str | None:
    return expected_verdict(match_id, game, now=timezone.now())


def _reader(request: HttpRequest, match_id: int) -> dict[str, Any]:
    """Return the reader's seats, and the seat that messages address as "you"; none in projector mode."""
    if request.GET.get("view") == "projector":
        return {"reader": None, "own_seats": ()}
    guest, own = guest_seat_of(request, match_id), queries.reader_seats(match_id, request.user)
    addressed = own.addressed if guest is None else {"seat": guest, "is": "person"}
    return {"reader": addressed, "own_seats": own.indices}


def _failures(request: HttpRequest, match_id: int) -> dict[str, Any]:
    """Return the failed attempts, which only the match's requester and staff may see."""
    if not may(request.user, Action.SEE_FAILURES, queries.requester_of(match_id)):
        return {}
    lines = failures.attempts_of(match_id)
    return {
        "failed_attempts": lines,
        "always_asked": failures.always_asked_bot(lines),
        "sees_hosts": may(request.user, Action.SEE_OPERATIONS),
    }


def _private_report(request: HttpRequest, match_id: int, turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the requested or most relevant private report that this reader may see, and the other available ones.

    Staff may see all reports, and authors their own; in projector mode nobody sees any.
    """
    if request.GET.get("view") == "projector":
        return {}
    lines = private_report.reportable_seats(match_id, request.user)
    requested = request.GET.get("inside", "")
    line = next((one for one in lines if str(one.index) == requested), None) or _most_relevant_seat(lines)
    seat = private_report.report_of(match_id, line.index) if line else None
    if seat is None:
        return {}
    page = Paginator(newest_by_cause(seat.faults), FAULTS_PER_PAGE).get_page(request.GET.get("page"))
    faults = private_report.SeatFaults(match_id, seat, turns)
    at = request.GET.get("at", "")
    shown = int(at) if at.isdecimal() and len(at) < 6 else len(turns) - 1
    return {
        "report": seat,
        "output": seat.output_up_to(shown),
        "report_lines": lines,
        "page": page,
        "faults": [faults.explain(one) for one in page],
    }


def _most_relevant_seat(lines: Sequence[queries.SeatRow]) -> queries.SeatRow | None:
    return next((one for one in lines if one.fault), lines[0] if lines else None)


@require_safe
@never_cache
def match_snapshot(request: HttpRequest, match_id: int) -> JsonResponse:
    require_visible_or_404(request, match_id)
    return JsonResponse(snapshot(match_id))


@require_safe
@never_cache
def match_verdict(request: HttpRequest, match_id: int) -> JsonResponse:
    """Send the state of the job that computes the verdict; null if no further verdict is expected."""
    require_visible_or_404(request, match_id)
    return JsonResponse({"expected": _expected_verdict(match_id, queries.game_of(match_id))})


@require_safe
def match_turns(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Send the page that contains this turn. The pages of a finished match change only if the code changes."""
    require_visible_or_404(request, match_id)
    found = turn_page(match_id, number)
    is_kept = found.version and request.GET.get("of") == found.version
    response = compressed_json(request, gzip.decompress, "gzip", found.data)
    response["Cache-Control"] = "private, max-age=31536000, immutable" if is_kept else "no-store"
    if not found.version:
        return response
    response["ETag"] = etag = f'"{found.version}-{match_id}-{number}"'
    return get_conditional_response(request, etag=etag, response=response) or response


@require_safe
def match_record(request: HttpRequest, match_id: int) -> HttpResponse:
    return record_response(request, match_id, record_data_or_404(request, match_id))


@require_safe
def match_export(request: HttpRequest, match_id: int, file: str) -> HttpResponse:
    """Send a finished match in a format of its game; the file name ``file`` selects the format."""
    record = record_or_404(request, match_id)
    found = export(record.game, file)
    if found is None:
        raise Http404
    text = found.write(record, [line.name for line in queries.seat_rows(match_id)])
    headers = attachment(f"match-{match_id}.{file.rpartition('.')[2]}")
    return HttpResponse(text, content_type=found.content_type, headers=headers)


@require_safe
@login_required
def match_log(request: HttpRequest, match_id: int, index: int) -> HttpResponse:
    """Send a bot's output as plain text, so that the browser never interprets it."""
    text = report_or_404(request, match_id, index).log_text
    headers = attachment(f"match-{match_id}-seat-{index}.log")
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
@login_required
def match_output(request: HttpRequest, match_id: int, index: int) -> JsonResponse:
    """Send a bot's log, split by turn, to the script that steps through the match."""
    return JsonResponse({"turns": report_or_404(request, match_id, index).output_by_turn()})


@require_safe
@login_required
def match_position(request: HttpRequest, match_id: int, index: int, turn: int, answer_number: int) -> HttpResponse:
    """Send the position in which a bot committed a fault, for ``python -m bots replay``."""
    seat = report_or_404(request, match_id, index)
    position = private_report.fault_position(match_id, seat, turn, answer_number)
    if position is None:
        raise Http404
    headers = attachment(private_report.file_name(match_id, index, turn, answer_number))
    return HttpResponse(position_text(position), content_type="application/json", headers=headers)
