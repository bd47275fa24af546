"""Admin for classes; people create them on the site, where the owner also becomes a member."""

from django.contrib import admin
from django.http import HttpRequest

from arena.classes.models import Course


@admin.register(Course)
class CourseAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "owner", "joinable", "uploads_an_hour", "scrimmages_an_hour", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    readonly_fields = ("code", "owner")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
