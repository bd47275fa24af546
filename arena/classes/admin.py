"""Classes as operators see them."""

from django.contrib import admin

from arena.classes.models import Course


@admin.register(Course)
class CourseAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "owner", "joinable", "uploads_an_hour", "scrimmages_an_hour", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    readonly_fields = ("code",)
