"""People: students, organizers and staff.

Invariant: two accounts never share a name or an address that differ in case only, nor names that look alike.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from arena.platform.lookalikes import SKELETON_LENGTH, skeleton

HOUSE_USERNAME = "house"


class Role(models.TextChoices):
    """What a person came for; staff is Django's own flag besides."""

    STUDENT = "student", _("Student")  # uploads bots, enters tournaments
    ORGANIZER = "organizer", _("Organizer")  # creates and runs tournaments as well


class User(AbstractUser):
    """An account; the house account owns the arena's own bots and cannot sign in."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.STUDENT)
    # None where the name looked like another's before skeletons were compared.
    skeleton = models.CharField(max_length=SKELETON_LENGTH, null=True, editable=False)
    language = models.CharField(_("language of mails"), max_length=10, blank=True)  # empty: the site's own
    # Named by the person, and not yet proved to be theirs; ``email`` is. Several accounts may name the same one.
    unconfirmed_email = models.EmailField(_("unconfirmed email address"), blank=True, db_index=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_person_per_name",
                violation_error_message=_("This name is taken. Choose another."),
            ),
            models.UniqueConstraint(
                fields=["skeleton"],
                name="nobody_looks_like_another",
                violation_error_message=_("This name looks like that of another person. Choose another."),
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

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Store the skeleton with the name."""
        if update_fields is None or "username" in update_fields:
            if self._state.adding or self.skeleton is not None:
                self.skeleton = skeleton(self.username)
            update_fields = None if update_fields is None else {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)


class AccountMailKind(models.TextChoices):
    """What somebody is written to about."""

    RESET = "reset"  # every account with the address: a new password
    CONFIRM = "confirm"  # the address that a person has named: is it theirs?


class AccountMail(models.Model):
    """A message that was asked for; deleted when it has left. Whether anybody gets it is not decided yet."""

    kind = models.CharField(max_length=8, choices=AccountMailKind)
    address = models.EmailField()
    person = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")  # who named the address
    language = models.CharField(max_length=10, blank=True)  # of the page where it was asked for
    created_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True)


class ThrottleBucket(models.Model):
    """How full the bucket of one key of one throttle is; see ``throttle``. An empty one is as good as none."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest: addresses are not stored
    empty_at = models.DateTimeField(db_index=True)  # when all that was taken has drained
