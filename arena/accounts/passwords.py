"""Validate the minimum length of passwords.

Django 5.2 words the refusal of a short one in a way that its own catalogues do not translate; here it is worded as they
have it.
"""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LengthValidator(MinimumLengthValidator):
    """Django's, in the reader's language."""

    def get_error_message(self) -> str:
        text = ngettext(
            "This password is too short. It must contain at least %(min_length)d character.",
            "This password is too short. It must contain at least %(min_length)d characters.",
            self.min_length,
        )
        return text % {"min_length": self.min_length}
