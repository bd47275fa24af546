"""People: students, organizers and staff.

Invariant: no two accounts have names or addresses that differ only in case, or names that look alike.
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
    """The role of a person; staff is a separate Django flag."""

    STUDENT = "student", _("Student")  # uploads bots, enters tournaments
    ORGANIZER = "organizer", _("Organizer")  # also creates and runs tournaments


class User(AbstractUser):
    """An account. The house account owns the arena's own bots, and nobody can sign in to it."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.STUDENT)
    # None if the name already resembled another name when skeletons were introduced.
    skeleton = models.CharField(max_length=SKELETON_LENGTH, null=True, editable=False)
    language = models.CharField(_("email language"), max_length=10, blank=True)  # empty: the site's default
    # Claimed by the person but not confirmed, unlike ``email``. Several accounts may claim the same address.
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
                violation_error_message=_("This name is too similar to another user's name. Choose another."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="one_account_per_address",
                violation_error_message=_("An account with this email address already exists. Sign in instead."),
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the account and, whenever its name is saved, the name's skeleton (see ``lookalikes``)."""
        if update_fields is None or "username" in update_fields:
            if self._state.adding or self.skeleton is not None:
                self.skeleton = skeleton(self.username)
            update_fields = None if update_fields is None else {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)


class AccountMailKind(models.TextChoices):
    """The kinds of emails about accounts."""

    RESET = "reset"  # a password reset link for each account with the address
    CONFIRM = "confirm"  # a confirmation link, sent to an address that somebody entered as theirs


class AccountMail(models.Model):
    """A queued email about an account, deleted once sent. Its recipients are determined when it is sent."""

    kind = models.CharField(max_length=8, choices=AccountMailKind)
    address = models.EmailField()
    person = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")  # the person who entered the address
    language = models.CharField(max_length=10, blank=True)  # language of the page from which it was requested
    created_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True)


class ThrottleBucket(models.Model):
    """The fill level of one key's bucket in a throttle; see ``throttle``. Empty buckets can be deleted."""

    key = models.CharField(max_length=64, primary_key=True)  # a digest, because addresses are not stored
    empty_at = models.DateTimeField(db_index=True)  # when the bucket will be empty


class TokenScope(models.TextChoices):
    """The scopes of a personal access token, independent of each other."""

    READ = "read", _("Read: view everything that you have access to, including your bots' logs")
    SUBMIT = "submit", _("Submit: upload and activate bots, enter and leave tournaments")
    ORGANIZE = "organize", _("Organize: create and start tournaments")


class ApiToken(models.Model):
    """A personal access token; revoking deletes it. The secret itself is not stored."""

    person = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of a 256-bit secret, which needs no salt
    scopes = models.JSONField(default=list)  # values of TokenScope
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)  # to the minute

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class AccountActivityKind(models.TextChoices):
    """The kinds of account activity."""

    TOKEN_CREATED = "created", _("Token created")
    TOKEN_REVOKED = "revoked", _("Token revoked")
    TOKEN_USED = "used", _("Token used")  # a modifying scope


class AccountActivity(models.Model):
    """An entry in the account's activity log, shown only to its owner; kept for 90 days."""

    person = models.ForeignKey(User, models.CASCADE, related_name="account_activity")
    kind = models.CharField(max_length=8, choices=AccountActivityKind)
    at = models.DateTimeField()
    token = models.CharField(max_length=60)  # the token's name, because the entry outlives the token
    request = models.CharField(max_length=200, blank=True)  # method and path
    status = models.PositiveSmallIntegerField(null=True)  # status of the response

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["person", "at"])]

    def __str__(self) -> str:
        return f"{self.token}: {self.kind}"
