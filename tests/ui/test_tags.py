"""The template tags that all pages use."""

import re
from datetime import UTC, datetime

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils.translation import override

from arena.ui.templatetags import ui


class SampleForm(forms.Form):
    name = forms.CharField(help_text="Up to 40 characters.")
    note = forms.CharField(required=False)
    side = forms.ChoiceField(choices=[("X", "Black"), ("O", "White")], widget=forms.RadioSelect)
    agree = forms.BooleanField(required=False)


def render(source: str, **values: object) -> str:
    return Template("{% load ui %}" + source).render(Context(values))


def test_docstring_keeps_paragraphs_and_marks_code() -> None:
    html = render("{{ text|docstring }}", text="``a``: one\nline, a < b.\n\nMore.")
    assert html == "<p><code>a</code>: one line, a &lt; b.</p><p>More.</p>"


def test_field_references_its_label_help_and_errors() -> None:
    html = render("{% form_field form.name %}", form=SampleForm({"name": ""}))
    assert '<label class="field__label" for="id_name">' in html
    assert 'aria-describedby="id_name-help id_name-errors"' in html
    assert 'aria-invalid="true"' in html
    assert 'id="id_name-errors"' in html


def test_only_optional_fields_are_marked() -> None:
    form = SampleForm()
    assert "optional" in render("{% form_field form.note %}", form=form)
    assert "optional" not in render("{% form_field form.name %}", form=form)


def test_choice_groups_are_fieldsets_and_single_checkboxes_are_not() -> None:
    form = SampleForm()
    assert "<fieldset" in render("{% form_field form.side %}", form=form)
    assert "<fieldset" not in render("{% form_field form.agree %}", form=form)


def test_page_links_keep_the_query() -> None:
    request = RequestFactory().get("/matches/?game=reversi&page=2&person=a%26b")
    page = Paginator(range(100), 10).get_page(2)
    html = render("{% page_links page %}", request=request, page=page)
    assert 'href="?game=reversi&amp;person=a%26b&amp;page=3"' in html
    assert "page=2&amp;page" not in html
    assert re.search(r'aria-current="page">2<', html)


def test_single_page_has_no_page_links() -> None:
    request = RequestFactory().get("/")
    assert not render("{% page_links page %}", request=request, page=Paginator([1], 10).get_page(1)).strip()


def test_markup_in_names_is_escaped() -> None:
    evil = "<script>alert(1)</script>"
    for source in ("{% status_badge 'passed' evil %}", "{% empty_state evil evil '/' evil %}", "{% avatar evil %}"):
        assert "<script" not in render(source, evil=evil)


def test_avatar_of_a_name_is_the_same_in_every_process_and_version() -> None:
    shown = [
        "".join(".#"[(column, row) in ui.avatar_pattern("Corner hunter")] for column in range(5)) for row in range(5)
    ]
    assert shown == ["##.##", "#.#.#", "#...#", "..#..", "..#.."]
    assert 'class="avatar hue-10"' in ui.avatar("Corner hunter")
    assert ui.avatar_pattern("corner hunter") != ui.avatar_pattern("Corner hunter")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.00083, "830 µs"),
        (0.0123, "12 ms"),
        (3.44, "3.4 s"),
        (10, "10 s"),
        (60, "1 min"),
        (125.2, "2 min 5 s"),
        (3599.7, "1 h"),
        (7229, "2 h"),
        (16747, "4 h 39 min"),
    ],
)
def test_durations_are_formatted_compactly(seconds: float, shown: str) -> None:
    assert ui.duration(seconds) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(5, "+5"), (-2, "−2"), (1.5, "+1.5"), (-0.04, "0"), (-12.34, "−12.3"), (0.0, "0")]
)
def test_changes_are_formatted_with_a_sign(value: float, shown: str) -> None:
    assert ui.change(value) == shown


@pytest.mark.parametrize(("language", "shown"), [("en", "a. b"), ("zh-hans", "a。b")])
def test_chinese_sentences_are_joined_without_spaces(language: str, shown: str) -> None:
    with override(language):
        assert render("{{ first }}{% gap %}b", first="a。" if language == "zh-hans" else "a.") == shown


def test_times_have_machine_readable_timestamps() -> None:
    html = ui.when(datetime(2026, 3, 1, 12, 0, tzinfo=UTC), "local")
    assert 'datetime="2026-03-01T12:00:00+00:00" data-local' in html
    assert ui.when(None) == ""


def test_scrollable_box_is_focusable_and_labelled() -> None:
    assert render('{% scrollable labelled_by="scores" %}') == 'tabindex="0" role="group" aria-labelledby="scores"'
    assert render("{% scrollable name %}", name='"Ann"') == 'tabindex="0" role="group" aria-label="&quot;Ann&quot;"'
    with pytest.raises(TemplateSyntaxError, match="needs a label"):
        render("{% scrollable %}")
