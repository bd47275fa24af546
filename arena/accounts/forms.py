"""Forms for signing up and for changing account settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import HOUSE_USERNAME, User
from arena.accounts.passwords import MISMATCH, set_password_texts
from arena.core.plain_text import one_line
from arena.platform.lookalikes import has_reserved_prefix, skeleton


class SignInForm(AuthenticationForm):
    """Django's login form with the site's error message."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("The username or password is incorrect. Both are case-sensitive."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].error_messages["required"] = _("Enter your username.")
        self.fields["password"].error_messages["required"] = _("Enter your password.")


USERNAME_LENGTH = 30
_USERNAME = re.compile(r"\w(?:[\w.+-]*\w)?")


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    """The form for signing up; ``services.sign_up`` creates the account."""

    error_messages = {**UserCreationForm.error_messages, **MISMATCH}
    field_order = ("username", "email", "password1", "password2")  # as on the page, for the error summary

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)

    email = forms.EmailField(
        label=_("Email address"),
        help_text=_("Private. Used to reset your password."),
        error_messages={"required": _("Enter your email address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        username = self.fields["username"]
        username.label, username.help_text = _("Username"), _("Shown publicly with your bots.")
        username.widget.attrs["maxlength"] = USERNAME_LENGTH
        username.error_messages["required"] = _("Enter a username.")
        # Only ``check_username`` limits the length: Django's own validators allow more.
        username.validators = [rule for rule in username.validators if not isinstance(rule, MaxLengthValidator)]
        if self.is_bound:
            username.widget.attrs.pop("autofocus", None)  # the error summary takes the focus
        set_password_texts(self, "password1", "password2")

    def clean_username(self) -> str:
        return check_username(str(self.cleaned_data["username"]))

    def clean_email(self) -> str:
        """Accept addresses that are already in use.

        Only the owner of an address learns, by email, that an account exists (see ``outbox``).
        """
        email = str(self.cleaned_data["email"]).lower()
        self.instance.email = email  # for the password validators; this instance is never saved
        return email


def check_username(username: str, *, exclude_id: int = 0) -> str:
    """Return the username if it is valid and available. Raises ValidationError if it is not.

    ``exclude_id``: the id of the account that is being renamed, whose own name does not count as taken.
    """
    others = User.objects.exclude(pk=exclude_id)
    if len(username) > USERNAME_LENGTH:
        raise forms.ValidationError(
            _("Usernames can have at most %(most)s characters; this one has %(length)s. Choose a shorter one.")
            % {"most": USERNAME_LENGTH, "length": len(username)},
            code="too_long",
        )
    if not _USERNAME.fullmatch(username):
        raise forms.ValidationError(
            _("Use only letters, digits and the characters . + - _ (begin and end with a letter or digit)."),
            code="characters",
        )
    if username.casefold() == HOUSE_USERNAME or others.filter(username__iexact=username).exists():
        raise forms.ValidationError(_("This name is taken. Choose another."), code="taken")
    if _is_reserved(username) or others.filter(skeleton=skeleton(username)).exists():
        raise forms.ValidationError(
            _("This name is too similar to another user's name. Choose another."), code="similar"
        )
    return username


def _is_reserved(username: str) -> bool:
    return skeleton(username) == skeleton(HOUSE_USERNAME) or has_reserved_prefix(username)


class SettingsForm(forms.Form):
    """The form for changing the email address. Requires the password, in case somebody else uses the computer."""

    email = forms.EmailField(
        label=_("Email address"),
        help_text=_("Used to reset your password."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Your password"),
        help_text=_("Required to change your email address."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: Mapping[str, Any] | None, *, user: User) -> None:
        super().__init__(data, initial={"email": user.unconfirmed_email or user.email})
        self.user = user

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This password is incorrect. Try again."), code="incorrect")
        return password


class TokenForm(forms.Form):
    """The form for a new personal access token; ``scopes``: the scopes that the person can choose."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("Where you will use the token, for example: my laptop, GitHub Actions."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one scope.")},
    )
    days = forms.TypedChoiceField(
        label=_("Expires"),
        coerce=int,
        initial=90,
        choices=[
            (30, _("After 30 days")),
            (90, _("After 90 days")),
            (365, _("After a year")),
            (0, _("Never")),
        ],
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, scopes: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["scopes"].choices = scopes  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        name = one_line(self.cleaned_data["name"]).strip()
        if not name:
            raise forms.ValidationError(_("Give the token a name so you can recognize it later."), code="required")
        return name
