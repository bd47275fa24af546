"""The tournament wizard in short steps: kind, participants and schedule, format and limits, review."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.classes.queries import course_detail as class_detail
from arena.core.duration_estimate import MIN_SAMPLE
from arena.games.forms import displayed_settings
from arena.games.registry import GAMES
from arena.platform.refusal import Refused
from arena.tournaments.access import organized_tournament
from arena.tournaments.durations.samples import ASSUMED_SECONDS, best_sample
from arena.tournaments.entries.registration import find_people
from arena.tournaments.formats.presets import offered_presets, preset_of
from arena.tournaments.formats.rule_texts import rules_of
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.forms.tournament import TournamentForm
from arena.tournaments.forms.wizard import (
    WizardStep,
    apply_preset,
    bound_fields,
    chosen_label,
    entry_label,
    expected_bots,
    first_step_with_errors,
    hidden_fields,
    initial_of_clone,
    initial_of_preset,
    starts_now,
    step_of,
    submitted_values,
)
from arena.tournaments.queries import entries, tournaments
from arena.tournaments.queries.forecast import forecasts, load_for_plan
from arena.tournaments.queries.retention_plan import retention_plan
from arena.tournaments.views.creation import course_initial, create_from_form, new_form, one_page_form
from arena.ui.error_summary import FieldError, error_summary, field_errors

OWN: Final = "own"  # URL segment of a wizard without a preset
CLONE: Final = "again"  # URL segment of a wizard that copies a tournament
_LISTED: Final = 6  # maximum number of tournaments offered for copying


@require_http_methods(["GET", "POST"])
@login_required
def tournament_new(request: SignedInRequest) -> HttpResponse:
    require(request.user, Action.CREATE_TOURNAMENT)
    if "from" in request.GET:
        return _clone(request)
    game = request.GET.get("game")
    if game is None and request.method == "GET":
        return _kinds(request)
    game = game or next(iter(GAMES))
    if game not in GAMES:
        raise Http404
    if "preset" in request.GET:
        return _Wizard(request, game, request.GET["preset"]).respond()
    return one_page_form(request, game)


def _kinds(request: SignedInRequest, form: TournamentForm | None = None) -> HttpResponse:
    """Show the first step; ``form``: the input from later steps, if any."""
    context = {
        "offers": offered_presets(),
        "games": list(GAMES),
        "old": tournaments.tournaments_organized_by(request.user, _LISTED),
        "course": request.GET.get("class", ""),
        "steps": _steps(WizardStep.KIND),
        "carried": list(bound_fields(form)) if form else [],
    }
    return render(request, "tournaments/wizard/kind.html", context)


def _steps(current: WizardStep) -> list[tuple[WizardStep, str, bool]]:
    """Return each step with its title, and whether it is the current step."""
    titles = {
        WizardStep.KIND: _("Kind"),
        WizardStep.WHEN: _("Participants and schedule"),
        WizardStep.FORMAT: _("Format and limits"),
        WizardStep.REVIEW: _("Review"),
    }
    return [(step, title, step == current) for step, title in titles.items()]


def _clone(request: SignedInRequest) -> HttpResponse:
    """Show the second step, prefilled from an earlier tournament by the same organizer."""
    text = request.GET["from"]
    if not (text.isascii() and text.isdecimal()):
        raise Http404
    detail = organized_tournament(request, int(text))
    initial = initial_of_clone(detail, timezone.now()) | {
        "house_bots": [line.bot_id for line in entries.entries(detail.card.id) if line.is_house],
        "invited": "\n".join(entries.invited_people(detail.card.id)),
    }
    return _Wizard(request, detail.card.game, CLONE).page(
        WizardStep.WHEN, new_form(request, detail.card.game, initial=initial)
    )


@dataclass(frozen=True, slots=True)
class _Wizard:
    """The wizard's steps after the first; ``preset``: the code of the preset, or OWN or CLONE."""

    request: SignedInRequest
    game: str
    preset: str

    def respond(self) -> HttpResponse:
        chosen = self._preset_values()
        if self.request.method != "POST":
            initial = chosen | course_initial(self.request.GET.get("class", ""))
            return self.page(WizardStep.WHEN, new_form(self.request, self.game, initial=initial))
        match self.request.POST.get("go"):
            case "preset":
                initial = apply_preset(self._submitted_values(), chosen)
                return self.page(WizardStep.WHEN, new_form(self.request, self.game, initial=initial))
            case WizardStep.KIND:
                return _kinds(self.request, self._form_without_errors())
            case WizardStep.WHEN:
                return self.page(WizardStep.WHEN, self._form_without_errors())
            case WizardStep.FORMAT:
                return self._format_page()
            case WizardStep.REVIEW:
                return self._review_page()
        return self._create()

    def _preset_values(self) -> dict[str, Any]:
        """Return the preset's values. Raises Http404."""
        if self.preset in (OWN, CLONE):
            return {}
        preset = preset_of(self.game, self.preset)
        if preset is None:
            raise Http404
        return initial_of_preset(preset, timezone.now())

    def _submitted_values(self) -> dict[str, Any]:
        return submitted_values(self.request.POST, new_form(self.request, self.game))

    def _form_without_errors(self) -> TournamentForm:
        """Return the form with the input so far, but without errors, because it may be incomplete."""
        return new_form(self.request, self.game, initial=self._submitted_values())

    def _submitted_form(self) -> TournamentForm:
        form = new_form(self.request, self.game, self.request.POST)
        _check_invited(form)
        return form

    def _format_page(self) -> HttpResponse:
        form = self._submitted_form()
        if first_step_with_errors(form) == WizardStep.WHEN:
            return self.page(WizardStep.WHEN, form)
        return self.page(WizardStep.FORMAT, self._form_without_errors())

    def _review_page(self) -> HttpResponse:
        form = self._submitted_form()
        wrong = first_step_with_errors(form)
        return self.page(wrong or WizardStep.REVIEW, form)

    def _create(self) -> HttpResponse:
        form = self._submitted_form()
        return create_from_form(self.request, form) or self.page(first_step_with_errors(form) or WizardStep.WHEN, form)

    def page(self, step: WizardStep, form: TournamentForm) -> HttpResponse:
        shown = [field for field in bound_fields(form) if step_of(form, field) == step]
        errors = _errors(form, shown) if form.is_bound and step != WizardStep.REVIEW else []
        context = {
            "form": form,
            "game": self.game,
            "preset": preset_of(self.game, self.preset),
            "action": f"?game={self.game}&preset={self.preset}",
            "is_own": self.preset == OWN,
            "step": step,
            "steps": _steps(step),
            "carried": hidden_fields(form, step),
            "errors": errors,
            **(_review_context(form, self.request.user.pk) if step == WizardStep.REVIEW else {}),
        }
        return render(self.request, f"tournaments/wizard/{step}.html", context, status=422 if errors else 200)


