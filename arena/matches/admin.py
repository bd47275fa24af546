"""Matches as operators see them: nothing here can be edited, the services change matches."""

from django.contrib import admin
from django.http import HttpRequest

from arena.matches.models import FailedAttempt, Match


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ("id", "game", "purpose", "status", "attempts", "worker", "started_at", "finished_at", "failure")
    list_filter = ("status", "game", "purpose")


@admin.register(FailedAttempt)
class FailedAttemptAdmin(ReadOnly):
    list_display = ("match", "at", "kind", "worker", "seat", "reason", "voided")
    list_filter = ("kind", "voided")
