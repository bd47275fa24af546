"""People: students, organizers and staff."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

HOUSE_USERNAME = "house"


class Role(models.TextChoices):
    """What a person came for; staff is Django's own flag besides."""

    STUDENT = "student", _("Student")  # uploads bots, enters tournaments
    ORGANIZER = "organizer", _("Organizer")  # creates and runs tournaments as well


class User(AbstractUser):
    """An account; the house account owns the arena's own bots and cannot sign in."""

    email = models.EmailField(_("email address"), unique=True, null=True, blank=True)
    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.STUDENT)

    class Meta(AbstractUser.Meta):
        pass

    def __str__(self) -> str:
        return self.username