def _check_invited(form: TournamentForm) -> None:
    """Report unknown names in the step that asks for them, not only when the tournament is created."""
    form.full_clean()
    try:
        find_people(form.cleaned_data.get("invited", []))
    except Refused as refusal:
        form.add_error("invited", ValidationError(refusal.message, code=refusal.code))


def _errors(form: TournamentForm, shown: list[BoundField]) -> list[FieldError]:
    whole = [error for error in error_summary(form.parts) if not error.target]
    in_page_order = sorted(shown, key=lambda field: field.form is form)  # the format comes before the limits
    return [*whole, *(error for field in in_page_order for error in field_errors(field))]


def _review_context(form: TournamentForm, organizer: int) -> dict[str, Any]:
    """Return the last step's context for a valid form. ``organizer``: the id of the organizer."""
    plan, chosen = form.plan(), form.cleaned_data["house_bots"]
    columns = plan.columns()
    sample = best_sample(plan.game, bots=chosen if starts_now(form) else ())
    course = class_detail(plan.course_id) if plan.course_id is not None else None
    sizes = expected_bots(form, course.card.members if course else 0)
    now = timezone.now()
    load = load_for_plan(plan.game, starts_now=starts_now(form), now=now)
    labels = dict(form.fields["house_bots"].choices)  # type: ignore[attr-defined]
    lines = forecasts(columns, sizes, house_bots=len(chosen), sample=sample, load=load, organizer=organizer)
    return {
        "plan": plan,
        "format_label": chosen_label(form.format["format"]),
        "entry_label": entry_label(form),
        "course": course,
        "starts_now": starts_now(form),
        "weekly": form.cleaned_data["weekly"],
        "invited": form.cleaned_data["invited"],
        "house_names": [labels[pk] for pk in chosen],
        "settings_shown": displayed_settings(plan.game, plan.settings),
        "summary": summary_of(columns, plan.limits, plan.game),
        "rules": rules_of(columns, plan.limits, plan.game),
        "records": retention_plan(plan.record_retention, plan.record_days, None),
        "sample": sample,
        "min_sample": MIN_SAMPLE,
        "assumed_seconds": ASSUMED_SECONDS,
        "load": load,
        "forecasts": lines,
        "ends_at": now + timedelta(seconds=lines[0].seconds) if starts_now(form) else None,
    }
