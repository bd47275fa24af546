"""Tests fail if a template looks up a missing attribute of one of the arena's objects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils.functional import SimpleLazyObject

from arena.accounts.models import User
from arena.games.golden_point.recordings.forms import RecordingForm
from arena.games.golden_point.recordings.queries import RecordingRow

ROW = RecordingRow("code", "Week 3", "", "Ann", 1, True, 2, 3, 4, datetime(2026, 3, 4, tzinfo=UTC))


def render(template: str, value: object) -> str:
    return Template(template).render(Context({"value": value}))


@pytest.mark.parametrize(
    "template",
    [
        "{{ value.name }}",
        "{{ value.name.upper }}",
        "{% if value.name %}{% endif %}",
        "{% if value.title and not value.name %}{% endif %}",
        "{% for each in value.name %}{% endfor %}",
        "{% with value.name as name %}{% endwith %}",
        "{{ value.title|default:value.name }}",
    ],
)
@pytest.mark.parametrize(
    "value",
    [ROW, SimpleLazyObject(lambda: User(username="Ann")), RecordingForm()],
    ids=["dataclass", "lazy model", "form"],
)
def test_renamed_property_fails_the_test(template: str, value: object) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"has no (name|title)"):
        render(template, value)


@pytest.mark.parametrize(
    "template",
    ["{{ value.title }}", "{{ value.title.name }}", "{{ other.name }}", "{% if value.owner.url %}{% endif %}"],
)
def test_other_lookups_may_fail(template: str) -> None:
    render(template, ROW)


def test_forms_may_leave_out_fields_of_their_class() -> None:
    form = RecordingForm()
    del form.fields["numbers"]
    assert render("{% if value.numbers %}numbers{% endif %}", form) == ""
