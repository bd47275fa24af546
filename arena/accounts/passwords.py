"""Django's password rules and forms, worded like the rest of the site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import forms as auth_forms
from django.contrib.auth import password_validation as rules
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext


class LengthValidator(rules.MinimumLengthValidator):
    def get_error_message(self) -> str:
        text = ngettext(
            "This password is too short. It must contain at least %(min_length)d character.",
            "This password is too short. It must contain at least %(min_length)d characters.",
            self.min_length,
        )
        return text % {"min_length": self.min_length}

    def get_help_text(self) -> str:
        text = ngettext("At least %(n)s character.", "At least %(n)s characters.", self.min_length)
        return text % {"n": self.min_length}


class SimilarityValidator(rules.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return str(_("This password is too similar to your username or email address. Choose another."))

    def get_help_text(self) -> str:
        return str(_("Not similar to your username or email address."))


class CommonValidator(rules.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return str(_("This password is too common. Choose another."))

    def get_help_text(self) -> str:
        return str(_("Not a common password."))


def set_password_texts(form: forms.BaseForm, password: str, again: str) -> None:
    """Set the labels and help texts of the two fields for a new password."""
    label = _("Password") if password == "password1" else _("New password")  # noqa: S105 - a field
    form.fields[password].label = label
    form.fields[again].label = _("Confirm password")
    form.fields[again].help_text = _("Enter the same password again.")
    form.fields[password].error_messages["required"] = _("Enter a password.")
    form.fields[again].error_messages["required"] = _("Enter the same password again.")


MISMATCH = {"password_mismatch": _("The two passwords do not match. Enter the same password twice.")}


class NewPasswordForm(auth_forms.SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {**auth_forms.SetPasswordForm.error_messages, **MISMATCH}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_password_texts(self, "new_password1", "new_password2")


class ChangePasswordForm(auth_forms.PasswordChangeForm):
    error_messages = {
        **auth_forms.PasswordChangeForm.error_messages,
        **MISMATCH,
        "password_incorrect": _("This password is incorrect. Try again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_password_texts(self, "new_password1", "new_password2")
        self.fields["old_password"].label = _("Current password")
        if self.is_bound:
            self.fields["old_password"].widget.attrs.pop("autofocus", None)  # the error summary takes the focus


class ResetRequestForm(auth_forms.PasswordResetForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("Email address")
