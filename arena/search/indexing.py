"""Keep the search index in sync with the indexed rows.

Rows are saved in many ways (forms, services, the admin, commands), so the index is updated by the models' signals. Bulk
inserts send no signals; ``rebuild_index`` indexes their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models, transaction
from django.db.models.signals import post_delete, post_save

from arena.accounts.models import User
from arena.classes.models import Course
from arena.search.models import SearchKind, SearchTerm
from arena.search.terms import terms_of
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from arena.ui.localized import translated_names

_BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class IndexedModel:
    """A model whose rows can be found by name. ``fields``: the fields from which ``names`` computes the names."""

    model: type[models.Model]
    fields: frozenset[str]
    names: Callable[[Any], Collection[str]]


INDEXED: Final[Mapping[SearchKind, IndexedModel]] = {
    # House bots and demonstrations are indexed under their names in every language.
    SearchKind.BOT: IndexedModel(
        Bot,
        frozenset({"name", "texts"}),
        lambda bot: (bot.name, *translated_names(bot).values()),
    ),
    SearchKind.PERSON: IndexedModel(User, frozenset({"username"}), lambda person: (person.username,)),
    SearchKind.TOURNAMENT: IndexedModel(
        Tournament,
        frozenset({"name", "texts"}),
        lambda tournament: (tournament.name, *translated_names(tournament).values()),
    ),
    SearchKind.CLASS: IndexedModel(Course, frozenset({"name"}), lambda course: (course.name,)),
}


def connect_signals() -> None:
    """Connect the signals; called once when the app is ready."""
    for kind, indexed in INDEXED.items():
        uid = f"search-{kind}"
        post_save.connect(_on_saved, sender=indexed.model, dispatch_uid=uid)
        post_delete.connect(_on_deleted, sender=indexed.model, dispatch_uid=uid)


def _on_saved(
    sender: type[models.Model],
    instance: models.Model,
    *,
    created: bool,
    raw: bool,
    update_fields: Collection[str] | None,
    **_: Any,
) -> None:
    kind = _search_kind(sender)
    if raw or (update_fields is not None and INDEXED[kind].fields.isdisjoint(update_fields)):
        return
    wanted = _terms_of_row(kind, instance)
    rows = SearchTerm.objects.filter(kind=kind, subject=instance.pk)
    if not created:
        stored = {bytes(term): leading for term, leading in rows.values_list("term", "leading")}
        if stored == wanted:
            return
        rows.delete()
    SearchTerm.objects.bulk_create(_term_rows(kind, instance.pk, wanted), ignore_conflicts=True)


def _on_deleted(sender: type[models.Model], instance: models.Model, **_: Any) -> None:
    SearchTerm.objects.filter(kind=_search_kind(sender), subject=instance.pk).delete()


def rebuild_index() -> int:
    """Recompute the whole index; return the number of terms in it."""
    count = 0
    with transaction.atomic():
        SearchTerm.objects.all().delete()
        for kind, indexed in INDEXED.items():
            fresh: list[SearchTerm] = []
            rows = indexed.model._default_manager.order_by().only("pk", *indexed.fields)
            for row in rows.iterator(chunk_size=_BATCH):
                fresh += _term_rows(kind, row.pk, _terms_of_row(kind, row))
                count += 1
            SearchTerm.objects.bulk_create(fresh, batch_size=_BATCH, ignore_conflicts=True)
    return count


def _search_kind(model: type[models.Model]) -> SearchKind:
    return next(kind for kind, indexed in INDEXED.items() if indexed.model is model)


def _terms_of_row(kind: SearchKind, row: models.Model) -> dict[bytes, bool]:
    found: dict[bytes, bool] = {}
    for name in INDEXED[kind].names(row):
        for term, leading in terms_of(name).items():
            found[term] = found.get(term, False) or leading
    return found


def _term_rows(kind: SearchKind, subject: int, terms: Mapping[bytes, bool]) -> list[SearchTerm]:
    return [SearchTerm(kind=kind, subject=subject, term=term, leading=leading) for term, leading in terms.items()]
