"""Pages for signing up, in and out, and for account settings. Profile pages belong to ``submissions``."""

from __future__ import annotations

from typing import Any

from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language, get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from arena.accounts import emails, limits, outbox, services
from arena.accounts.forms import SettingsForm, SignInForm, SignUpForm
from arena.accounts.hashing import HashingBusy
from arena.accounts.panels import settings_panels
from arena.accounts.passwords import ChangePasswordForm, NewPasswordForm, ResetRequestForm
from arena.accounts.permissions import SignedInRequest
from arena.platform import client_address
from arena.platform.refusal import Refused, show_refusal


def _next_page(request: HttpRequest) -> str:
    """Return the URL of the page to open next: the requested one if it is on this site, otherwise the home page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return resolve_url("home")


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    next_page = _next_page(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(next_page)
    form = SignUpForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        limits.count_sign_up(client_address.network_of_request(request), data["email"], now=timezone.now())
        try:
            user = services.sign_up(
                username=data["username"],
                email=data["email"],
                password=data["password1"],
                language=get_language() or "",
            )
        except HashingBusy:
            raise  # ``RefusalMiddleware`` sends the response
        except Refused as refusal:
            show_refusal(request, refusal, form)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Welcome, %(name)s. Your account is ready.") % {"name": user.username})
            _confirm_link_sent(request, user.unconfirmed_email)
            return HttpResponseRedirect(next_page)
    status = 422 if form.is_bound else 200
    return render(request, "accounts/signup.html", {"form": form, "next": next_page}, status=status)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@login_required
def settings(request: SignedInRequest) -> HttpResponse:
    form = SettingsForm(request.POST or None, user=request.user)
    if form.is_valid():
        email = form.cleaned_data["email"]
        limits.count_confirmation(request.user.pk, email, now=timezone.now())
        services.change_email(request.user.pk, email)
        messages.success(request, _("Your email address has been changed."))
        if email != request.user.email:
            _confirm_link_sent(request, email)
        return redirect("settings")
    context = {
        "form": form,
        "panels": settings_panels.panels_for(request.user.pk, request.user),
        "mail_is_kept": not site_settings.EMAIL_URL,
    }
    return render(request, "accounts/settings.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def resend_confirmation(request: SignedInRequest) -> HttpResponse:
    """Send the confirmation link again."""
    address = request.user.unconfirmed_email
    if address:
        limits.count_confirmation(request.user.pk, address, now=timezone.now())
        outbox.queue_confirmation(request.user)
        _confirm_link_sent(request, address)
    return redirect("settings")


@require_http_methods(["GET", "POST"])
@never_cache
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page that the emailed link opens.

    A button confirms the address, because mail programs open links automatically.
    """
    try:
        if request.method != "POST":
            emails.read_confirmation_token(token)
            return render(request, "accounts/confirm_email.html")
        user = services.confirm_email(token)
    except Refused as refusal:
        return render(request, "accounts/confirm_email.html", {"refusal": refusal}, status=422)
    messages.success(request, _("Thank you. %(address)s is confirmed.") % {"address": user.email})
    return redirect("settings" if request.user == user else "home")


def _confirm_link_sent(request: HttpRequest, address: str) -> None:
    """Show the same message for every address; without a mail server, do not mention email."""
    if site_settings.EMAIL_URL:
        text = _("We have sent an email to %(address)s. Open the link in the email to confirm your address.")
        messages.info(request, text % {"address": address}, extra_tags="confirmation_sent")


def set_language(request: HttpRequest) -> HttpResponse:
    """Set the language with Django's view; for a signed-in user, also set the language of emails."""
    response = i18n.set_language(request)
    language = request.POST.get("language", "")
    if request.user.is_authenticated and check_for_language(language):
        services.remember_language(request.user, language)
    return response


class SignIn(auth_views.LoginView):
    template_name = "accounts/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        if self.request.user.is_authenticated and not self.request.user.language:
            services.remember_language(self.request.user, get_language() or "")
        return response


class PasswordChange(SuccessMessageMixin, auth_views.PasswordChangeView):  # type: ignore[type-arg]
    template_name = "accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("settings")
    success_message = gettext_lazy("Your password has been changed.")


class PasswordReset(auth_views.PasswordResetView):
    """The view for requesting a reset link; without a mail server, the page explains who can help."""

    template_name = "accounts/password_reset.html"
    form_class = ResetRequestForm
    success_url = reverse_lazy("password_reset_done")

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """Queue the email. The response takes equally long for known and for unknown addresses."""
        now, address = timezone.now(), form.cleaned_data["email"].lower()
        limits.count_reset(client_address.network_of_request(self.request), address, now=now)
        outbox.queue_reset(address, language=get_language() or "")
        return HttpResponseRedirect(self.get_success_url())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(mail_is_kept=not site_settings.EMAIL_URL, **kwargs)


class PasswordResetDone(auth_views.PasswordResetDoneView):
    template_name = "accounts/password_reset_done.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(mail_is_kept=not site_settings.EMAIL_URL, **kwargs)


class PasswordResetConfirm(SuccessMessageMixin, auth_views.PasswordResetConfirmView):  # type: ignore[type-arg]
    template_name = "accounts/password_reset_confirm.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("login")
    success_message = gettext_lazy("Your password has been changed. Sign in with the new one.")
