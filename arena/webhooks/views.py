"""Webhook pages in the account settings."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from arena.accounts.permissions import SignedInRequest
from arena.platform.refusal import NotFound, Refused, show_refusal
from arena.webhooks import queries, services
from arena.webhooks.forms import WebhookForm

PER_PAGE = 20
UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def webhook_list(request: SignedInRequest) -> HttpResponse:
    """List the person's webhooks. A new secret is shown only in the response to the submitted form."""
    _check_offered()
    choices, made = queries.choices(request.user), None
    form = WebhookForm(request.POST or None, choices=choices)
    if form.is_valid():
        try:
            webhook_id, secret = services.create(request.user, form.plan())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            made = {"id": webhook_id, "secret": secret}
            form = WebhookForm(choices=choices)
    context = {"form": form, "made": made, "webhooks": queries.webhooks(request.user)}
    return render(request, "webhooks/list.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def webhook(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    """Show a webhook, its form and its delivery log."""
    line = _own_webhook_or_404(request, webhook_id)
    initial = {"url": line.url, "events": line.events, "bots": line.bots, "tournaments": line.tournaments}
    form = WebhookForm(request.POST or None, choices=queries.choices(request.user, line), initial=initial)
    if form.is_valid():
        try:
            services.change(request.user, webhook_id, form.plan())
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            messages.success(request, _("Changes saved."))
            return redirect("webhook", webhook_id)
    return _render_webhook(request, line, form=form)


@require_POST
@never_cache
@login_required
def webhook_rotate(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    """Rotate the secret; the new one is shown only in this response."""
    _own_webhook_or_404(request, webhook_id)
    secret = services.rotate_secret(request.user, webhook_id, now=timezone.now())
    return _render_webhook(request, _own_webhook_or_404(request, webhook_id), secret=secret)


def _render_webhook(
    request: SignedInRequest, line: queries.WebhookRow, *, form: WebhookForm | None = None, secret: str = ""
) -> HttpResponse:
    if form is None:
        initial = {"url": line.url, "events": line.events, "bots": line.bots, "tournaments": line.tournaments}
        form = WebhookForm(choices=queries.choices(request.user, line), initial=initial)
    page = Paginator(queries.deliveries(line.id), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "webhook": line,
        "form": form,
        "secret": secret,
        "page": page,
        "deliveries": queries.delivery_rows(page.object_list),
    }
    return render(request, "webhooks/webhook.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_POST
@login_required
def webhook_test(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    def send() -> None:
        services.send_test(request.user, webhook_id, now=timezone.now())

    return _run_action(
        request, webhook_id, send, _("The test event is on its way. Reload the page to see the response.")
    )


@require_POST
@login_required
def webhook_on(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    return _run_action(request, webhook_id, lambda: services.turn_on(request.user, webhook_id), _("Webhook turned on."))


@require_POST
@login_required
def webhook_off(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    return _run_action(
        request, webhook_id, lambda: services.turn_off(request.user, webhook_id), _("Webhook turned off.")
    )


@require_POST
@login_required
def webhook_delete(request: SignedInRequest, webhook_id: int) -> HttpResponse:
    _own_webhook_or_404(request, webhook_id)
    services.delete(request.user, webhook_id)
    messages.success(request, _("Webhook deleted."))
    return redirect("webhooks")


@require_POST
@login_required
def delivery_repeat(request: SignedInRequest, webhook_id: int, delivery_id: int) -> HttpResponse:
    def send() -> None:
        services.redeliver(request.user, delivery_id, now=timezone.now())

    return _run_action(
        request, webhook_id, send, _("The message is being sent again. Reload the page to see the response.")
    )


def _run_action(request: SignedInRequest, webhook_id: int, action: Callable[[], object], done: str) -> HttpResponse:
    _check_offered()
    try:
        action()
    except NotFound as missing:
        raise Http404 from missing
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, done)
    return redirect("webhook", webhook_id)


def _own_webhook_or_404(request: SignedInRequest, webhook_id: int) -> queries.WebhookRow:
    _check_offered()
    line = queries.webhook(request.user, webhook_id)
    if line is None:
        raise Http404
    return line


def _check_offered() -> None:
    """Raise Http404 if webhooks are disabled on this site."""
    if not settings.WEBHOOKS_PER_PERSON:
        raise Http404
