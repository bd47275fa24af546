"""A form's error summary for the top of its page, with a link to each field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.forms import BaseForm, BoundField, CheckboxSelectMultiple, RadioSelect

from arena.ui.localized import sentence_space


@dataclass(frozen=True, slots=True)
class FieldError:
    """A field's error; ``target``: the id of the field's control, "" for a non-field error."""

    target: str
    label: str
    message: str


def error_summary(forms: Iterable[BaseForm]) -> list[FieldError]:
    """Return errors in the order of the forms and their fields; non-field errors first."""
    bound = [form for form in forms if form.is_bound]
    whole = [FieldError("", "", str(message)) for form in bound for message in form.non_field_errors()]
    return [*whole, *(error for form in bound for field in form for error in field_errors(field))]


def field_errors(field: BoundField) -> list[FieldError]:
    """Return one entry for an invalid field, even if it has several errors, so that each field is listed only once."""
    if not field.errors:
        return []
    return [FieldError(_control_id(field), str(field.label), sentence_space().join(map(str, field.errors)))]


def _control_id(field: BoundField) -> str:
    """Return the id of a field's control; for a group of choices, the id of the first choice, which ends in ``_0``."""
    grouped = isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)
    return f"{field.auto_id}_0" if grouped else field.id_for_label
