"""Form fields of a game's settings: bounds from the rules' schema, labels from the game's site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from arena.games.base import IntegerSetting, Json, Setting, SettingsError
from arena.games.localized_messages import translate_message
from arena.games.registry import GAMES
from arena.games.site import SettingText
from arena.games.sites import SITES


def setting_field(game: str, name: str, initial: Json = None) -> forms.Field:
    """Return the form field for one setting. ``initial``: replaces the schema's default."""
    (setting,) = (each for each in GAMES[game].schema if each.name == name)
    text = SITES[game].settings.get(name, SettingText(name))
    return _field(setting, text, setting.default if initial is None else initial)


def _field(setting: Setting, text: SettingText, initial: Json) -> forms.Field:
    common: dict[str, Any] = {"label": text.label, "help_text": text.help, "initial": initial}
    if not isinstance(setting, IntegerSetting):
        return forms.CharField(max_length=setting.max_length, required=False, **common)
    if setting.choices:
        choices = [(value, text.choices.get(value, value)) for value in setting.choices]
        return forms.TypedChoiceField(choices=choices, coerce=int, **common)
    return forms.IntegerField(min_value=setting.minimum, max_value=setting.maximum, **common)


def is_offered(setting: Setting) -> bool:
    """Return whether forms offer the setting."""
    return isinstance(setting, IntegerSetting) or setting.offered


def displayed_settings(game: str, settings: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return the label and value of each setting that people can choose, in the reader's language."""
    texts = SITES[game].settings
    rows = []
    for setting in GAMES[game].schema:
        value = settings.get(setting.name, setting.default)
        if is_offered(setting) and value != "":
            text = texts.get(setting.name, SettingText(setting.name))
            rows.append((str(text.label), str(text.choices.get(value, value))))
    return rows


class GameSettingsForm(forms.Form):
    """A form with those settings of a game that people may choose; it may have no fields."""

    def __init__(
        self,
        data: Any = None,
        *,
        game: str,
        initial: Mapping[str, Json] | None = None,
        prefix: str = "game",
    ) -> None:
        super().__init__(data, prefix=prefix)
        self.game = game
        chosen = initial or {}
        for setting in GAMES[game].schema:
            if is_offered(setting):
                self.fields[setting.name] = setting_field(game, setting.name, chosen.get(setting.name))

    def clean(self) -> dict[str, Any]:
        """Let the game's rules validate the combination of values."""
        data: dict[str, Any] = super().clean() or {}
        if not self.errors:
            try:
                GAMES[self.game].settings(data)
            except SettingsError as error:
                self.add_error(
                    error.field if error.field in self.fields else None,
                    forms.ValidationError(translate_message(error.message), code=error.message.code),
                )
        return data

    def settings(self) -> dict[str, Json]:
        """Return every setting of the game; requires a valid form."""
        rules = GAMES[self.game]
        return rules.settings_json(rules.settings(self.cleaned_data))
