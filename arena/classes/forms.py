"""Forms for creating a class, entering its join code, and searching its members."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.classes.join_codes import normalize
from arena.classes.models import MAX_HOURLY_LIMIT, NAME_LENGTH, CourseRole
from arena.classes.queries import CourseDetail, CourseFilter, MemberFilter
from arena.classes.quotas import site_limits
from arena.classes.services import CoursePlan
from arena.platform.page_addresses import FilterForm


class CourseForm(forms.Form):
    """The form for creating or changing a class; ``plan`` returns the settings."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        help_text=_(
            "Choose a name that your students will recognize and that includes the term, such as “Autumn 2026”. "
            "Students see it when they join."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    uploads_an_hour = forms.IntegerField(
        label=_("Uploads per hour"), min_value=1, max_value=MAX_HOURLY_LIMIT, required=False
    )
    scrimmages_an_hour = forms.IntegerField(
        label=_("Scrimmages per hour"), min_value=1, max_value=MAX_HOURLY_LIMIT, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = site_limits()
        for name, sites in (("uploads_an_hour", limits.uploads), ("scrimmages_an_hour", limits.scrimmages)):
            self.fields[name].help_text = _("Per student. Leave empty for this site's default, %(n)s.") % {"n": sites}

    def plan(self) -> CoursePlan:
        """Return the settings of the class; the form must be valid."""
        return CoursePlan(**self.cleaned_data)


def initial_of(detail: CourseDetail) -> dict[str, object]:
    """Return the initial values for an existing class."""
    return {
        "name": detail.card.name,
        "uploads_an_hour": detail.uploads_an_hour,
        "scrimmages_an_hour": detail.scrimmages_an_hour,
    }


class CodeForm(forms.Form):
    """The form for entering a join code."""

    code = forms.CharField(
        label=_("Join code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "placeholder": "ABCD-2345",
            }
        ),
    )

    def clean_code(self) -> str:
        code = normalize(self.cleaned_data["code"])
        if not code:
            raise forms.ValidationError(
                _(
                    "A join code has eight letters and digits, such as ABCD-2345, and never contains 0, O, 1 "
                    "or I. Check for typos."
                ),
                code="join_code",
            )
        return code


class CourseFilterForm(FilterForm[CourseFilter]):
    """The form that filters the list of classes."""

    filter_type = CourseFilter

    text = forms.CharField(label=_("Name or teacher"), max_length=150, required=False)


class MemberFilterForm(FilterForm[MemberFilter]):
    """The form that filters the list of members."""

    filter_type = MemberFilter

    text = forms.CharField(label=_("Username"), max_length=150, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=[("", _("Everyone")), *CourseRole.choices], required=False)
