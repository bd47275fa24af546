"""The form for starting a match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from arena.games.site import HumanPlay
from arena.games.sites import SITES
from arena.play.opponents import Opponent, Opponents, has_levels
from arena.play.requests import DuelRequest

OTHER: Final = "other"
ANY: Final = "any"


class DuelForm(forms.Form):
    """The form for requesting a match: seats, bots and clock. Fields that offer no choice are omitted.

    ``level`` is a house level or ``OTHER``; ``bot`` is chosen from a list. Games without levels offer only the list.
    ``bot_3`` and so on are the additional opponents in larger matches, by default the same as the first.
    """

    players = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    level = forms.ChoiceField(label=_("Opponent"), widget=forms.RadioSelect)
    bot = forms.ChoiceField(label=_("Another bot"), required=False)
    seat = forms.ChoiceField(label=_("You play"), required=False, widget=forms.RadioSelect)
    clock = forms.TypedChoiceField(label=_("Your time for the whole match"), coerce=int, widget=forms.RadioSelect)

    def __init__(self, *args: Any, game: str, people: HumanPlay, choices: Opponents, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._game, self._people = game, people
        self._most = max(people.player_counts)
        self._set_choices("clock", [(seconds, _clock_label(seconds)) for seconds in people.clocks], people.clock)
        counts = people.player_counts
        self._set_choices("players", [(count, _players_label(count)) for count in counts], counts[0])
        self._set_choices("seat", self._seat_choices(), "0")
        self._set_bot_choices(choices)
        if len(counts) == 1:
            del self.fields["players"]
        if self._most == 1:
            for name in ("level", "bot", "seat"):
                self.fields.pop(name, None)

    @property
    def further_opponents(self) -> list[forms.BoundField]:
        """Return the fields for the additional opponents in larger matches."""
        return [self[name] for name in self.fields if name.startswith("bot_")]

    def _set_choices(self, name: str, choices: Sequence[Any], initial: object = None) -> None:
        field: Any = self.fields[name]
        field.choices, field.initial = choices, initial

    def _seat_choices(self) -> list[tuple[str, Any]]:
        names = self._people.seats or SITES[self._game].seats
        numbered = [gettext("Seat %(n)s") % {"n": index + 1} for index in range(self._most)]
        seats = [(str(index), name) for index, name in enumerate([*names, *numbered[len(names) :]][: self._most])]
        return [*seats, (ANY, _("Random"))]

    def _set_bot_choices(self, choices: Opponents) -> None:
        levels = [(str(one.id), one.name) for one in choices.levels]
        grouped = [(_("House bots"), _bot_choices(choices.house)), (_("Student bots"), _bot_choices(choices.students))]
        groups: list[Any] = [(label, bots) for label, bots in grouped if bots]
        self._set_choices("bot", [("", "–"), *groups])
        self._set_choices("level", [*levels, (OTHER, _("Another bot"))] if groups else levels)
        self.fields["level"].required = min(self._people.player_counts) > 1
        if not levels and not has_levels(self._game):
            del self.fields["level"]
            self.fields["bot"].label = _("Opponent")
            self.fields["bot"].is_conditional = True  # type: ignore[attr-defined]
        for seats in range(3, self._most + 1):
            label = gettext("Opponent %(n)s") % {"n": seats - 1}
            field = forms.ChoiceField(label=label, required=False)
            field.choices = [("", _("First seat")), *([(_("Levels"), levels)] if levels else []), *groups]
            self.fields[f"bot_{seats}"] = field

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self._seat_count(cleaned) > 1 and not self.errors and not self._first_opponent(cleaned):
            field = "bot" if cleaned.get("level", OTHER) == OTHER else "level"
            self.add_error(
                field, forms.ValidationError(_("Choose the bot that you want to play against."), code="required")
            )
        return cleaned

    def _first_opponent(self, cleaned: dict[str, Any]) -> str:
        """Return the id of the first opponent; "" if none was chosen."""
        level: str = cleaned.get("level", OTHER)
        return cleaned["bot"] if level == OTHER else level

    def _seat_count(self, cleaned: dict[str, Any]) -> int:
        return int(cleaned.get("players") or self._people.player_counts[0])

    def duel_request(self, rng: random.Random) -> DuelRequest:
        """Return the requested match; ``rng`` draws the seat if none was chosen."""
        data = self.cleaned_data
        seats = self._seat_count(data)
        bots: tuple[int, ...] = ()
        if seats > 1:
            first = self._first_opponent(data)
            bots = tuple(int(bot) for bot in (first, *(data.get(f"bot_{n}") or first for n in range(3, seats + 1))))
        seat = data.get("seat") or "0"
        is_free = seat.isdigit() and int(seat) < seats
        return DuelRequest(self._game, bots, int(seat) if is_free else rng.randrange(seats), data["clock"])


def _bot_choices(bots: tuple[Opponent, ...]) -> list[tuple[str, str]]:
    return [(str(bot.id), bot.name if bot.is_house else f"{bot.name} · {bot.owner}") for bot in bots]


def _clock_label(seconds: int) -> str:
    return ngettext("%(n)s minute", "%(n)s minutes", seconds // 60) % {"n": seconds // 60}


def _players_label(count: int) -> str:
    if count == 1:
        return gettext("You alone")
    return ngettext("You and %(n)s bot", "You and %(n)s bots", count - 1) % {"n": count - 1}
