"""The format section of the tournament form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.core.ranking.pairing.groups import Finals
from arena.core.ranking.tiebreaks import Tiebreak
from arena.games.openings import has_openings
from arena.games.registry import GAMES
from arena.tournaments.formats.availability import formats_of, unavailable_formats
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.models import Format, Openings, Seeding
from arena.ui.localized import sentence_space

_F = Format
_TWO_SEATS: Final = tuple(format_ for format_ in Format if format_ not in (_F.TABLE, _F.SCORE_ATTACK))
_DEFAULT_RANDOM_SEEDS: Final = 10
TIEBREAK_FIELDS: Final = ("tiebreak_1", "tiebreak_2", "tiebreak_3", "tiebreak_4")
# Format-specific fields; the page hides them for other formats.
OF_FORMATS: Final[Mapping[str, tuple[Format, ...]]] = {
    "repeats": (_F.ROUND_ROBIN, _F.DOUBLE_ROUND_ROBIN, _F.GAUNTLET, _F.TABLE),
    "seats": (_F.TABLE,),
    "random_seeds": (_F.SCORE_ATTACK,),
    "bots_per_match": (_F.SCORE_ATTACK,),
    "group_size": (_F.GROUPS,),
    "advance": (_F.GROUPS,),
    "finals": (_F.GROUPS,),
    "rounds": (_F.SWISS,),
    "third_place": (_F.KNOCKOUT,),
    "gauntlet_bots": (_F.GAUNTLET,),
    "matches_per_encounter": _TWO_SEATS,
    "openings": _TWO_SEATS,
}
# The keys of ``Tournament.options`` for each format.
_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    _F.GROUPS: ("group_size", "advance", "finals"),
    _F.SWISS: ("rounds",),
    _F.KNOCKOUT: ("third_place",),
    _F.GAUNTLET: ("gauntlet_bots",),
    _F.TABLE: ("seats",),
    _F.SCORE_ATTACK: ("bots_per_match",),
}


class FormatForm(forms.Form):
    """The form for the format and its details, the seeding and the tiebreaks; ``columns`` returns the settings."""

    format = forms.ChoiceField(
        label=_("Format"),
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": _("This game does not support that format. Choose one of the formats shown.")
        },
    )
    repeats = forms.IntegerField(
        label=_("Repetitions"),
        min_value=1,
        max_value=100,
        initial=1,
        help_text=_("How many times the whole round robin or gauntlet is played. For tables, the number of rounds."),
    )
    seats = forms.IntegerField(
        label=_("Seats per table"),
        min_value=0,
        max_value=500,
        initial=0,
        required=False,
        help_text=_("Enter 0 to seat all bots at one table. Otherwise, all pairs of bots meet about equally often."),
    )
    random_seeds = forms.IntegerField(
        label=_("Number of random seeds"),
        min_value=1,
        max_value=100,
        initial=_DEFAULT_RANDOM_SEEDS,
        required=False,
        help_text=_("Matches per bot. All bots play with the same random seeds."),
    )
    bots_per_match = forms.IntegerField(
        label=_("Bots per match"),
        min_value=1,
        max_value=500,
        initial=1,
        required=False,
        help_text=_(
            "Enter 1 to let each bot play alone. "
            "With 2 or more, bots play side by side in one match without affecting each other."
        ),
    )
    group_size = forms.IntegerField(
        label=_("Bots per group"),
        min_value=2,
        max_value=50,
        initial=4,
        required=False,
        help_text=_("The maximum size of a group."),
    )
    advance = forms.IntegerField(
        label=_("Bots advancing per group"), min_value=1, max_value=25, initial=2, required=False
    )
    finals = forms.ChoiceField(
        label=_("Finals"),
        required=False,
        initial=Finals.KNOCKOUT,
        choices=[(Finals.KNOCKOUT, _("Knockout")), (Finals.ROUND_ROBIN, _("Round robin"))],
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=0,
        max_value=50,
        initial=0,
        required=False,
        help_text=_(
            "Enter 0 to play two more rounds than a knockout would need. "
            "The maximum is half the number of bots, rounded up."
        ),
    )
    third_place = forms.BooleanField(label=_("Third-place play-off"), initial=True, required=False)
    gauntlet_bots = forms.IntegerField(
        label=_("Gauntlet bots"),
        min_value=0,
        max_value=50,
        initial=0,
        required=False,
        help_text=_("Number of top seeds that play every other bot. Enter 0 to use the house bots instead."),
    )
    matches_per_encounter = forms.IntegerField(
        label=_("Matches per encounter"),
        min_value=1,
        max_value=10,
        required=False,
        help_text=_("Seats alternate. The default is one match."),
    )
    openings = forms.ChoiceField(
        label=_("Openings"), choices=Openings.choices, initial=Openings.BALANCED, required=False
    )
    seeding = forms.ChoiceField(
        label=_("Seeds"),
        choices=Seeding.choices,
        initial=Seeding.RANDOM,
        required=False,
        help_text=_("Determines groups, brackets and the pairings of the first round."),
    )
    tiebreak_1 = forms.ChoiceField(label=_("First tiebreak"), required=False)
    tiebreak_2 = forms.ChoiceField(label=_("Second tiebreak"), required=False)
    tiebreak_3 = forms.ChoiceField(label=_("Third tiebreak"), required=False)
    tiebreak_4 = forms.ChoiceField(label=_("Fourth tiebreak"), required=False)

    def __init__(self, data: Any = None, *, game: str, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.game = game
        rules = GAMES[game]
        self.fields["format"].help_text = sentence_space().join(unavailable_formats(game))
        self.fields["format"].choices = [(each.value, each.label) for each in formats_of(game)]  # type: ignore[attr-defined]
        if rules.max_seats < 3:
            del self.fields["seats"]
        if not rules.independent_seats or rules.max_seats == 1:
            del self.fields["bots_per_match"]
        if has_openings(game):
            self.fields["matches_per_encounter"].help_text = _(
                "Seats alternate. The default is two matches, or one in a double round robin."
            )
        else:
            del self.fields["openings"]
        labels = [(code.value, text.label) for code, text in TEXTS.items()]
        for place, name in enumerate(TIEBREAK_FIELDS):
            nothing = _("Default for the format") if place == 0 else _("–")
            self.fields[name].choices = [("", nothing), *labels]  # type: ignore[attr-defined]

    def details(self) -> Iterator[tuple[str, forms.BoundField]]:
        """Yield the format-specific fields."""
        for name, formats in OF_FORMATS.items():
            if name in self.fields:
                yield " ".join(formats), self[name]

    @property
    def ranked_formats(self) -> str:
        """Return, separated by spaces, the formats that use seeding and tiebreaks.

        For other formats, the page hides the fields for seeding and tiebreaks.
        """
        return " ".join(format_ for format_ in Format if format_ != Format.SCORE_ATTACK)

    def tiebreaks(self) -> list[forms.BoundField]:
        return [self[name] for name in TIEBREAK_FIELDS]

    def clean_seats(self) -> int:
        seats: int = self.cleaned_data["seats"] or 0
        if 0 < seats < 3:
            raise forms.ValidationError(
                _("A table needs at least three seats. For matches between two bots, choose a round robin."),
                code="too_few_seats",
            )
        return seats

    def clean_bots_per_match(self) -> int:
        bots_per_match: int = self.cleaned_data["bots_per_match"] or 1
        most = GAMES[self.game].max_seats
        if bots_per_match > most:
            raise forms.ValidationError(
                _("A match of this game has at most %(n)s seats. Enter a smaller number.") % {"n": most},
                code="too_many_seats",
            )
        return bots_per_match

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        size, advance = data.get("group_size"), data.get("advance")
        if data.get("format") == Format.GROUPS and size and advance and advance >= size:
            self.add_error(
                "advance",
                forms.ValidationError(
                    _(
                        "The number of bots that advance must be smaller than the group size. Lower this number or "
                        "make the groups larger."
                    ),
                    code="too_many_advance",
                ),
            )
        return data

    def columns(self) -> dict[str, Any]:
        """Return the tournament's columns that this form sets; the form must be valid."""
        data = self.cleaned_data
        scored = data["format"] == Format.SCORE_ATTACK
        chosen = [] if scored else [data[name] for name in TIEBREAK_FIELDS if data[name]]
        options = {name: data[name] for name in _OPTIONS.get(data["format"], ()) if data.get(name) not in (None, "")}
        return {
            "format": data["format"],
            "repeats": (data["random_seeds"] or _DEFAULT_RANDOM_SEEDS) if scored else data["repeats"],
            "options": options,
            "matches_per_encounter": self._matches_per_encounter(data),
            "openings": (data.get("openings") or Openings.BALANCED) if "openings" in self.fields else Openings.START,
            "seeding": data["seeding"] or Seeding.RANDOM,
            "tiebreaks": [Tiebreak(code).value for code in dict.fromkeys(chosen)],
        }

    def _matches_per_encounter(self, data: Mapping[str, Any]) -> int:
        if data["format"] not in _TWO_SEATS:
            return 1
        usual = 2 if has_openings(self.game) and data["format"] != Format.DOUBLE_ROUND_ROBIN else 1
        return data["matches_per_encounter"] or usual


def initial_format_values(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for a tournament's columns: the inverse of ``FormatForm.columns``."""
    tiebreaks = dict(zip(TIEBREAK_FIELDS, columns["tiebreaks"], strict=False))
    plain = {name: columns[name] for name in ("format", "repeats", "matches_per_encounter", "openings", "seeding")}
    if columns["format"] == Format.SCORE_ATTACK:
        plain["random_seeds"] = plain.pop("repeats")
    return {**plain, **columns["options"], **tiebreaks}
