"""Forms for uploading, naming and finding bots."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from arena.core.plain_text import one_line
from arena.core.sandbox.uploads.package import MAIN, MAX_ARCHIVE_BYTES, PackageError, read_package, too_large_error
from arena.games.sites import GAME_CHOICES
from arena.platform.page_addresses import FilterForm
from arena.submissions.models import NAME_LENGTH
from arena.submissions.names import clean_name
from arena.submissions.problems import explain_problem
from arena.submissions.queries import BotFilter
from arena.submissions.services import BotDraft, Upload

DESCRIPTION_LENGTH = 300


class UploadForm(forms.Form):
    """The form for a dropped file or the text in the editor. ``upload``: the parsed upload, set once the form is valid.

    A file takes precedence over the text, which is never empty because the editor starts with the template.
    """

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("A .py file, or a .zip with main.py and all other files that the bot needs."),
        widget=forms.FileInput(attrs={"accept": ".py,.zip", "data-max-bytes": MAX_ARCHIVE_BYTES}),
    )
    source = forms.CharField(
        label=_("Source"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "data-editor": "python",
                "rows": 24,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "wrap": "off",
            }
        ),
    )

    upload: Upload

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if file is None and "source" in self.errors:
            return cleaned
        try:
            self.upload = _from_file(file) if file is not None else _from_text(cleaned.get("source", ""))
        except PackageError as error:
            self.add_error(
                "file" if file is not None else "source", forms.ValidationError(explain_problem(error), code=error.code)
            )
        return cleaned


def _from_file(file: UploadedFile[Any]) -> Upload:
    name, size = file.name or MAIN, file.size or 0
    if size > MAX_ARCHIVE_BYTES:  # the file is not even read
        raise too_large_error(name[:80], size, MAX_ARCHIVE_BYTES)
    return Upload(read_package(file.read(), name), name, size)


def _from_text(source: str) -> Upload:
    """Return the text as an upload; line endings are normalized because browsers send CR LF."""
    data = source.replace("\r\n", "\n").encode()
    return Upload(read_package(data, MAIN), MAIN, len(data))


class NamingForm(forms.Form):
    """The form for naming a bot when it is created or renamed."""

    name = forms.CharField(
        label=_("Name"),
        help_text=_("Shown in matches, on leaderboards and in standings."),
        widget=forms.TextInput(attrs={"maxlength": NAME_LENGTH, "autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=DESCRIPTION_LENGTH,
        help_text=_("Describe in one sentence how the bot plays."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    plays_people = forms.BooleanField(
        label=_("Let people play against this bot"),
        required=False,
        initial=True,
        help_text=_("People play against the bot in the browser. These matches are unrated."),
    )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    def clean_description(self) -> str:
        return one_line(self.cleaned_data["description"])


class NewBotForm(UploadForm, NamingForm):
    """The form for creating a bot with its first submission."""

    game = forms.ChoiceField(
        label=_("Game"), choices=GAME_CHOICES, widget=forms.RadioSelect(attrs={"data-starter-game": ""})
    )
    field_order = ["game", "name", "description", "plays_people", "file", "source"]

    def draft(self) -> BotDraft:
        data = self.cleaned_data
        return BotDraft(data["game"], data["name"], data["description"], plays_people=data["plays_people"])


class BotFilterForm(FilterForm[BotFilter]):
    """The form that filters the list of bots."""

    filter_type = BotFilter

    game = forms.ChoiceField(label=_("Game"), choices=[("", _("All games")), *GAME_CHOICES], required=False)
    text = forms.CharField(label=_("Name or description"), max_length=100, required=False)
    owner = forms.CharField(label=_("Author"), max_length=150, required=False)
