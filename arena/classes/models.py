"""Classes: courses whose members have their own tournaments and limits.

Invariants: the owner of a class is always one of its members, as a teacher; a join code belongs to only one class.
Codes have 40 random bits, so an old code is practically never reused.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 80
CODE_LENGTH = 8
MAX_HOURLY_LIMIT = 1000

_LIMIT = [MinValueValidator(1), MaxValueValidator(MAX_HOURLY_LIMIT)]


class CourseRole(models.TextChoices):
    """A person's role in a class."""

    STUDENT = "student", _("Student")
    TEACHER = "teacher", _("Teacher")  # runs the class like its owner, except for appointing teachers


class Course(models.Model):
    """A class of students. Limits are per student per hour; empty means the site's own limit."""

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    owner = models.ForeignKey("accounts.User", models.PROTECT, related_name="courses")
    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    joinable = models.BooleanField(default=True)  # whether the code can currently be used to join
    uploads_an_hour = models.PositiveSmallIntegerField(_("uploads per hour"), null=True, blank=True, validators=_LIMIT)
    scrimmages_an_hour = models.PositiveSmallIntegerField(
        _("scrimmages per hour"), null=True, blank=True, validators=_LIMIT
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's membership in a class."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="memberships")
    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=CourseRole, default=CourseRole.STUDENT)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["course", "pk"]
        constraints = [models.UniqueConstraint(fields=["course", "person"], name="member_once")]
        indexes = [models.Index(fields=["person", "course"])]

    def __str__(self) -> str:
        return f"{self.person} in {self.course}"
