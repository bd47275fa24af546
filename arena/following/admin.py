"""Admin for feed items."""

from django.contrib import admin
from django.http import HttpRequest

from arena.following.models import FeedItem


@admin.register(FeedItem)
class FeedItemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "kind", "event", "at")
    list_filter = ("kind",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
