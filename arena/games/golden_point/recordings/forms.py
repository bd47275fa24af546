"""Forms for uploading and searching recordings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.recorded_file import MAX_BYTES, FileError, decode, read
from arena.games.golden_point.recordings.models import CREDIT_LENGTH, TITLE_LENGTH
from arena.games.golden_point.recordings.queries import RecordingFilter
from arena.games.golden_point.recordings.services import RecordingDraft
from arena.platform.page_addresses import FilterForm


class RecordingForm(forms.Form):
    """The form for uploading a recording; ``draft`` contains the upload once the form is valid."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_("A text file of at most 2 MiB, in one of the formats below."),
        widget=forms.FileInput(attrs={"accept": ".tsv,.txt,.csv,text/plain,text/csv"}),
    )
    numbers = forms.TypedChoiceField(
        label=_("Numbers per player per round"),
        choices=[("", _("Detect from the file")), ("1", _("One")), ("2", _("Two"))],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Only needed for T<TAB>S files, which do not include this setting."),
    )
    title = forms.CharField(
        label=_("Title"), max_length=TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    credit = forms.CharField(
        label=pgettext_lazy("recording", "Source"),
        max_length=CREDIT_LENGTH,
        required=False,
        help_text=_("Where and when the match was played, and who recorded it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    listed = forms.BooleanField(
        label=_("List this recording publicly"),
        required=False,
        initial=True,
        help_text=_("Otherwise, only people with the link can see the recording."),
    )

    text: str
    match: GoldenMatch

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if file is not None:
            try:
                self.text = decode(_content(file))
                self.match = read(self.text, cleaned.get("numbers"))
            except FileError as error:
                self.add_error("file", forms.ValidationError(error_text(error), code=error.code))
        return cleaned

    def draft(self) -> RecordingDraft:
        data = self.cleaned_data
        return RecordingDraft(data["title"], data["credit"], data["listed"], self.text, self.match)


def _content(file: UploadedFile[Any]) -> bytes:
    """Read the content, but no more than is needed to detect that it is too large."""
    return bytes(file.read(MAX_BYTES + 1))


class RecordingFilterForm(FilterForm[RecordingFilter]):
    """The form that filters the list of recordings."""

    filter_type = RecordingFilter

    text = forms.CharField(label=_("Title or source"), max_length=100, required=False)
    owner = forms.CharField(label=_("Uploaded by"), max_length=150, required=False)


def error_text(error: FileError) -> str:
    """Return the parser's error in the reader's language, with its line number."""
    template = gettext(error.template)
    sentence = template % error.values if error.values else template
    return (
        gettext("Line %(line)s: %(sentence)s") % {"line": error.line, "sentence": sentence} if error.line else sentence
    )
