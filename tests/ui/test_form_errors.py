"""Django's form errors use the site's own wording, in both languages."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.utils import translation


class FormWithEveryField(forms.Form):
    name = forms.CharField(max_length=3)
    email = forms.EmailField()
    rounds = forms.IntegerField(min_value=1, max_value=9)
    seconds = forms.FloatField()
    start = forms.DateTimeField()
    game = forms.ChoiceField(choices=[("a", "A")])
    scopes = forms.MultipleChoiceField(choices=[("a", "A")])
    own = forms.CharField(error_messages={"required": "Name a class."})


WRONG: dict[str, tuple[object, str]] = {
    "name": ("abcd", "max_length"),
    "email": ("ada", "invalid"),
    "rounds": ("0", "min_value"),
    "seconds": ("x", "invalid"),
    "start": ("soon", "invalid"),
    "game": ("b", "invalid_choice"),
    "scopes": (["b"], "invalid_choice"),
}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_errors_keep_their_codes_and_are_translated(language: str) -> None:
    form = FormWithEveryField({field: value for field, (value, _) in WRONG.items()})
    with translation.override(language):
        errors = {field: found[0] for field, found in form.errors.as_data().items()}
        texts = [message for field in WRONG for message in form.errors[field]]
    assert {field: error.code for field, error in errors.items() if field in WRONG} == {
        field: code for field, (_, code) in WRONG.items()
    }
    assert form.errors["own"] == ["Name a class."]
    for text in texts:
        assert "%(" not in text
        assert "Ensure" not in text
        assert bool(re.search("[\u4e00-\u9fff]", text)) is (language == "zh-hans"), text
