"""Forms for creating a room, searching for one, and choosing its bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.queries.lobby import RoomFilter
from arena.games.golden_point.rooms.rules import (
    DEFAULT_ROUND_SECONDS,
    MAX_PLAYERS,
    MAX_ROOM_ROUNDS,
    MAX_ROUND_SECONDS,
    MIN_ROUND_SECONDS,
    NAME_LENGTH,
    ROOM_NAME_LENGTH,
    TOKEN_LENGTH,
    RoomState,
    RoomTerms,
)
from arena.games.golden_point.rooms.texts import BUILT_IN_PLAYER_TEXTS, STATE_NAMES
from arena.games.golden_point.site import SITE
from arena.platform.page_addresses import FilterForm
from arena.submissions.names import clean_name

_STATES = (RoomState.RUNNING, RoomState.PAUSED, RoomState.WAITING, RoomState.FINISHED)
STATES = [(state.value, STATE_NAMES[state]) for state in _STATES]
NUMBERS = sorted(SITE.settings["numbers"].choices.items())

Choices = Sequence[tuple[int, str]]


class RoomFilterForm(FilterForm[RoomFilter]):
    """The form that filters the lobby."""

    filter_type = RoomFilter

    text = forms.CharField(label=_("Name, number or person"), max_length=150, required=False)
    state = forms.ChoiceField(label=_("State"), choices=[("", _("Running or about to start")), *STATES], required=False)
    numbers = forms.TypedChoiceField(
        label=_("Numbers per round"), choices=[("", _("One or two")), *NUMBERS], coerce=int, required=False
    )
    mine = forms.BooleanField(label=_("Only my rooms"), required=False)

    def __init__(self, *args: Any, signed_in: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not signed_in:
            del self.fields["mine"]


class RoomNameForm(forms.Form):
    """The form for renaming a room."""

    name = forms.CharField(
        label=_("Name"),
        max_length=ROOM_NAME_LENGTH,
        required=False,
        help_text=_("The name that players see. Leave empty to use the room number."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        return clean_name(name, ROOM_NAME_LENGTH) if name else ""


class LengthForm(forms.Form):
    """The form for the round length, which changes from the next round on."""

    seconds = forms.IntegerField(
        label=_("Seconds per round"),
        min_value=MIN_ROUND_SECONDS,
        max_value=MAX_ROUND_SECONDS,
        help_text=format_lazy(
            _("From {least} to {most} s. The change takes effect in the next round."),
            least=MIN_ROUND_SECONDS,
            most=MAX_ROUND_SECONDS,
        ),
    )


class PlayerNameForm(forms.Form):
    """The form for a player's name in a room."""

    name = forms.CharField(label=_("Nickname"), max_length=NAME_LENGTH)


class RoomForm(RoomNameForm):
    """The form for creating a room; ``plan`` returns its settings. ``mine``, ``house``: the bots that can be seated."""

    numbers = forms.TypedChoiceField(
        label=_("Numbers per round"), choices=NUMBERS, coerce=int, initial=1, widget=forms.RadioSelect
    )
    seconds = forms.IntegerField(
        label=_("Seconds per round"),
        min_value=MIN_ROUND_SECONDS,
        max_value=MAX_ROUND_SECONDS,
        initial=DEFAULT_ROUND_SECONDS,
        help_text=format_lazy(_("From {least} to {most} s."), least=MIN_ROUND_SECONDS, most=MAX_ROUND_SECONDS),
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=0,
        max_value=MAX_ROOM_ROUNDS,
        initial=0,
        help_text=_(
            "Rounds in which nobody submits a number do not count. Enter 0 to keep the room open until you close it or "
            "everyone has left."
        ),
    )
    most_players = forms.IntegerField(
        label=_("Seats"),
        min_value=0,
        max_value=MAX_PLAYERS,
        initial=0,
        help_text=_(
            "A round ends as soon as every player has submitted. "
            "Enter 0 for an unlimited number of seats; each round then lasts its full time."
        ),
    )
    started_by_hand = forms.TypedChoiceField(
        label=_("Start"),
        choices=[(0, _("Immediately")), (1, _("When I press “Start”"))],
        coerce=lambda value: value == "1",
        initial=0,
        widget=forms.RadioSelect,
    )
    token = forms.CharField(
        label=_("Token"),
        max_length=TOKEN_LENGTH,
        required=False,
        help_text=_("A secret that programs use to authenticate their numbers. Leave empty to let anyone play."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    built_in_players = forms.MultipleChoiceField(
        label=_("Built-in players"),
        choices=list(BUILT_IN_PLAYER_TEXTS.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Built-in players submit immediately in every round and need no worker."),
    )
    mine = forms.TypedMultipleChoiceField(
        label=_("Your bots"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    house = forms.TypedMultipleChoiceField(
        label=_("House bots"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("These bots run on a worker, like student bots."),
    )

    def __init__(self, *args: Any, mine: Choices, house: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("mine", mine), ("house", house)):
            if choices:
                self.fields[name].choices = choices  # type: ignore[attr-defined]
            else:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        places = data.get("most_players") or 0
        wanted = sum(len(data.get(name, ())) for name in ("built_in_players", "mine", "house"))
        if places and wanted > places:
            text = ngettext(
                "The room has %(places)s seat, but you chose %(wanted)s bots. Choose fewer, or add seats.",
                "The room has %(places)s seats, but you chose %(wanted)s bots. Choose fewer, or add seats.",
                places,
            )
            self.add_error(
                "most_players",
                forms.ValidationError(text % {"places": places, "wanted": wanted}, code="too_few_places"),
            )
        return data

    def plan(self) -> RoomPlan:
        """Return the plan of the room; requires a valid form."""
        data = self.cleaned_data
        return RoomPlan(
            terms=RoomTerms(data["numbers"], data["seconds"], data["most_players"], data["rounds"]),
            name=data["name"],
            token=data["token"],
            started_by_hand=data["started_by_hand"],
            built_in_players=tuple(data["built_in_players"]),
            bots=(*data.get("mine", ()), *data.get("house", ())),
        )


class AddressesForm(forms.Form):
    """The form for binding programs' ids to network addresses."""

    binds = forms.BooleanField(
        label=_("Refuse an ID from another network address while the ID is in use"),
        required=False,
        help_text=_(
            "Program IDs in a room's lists are visible to everyone. With this option, an ID can be used from "
            "another address only after it has been idle for ten minutes. Turn the option off if your players change "
            "networks while they play."
        ),
    )


class SeatForm(forms.Form):
    """The form for seating one bot in the room."""

    bot = forms.TypedChoiceField(
        label=_("Bot"), coerce=int, error_messages={"invalid_choice": _("Choose a bot from the list.")}
    )

    def __init__(self, *args: Any, mine: Choices, house: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = [(_("Your bots"), list(mine)), (_("House bots"), list(house))]
        self.fields["bot"].choices = [group for group in groups if group[1]]  # type: ignore[attr-defined]


class BuiltInPlayersForm(forms.Form):
    """The form for adding built-in players to the room."""

    built_in_players = forms.MultipleChoiceField(
        label=_("Built-in players"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one built-in player.")},
    )

    def __init__(self, *args: Any, absent: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(name, BUILT_IN_PLAYER_TEXTS[name]) for name in absent]
        self.fields["built_in_players"].choices = choices  # type: ignore[attr-defined]
