"""Read-only admin for matches, which only services change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.games.registry import GAMES
from arena.matches.models import FailedAttempt, Match


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    # Otherwise, an unfiltered list counts its rows twice, and counting a million rows takes 40 ms in PostgreSQL.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class GameFilter(admin.SimpleListFilter):
    """An admin filter by the site's games; Django's default filter would scan all matches for distinct games."""

    title = "game"
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        return [(game, game) for game in GAMES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(game=self.value()) if self.value() else queryset


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = (
        *("id", "game", "purpose", "status", "attempts", "worker", "started_at", "finished_at", "failure_text"),
    )
    list_filter = ("status", GameFilter, "purpose")


@admin.register(FailedAttempt)
class FailedAttemptAdmin(ReadOnlyAdmin):
    list_display = ("match", "at", "kind", "worker", "seat", "reason", "voided")
    list_filter = ("kind", "voided")
