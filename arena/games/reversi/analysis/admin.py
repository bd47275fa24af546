"""Read-only admin for analyses, because only the services change them."""

from django.contrib import admin

from arena.games.reversi.analysis.models import Analysis
from arena.matches.admin import ReadOnlyAdmin


@admin.register(Analysis)
class StudyAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "match",
        "status",
        "engine",
        "attempts",
        "requested_by",
        "requested_at",
        "finished_at",
        "failure_text",
    )
    list_filter = ("status",)
