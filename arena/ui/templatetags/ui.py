"""Template tags for every template: navigation, fields, pages, badges, pictures, source, times.

Invariant: everything that a tag returns is escaped; no tag reads the database.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.core.paginator import Page
from django.forms import BaseForm, BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.template import Context, Engine
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from arena.core.number_format import format_number, format_shortest, format_size
from arena.ui import counts, page_parts
from arena.ui.code_texts import translated_code_text
from arena.ui.confirmation import QUESTION
from arena.ui.error_summary import FieldError, error_summary
from arena.ui.localized import sentence_space

register = template.Library()

HUES = 12


def hue(name: str) -> int:
    """Return the hue for a name, from 0 to 11; it is the same on every page."""
    return hashlib.sha256(name.encode()).digest()[0] % HUES


@register.simple_tag(takes_context=True, name="page_parts")
def render_page_parts(context: Context, region: str) -> SafeString:
    """Render the parts that apps have registered for a region; see ``arena.ui.page_parts``."""
    engine = context.template.engine if context.template else Engine.get_default()
    with context.push():
        drawn = [
            engine.get_template(name).render(context) for name in page_parts.templates(page_parts.PageRegion(region))
        ]
    return mark_safe("".join(drawn))  # noqa: S308 - escaped by the templates


@register.simple_tag(takes_context=True)
def nav_link(context: Context, url_name: str, label: str, *args: object) -> SafeString:
    """Render a main navigation link, marked as current on its own page and the pages below it."""
    url = reverse(url_name, args=args)
    return format_html('<a href="{}"{}>{}</a>', url, current_attribute(context, url), label)


@register.simple_tag(takes_context=True)
def current_attribute(context: Context, url: str) -> SafeString:
    """Return `` aria-current`` for a link to ``url``: "page" on that page, "true" on other pages of its section."""
    request = context.get("request")
    path = request.path if request else ""
    if path == url:
        return mark_safe(' aria-current="page"')
    section = "/" + url.strip("/").split("/")[0] + "/"
    return mark_safe(' aria-current="true"') if path.startswith(section) else mark_safe("")


@register.inclusion_tag("components/page_links.html", takes_context=True)
def page_links(context: Context, page: Page[Any], param: str = "page", anchor: str = "") -> dict[str, Any]:
    """Render links to the other pages of a list, keeping the rest of the query string.

    ``param`` and ``anchor``: the query parameter and the id of the list, for pages with several lists.
    """
    query = context["request"].GET.copy()
    query.pop(param, None)
    return {
        "page": page,
        "param": param,
        "anchor": f"#{anchor}" if anchor else "",
        "numbers": page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "gap": page.paginator.ELLIPSIS,
        "query": query.urlencode(),
    }


@register.filter
def capped_count(count: int) -> str:
    """Format a count from ``arena.ui.counts``."""
    return counts.format_count(count)


@register.inclusion_tag("components/form_field.html")
def form_field(field: BoundField, label: str = "") -> dict[str, Any]:
    """Render a field with its label, help and errors, which are associated with it for screen readers."""
    widget = field.field.widget
    grouped = isinstance(widget, RadioSelect | CheckboxSelectMultiple)
    attributes: dict[str, str | bool] = {}
    if not grouped:
        described = [f"{field.id_for_label}-help"] if field.help_text else []
        if field.errors:
            described.append(f"{field.id_for_label}-errors")
            attributes["aria-invalid"] = "true"
        if described:
            attributes["aria-describedby"] = " ".join(described)
    return {
        "field": field,
        "label": label or field.label,
        "control": field.as_widget(attrs=attributes),
        "grouped": grouped,
        "single_check": isinstance(widget, CheckboxInput),
    }


@register.inclusion_tag("components/error_summary.html")
def field_error_summary(form: BaseForm) -> dict[str, list[FieldError]]:
    """Render links to a form's invalid fields, which may be out of view; non-field errors are not included."""
    return {"errors": [error for error in error_summary([form]) if error.target]}


@register.simple_tag
def status_badge(state: object, label: object = "") -> SafeString:
    """Render a status as a badge, coloured by ``static/css/badges.css``; ``label`` is its translated name."""
    return format_html('<span class="badge" data-status="{}">{}</span>', state, label or state)


@register.inclusion_tag("components/empty_state.html")
def empty_state(title: str, text: str = "", url: str = "", label: str = "", why: str = "none") -> dict[str, str]:
    """Render a message for an empty list, with a next step.

    ``why``: "none", or "no_match" if a filter matches nothing.
    """
    return {"title": title, "text": text, "url": url, "label": label, "why": why}


def avatar_pattern(name: str) -> list[tuple[int, int]]:
    """Return the columns and rows of an avatar's dots.

    The pattern is 5 by 5, mirrored, and neither nearly empty nor nearly full.
    """
    digest = hashlib.sha256(name.encode()).digest()
    drawn = [int.from_bytes(digest[at : at + 2], "big") & 0x7FFF for at in range(1, 31)]
    bits = next((bits for bits in drawn if 6 <= bits.bit_count() <= 11), drawn[0])
    cells = [(column, row) for row in range(5) for column in range(5)]
    return [(column, row) for column, row in cells if bits >> (row * 3 + min(column, 4 - column)) & 1]


