"""The page for personal access tokens, part of the account's settings."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from arena.accounts import tokens
from arena.accounts.forms import TokenForm
from arena.accounts.permissions import SignedInRequest
from arena.platform.refusal import Refused, show_refusal


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def token_list(request: SignedInRequest) -> HttpResponse:
    """List the person's tokens. A new secret is shown only in the response to the form."""
    now = timezone.now()
    form, made = TokenForm(request.POST or None, scopes=tokens.offered_scopes(request.user)), None
    if form.is_valid():
        data = form.cleaned_data
        lifetime = timedelta(days=data["days"]) if data["days"] else None
        try:
            made = tokens.create(request.user, data["name"], data["scopes"], now=now, lifetime=lifetime)
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            form = TokenForm(scopes=tokens.offered_scopes(request.user))
    context = {
        "form": form,
        "made": made,
        "tokens": tokens.tokens_of(request.user, now=now),
        "activity": tokens.activity_of(request.user),
    }
    return render(request, "accounts/tokens.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def token_revoke(request: SignedInRequest, token_id: int) -> HttpResponse:
    name = tokens.revoke(request.user, token_id, now=timezone.now())
    if name is None:
        raise Http404
    messages.success(
        request, _("%(name)s has been revoked. Programs that use it no longer have access.") % {"name": name}
    )
    return redirect("tokens")
