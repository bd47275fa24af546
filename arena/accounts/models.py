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


class TokenScope(models.TextChoices):
    """What a personal access token may be used for; each scope stands alone."""

    READ = "read", _("Read: see what you see, logs of your bots included")
    SUBMIT = "submit", _("Submit: upload and activate bots, enter and leave tournaments")
    ORGANIZE = "organize", _("Organize: create and start tournaments")


class ApiToken(models.Model):
    """A personal access token; revoking deletes it. The secret itself is stored nowhere."""

    person = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of a secret of 256 bits, which needs no salt
    scopes = models.JSONField(default=list)  # of TokenScope
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)  # to the minute

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class ActivityKind(models.TextChoices):
    """What happened in the name of an account."""

    TOKEN_CREATED = "created", _("Token created")
    TOKEN_REVOKED = "revoked", _("Token revoked")
    TOKEN_USED = "used", _("Token used")  # a scope that changes something


class AccountActivity(models.Model):
    """One line of what happened in the name of an account, for its owner; kept for 90 days."""

    person = models.ForeignKey(User, models.CASCADE, related_name="account_activity")
    kind = models.CharField(max_length=8, choices=ActivityKind)
    at = models.DateTimeField()
    token = models.CharField(max_length=60)  # its name: the line outlives it
    request = models.CharField(max_length=200, blank=True)  # method and path
    status = models.PositiveSmallIntegerField(null=True)  # of the answer

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["person", "at"])]

    def __str__(self) -> str:
        return f"{self.token}: {self.kind}"
