"""Studies as operators see them: nothing here can be edited, the services change studies."""

from django.contrib import admin

from arena.games.reversi.analysis.models import Study
from arena.matches.admin import ReadOnly


@admin.register(Study)
class StudyAdmin(ReadOnly):
    list_display = (
        "id",
        "match",
        "status",
        "engine",
        "attempts",
        "requested_by",
        "requested_at",
        "finished_at",
        "failure",
    )
    list_filter = ("status",)
