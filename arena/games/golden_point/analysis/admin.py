"""Admin for large reports: a failed report can be deleted, so that it can be requested again."""

from django.contrib import admin
from django.http import HttpRequest

from arena.games.golden_point.analysis.models import StoredReport


@admin.register(StoredReport)
class StoredReportAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("source", "version", "status", "percent", "attempts", "created_at")
    list_filter = ("status",)
    exclude = ("data",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: StoredReport | None = None) -> bool:
        return False
