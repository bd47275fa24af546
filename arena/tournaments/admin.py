"""Read-only admin for tournaments, which only services change."""

from django.contrib import admin

from arena.matches.admin import ReadOnlyAdmin
from arena.tournaments.models import Entry, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ("id", "name", "game", "format", "status", "organizer", "deadline", "starts_at", "version")
    list_filter = ("status", "game", "format")
    search_fields = ("name",)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "bot", "submission", "status", "reason", "rank", "points", "played")
    list_filter = ("status",)
