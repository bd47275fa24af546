"""Read-only webhook admin for operators: receivers and delivery outcomes, without message bodies."""

from django.contrib import admin
from django.http import HttpRequest

from arena.webhooks.models import Delivery, Webhook


class _ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Webhook)
class WebhookAdmin(_ReadOnly):
    list_display = ("id", "owner", "url", "status", "failing_since", "created_at")
    list_filter = ("status",)
    fields = list_display


@admin.register(Delivery)
class DeliveryAdmin(_ReadOnly):
    list_display = ("id", "webhook", "type", "status", "attempts", "due_at", "created_at")
    list_filter = ("status", "type")
    fields = list_display
