"""People: students, organizers and staff.

Invariant: two accounts never share a name or an address that differ in case only.
"""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

HOUSE_USERNAME = "house"


class Role(models.TextChoices):
    """What a person came for; staff is Django's own flag besides."""

    STUDENT = "student", _("Student")  # uploads bots, enters tournaments
    ORGANIZER = "organizer", _("Organizer")  # creates and runs tournaments as well


class User(AbstractUser):
    """An account; the house account owns the arena's own bots and cannot sign in."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.STUDENT)
    language = models.CharField(_("language of mails"), max_length=10, blank=True)  # empty: the site's own

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_person_per_name",
                violation_error_message=_("This name is taken. Choose another."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="one_account_per_address",
                violation_error_message=_("There is an account with this email address already. Sign in instead."),
            ),
        ]

    def __str__(self) -> str:
        return self.username


class ThrottleBucket(models.Model):
    """How full the bucket of one key of one throttle is; see ``throttle``. An empty one is as good as none."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest: addresses are not stored
    empty_at = models.DateTimeField(db_index=True)  # when all that was taken has drained
