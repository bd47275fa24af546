"""Messages for Django's form errors, in the site's style and translated with its other messages.

A field or form that defines its own message for an error keeps it.
"""

from __future__ import annotations

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


def install() -> None:
    """Replace Django's default error messages; errors keep their codes and parameters."""
    choose = _("Choose one of the options shown.")
    forms.Field.default_error_messages["required"] = _("This field is required. Enter or choose a value.")
    forms.IntegerField.default_error_messages["invalid"] = _("Enter a whole number.")
    forms.FloatField.default_error_messages["invalid"] = _("Enter a number.")
    forms.DateTimeField.default_error_messages["invalid"] = _("Enter a date and time, such as 2030-01-31 18:00.")
    for field in (forms.ChoiceField, forms.MultipleChoiceField):
        field.default_error_messages["invalid_choice"] = choose
    validators.EmailValidator.message = _("Enter an email address, such as ada@example.org.")
    validators.MinValueValidator.message = _("Enter a number of at least %(limit_value)s.")
    validators.MaxValueValidator.message = _("Enter a number of at most %(limit_value)s.")
    validators.MaxLengthValidator.message = ngettext_lazy(
        "Enter at most %(limit_value)d character; you entered %(show_value)d.",
        "Enter at most %(limit_value)d characters; you entered %(show_value)d.",
        "limit_value",
    )
    validators.ProhibitNullCharactersValidator.message = _("This text contains null characters. Remove them.")