@register.simple_tag
def avatar(name: str, size: str = "") -> SafeString:
    """Draw a decorative avatar from a name: a mirrored pattern of dots in one of twelve hues.

    ``size``: "large", or "" for the normal size.
    """
    places = ((5 + 5.5 * column, 5 + 5.5 * row) for column, row in avatar_pattern(name))
    drawn = format_html_join("", '<circle cx="{}" cy="{}" r="2.6"/>', places)
    return format_html(
        '<svg class="avatar hue-{}{}" viewBox="0 0 32 32" aria-hidden="true"><g fill="currentColor">{}</g></svg>',
        hue(name),
        " avatar--large" if size == "large" else "",
        drawn,
    )


@register.simple_tag
def duration(seconds: float | None) -> str:
    """Format a duration: 830 µs, 12 ms, 3.4 s, 2 min 5 s, 4 h 39 min."""
    if seconds is None:
        return ""
    if 0 < seconds < 0.001:
        return _("%(n)s µs") % {"n": round(seconds * 1_000_000)}
    if 0 < seconds < 1:
        return _("%(n)s ms") % {"n": round(seconds * 1000)}
    if seconds < 60:
        return _("%(n)s s") % {"n": f"{seconds:.1f}".removesuffix(".0")}
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        hours, minutes = divmod(round(seconds / 60), 60)
        if not minutes:
            return _("%(n)s h") % {"n": hours}
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    if not rest:
        return _("%(n)s min") % {"n": minutes}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}


@register.simple_tag
def scrollable(label: object = "", *, labelled_by: str = "") -> SafeString:
    """Return the attributes for a scrollable box; ``labelled_by``: the id of its heading or caption, if it has one.

    A box must be focusable to be scrolled with the keyboard, and screen readers announce its name when it receives
    focus. Unlike a region, a group can have a name without adding a landmark.
    """
    if not label and not labelled_by:
        raise template.TemplateSyntaxError("A scrollable box needs a label or the id of one.")
    name, value = ("aria-labelledby", labelled_by) if labelled_by else ("aria-label", label)
    return format_html('tabindex="0" role="group" {}="{}"', name, value)


@register.simple_tag
def confirm(question: str, no: str = "") -> SafeString:
    """Add a confirmation question to a form; see ``arena.ui.confirmation``.

    ``no``: the label of the button that closes the dialog, if "Cancel" could be mistaken for the action itself.
    """
    label = format_html(' data-no="{}"', no) if no else ""
    return format_html('<input type="hidden" name="{}" value="{}"{}>', QUESTION, question, label)


@register.simple_tag
def when(moment: datetime | None, style: str = "relative") -> SafeString | str:
    """Render a ``<time>`` element.

    The page contains an absolute time. Depending on ``style``, site/time.js makes it "relative" ("5 minutes ago") or
    "local".
    """
    if moment is None:
        return ""
    shown = date_format(localtime(moment), "SHORT_DATETIME_FORMAT")
    if style == "local":
        return format_html('<time datetime="{}" data-local>{}</time>', moment.isoformat(), shown)
    return format_html('<time datetime="{}" data-relative>{}</time>', moment.isoformat(), shown)


@register.simple_tag
def gap() -> str:
    """Return the space after a sentence or colon; Chinese has none after full-width punctuation."""
    return sentence_space()


@register.simple_tag
def day(date: date) -> SafeString:
    """Render a ``<time>`` element for a date without a time of day; it is the same for every reader."""
    return format_html('<time datetime="{}">{}</time>', date.isoformat(), date_format(date, "DATE_FORMAT"))


@register.filter
def change(value: float) -> str:
    """Format a change with its sign, such as "+5", "−2" or "+1.5", like ``signed`` in ``static/js/site/format.js``."""
    size = abs(round(float(value), 1))
    shown = format_shortest(size, 1)
    return shown if not size else f"+{shown}" if value > 0 else f"\N{MINUS SIGN}{shown}"


@register.filter
def number(value: float | None, decimals: int = 0) -> str:
    """Format a quantity, as in "4060" or "12,345.6"; a dash for None."""
    return "–" if value is None else format_number(value, decimals)


@register.filter
def file_size(size: int) -> str:
    """Format a number of bytes in binary units, as upload limits are formatted."""
    return format_size(size)


@register.filter
def minus(number: object) -> str:
    """Replace the hyphens of a formatted number or calculation with minus signs."""
    return str(number).replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of source code; lines are numbered from 1."""

    number: int
    text: str


register.filter("code_text", translated_code_text)


@register.filter
def docstring(text: str) -> SafeString:
    """Return the paragraphs of a docstring as HTML, with ``literals`` marked up as code."""
    paragraphs = (" ".join(part.split()).split("``") for part in text.split("\n\n"))
    return format_html_join("", "<p>{}</p>", ((_mark_literals(parts),) for parts in paragraphs))


def _mark_literals(parts: list[str]) -> SafeString:
    """Join the parts of a paragraph as HTML; every second part was between double backticks and becomes code."""
    marked = (format_html("<code>{}</code>", part) if number % 2 else part for number, part in enumerate(parts))
    return format_html_join("", "{}", ((part,) for part in marked))


@register.filter
def numbered_lines(text: str) -> list[SourceLine]:
    """Split source code into lines as Python does: only line feeds and carriage returns end a line."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return [SourceLine(number, line) for number, line in enumerate(plain.split("\n"), start=1)]


@register.filter
def in_zone(moment: datetime, zone: str) -> str:
    """Format a date and time in a time zone, followed by the zone's name."""
    time = date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")
    return _("%(time)s (%(zone)s)") % {"time": time, "zone": zone}
