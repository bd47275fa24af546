"""Pages for listing notifications, changing preferences, and unsubscribing from emails."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.permissions import SignedInRequest
from arena.accounts.services import remember_language
from arena.notifications import queries, services
from arena.notifications.forms import NotificationFilterForm
from arena.notifications.kinds import kind_label, notification_text
from arena.notifications.preferences import PreferencesForm
from arena.notifications.unsubscription import mute_emails, unsubscription_of

PER_PAGE = 20


@require_safe
@login_required
def notification_list(request: SignedInRequest) -> HttpResponse:
    form = NotificationFilterForm(request.GET)
    rows = queries.notifications(request.user, form.chosen_filter())
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "lines": queries.notification_rows(page.object_list),
        "filtered": form.is_set(),
    }
    return render(request, "notifications/list.html", context)


@require_POST
@login_required
def notification_open(request: SignedInRequest, notification_id: int) -> HttpResponse:
    """Mark a notification as read and redirect to its page."""
    found = services.mark_read(request.user, notification_id, now=timezone.now())
    if found is None:
        raise Http404
    return redirect(notification_text(found.kind, found.context).path)


@require_POST
@login_required
def read_all(request: SignedInRequest) -> HttpResponse:
    services.mark_all_read(request.user, now=timezone.now())
    return redirect("notification-list")


@require_POST
@login_required
def preferences(request: SignedInRequest) -> HttpResponse:
    form = PreferencesForm(request.POST, person=request.user)
    if form.is_valid():
        services.set_preferences(request.user, form.channel_choices())
        remember_language(request.user, form.cleaned_data["language"])
        messages.success(request, _("Notification settings saved."))
    else:
        messages.error(request, _("Choose one of the listed languages."))
    return redirect(reverse("settings") + "#notifications-title")


@csrf_exempt  # a mail program that posts for its user has no cookie; the signature identifies the person
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show an unsubscribe button; turn off the emails on a POST, which the button or an email client sends (RFC 8058).

    A GET is not enough, because email scanners open every link.
    """
    unsubscription = unsubscription_of(token)
    if unsubscription is None:
        raise Http404
    if request.method == "POST":
        mute_emails(unsubscription)
    context = {"kind": kind_label(unsubscription.kind), "done": request.method == "POST"}
    return render(request, "notifications/unsubscribe.html", context)
