"""Admin for the outbox."""

from django.contrib import admin
from django.http import HttpRequest

from arena.notifications.models import Mail


@admin.register(Mail)
class MailAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "notification_id", "status", "attempts", "due_at", "ended_at", "failure")
    list_filter = ("status",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
