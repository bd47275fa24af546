"""The least length of a password.

Django 5.2 says that one is too short under a text that its own catalogs do not have; this is the text that they have.
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
