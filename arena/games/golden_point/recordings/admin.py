"""Admin for recordings. People upload them on the site; operators can delete them here."""

from django.contrib import admin
from django.http import HttpRequest

from arena.games.golden_point.recordings.models import Recording


@admin.register(Recording)
class RecordingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("__str__", "owner", "listed", "players", "rounds", "created_at")
    list_select_related = ("owner",)
    search_fields = ("title", "owner__username")
    exclude = ("data",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Recording | None = None) -> bool:
        return False
