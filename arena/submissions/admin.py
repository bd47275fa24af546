"""Admin for bots and submissions: submissions are read-only, even for operators."""

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from arena.core.plain_text import one_line
from arena.platform.refusal import Refused
from arena.submissions.models import Bot, Submission
from arena.submissions.names import clean_name
from arena.submissions.services import check_rename


class _BotAdminForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form that applies the same rules for bot names to operators as to owners."""

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        try:
            check_rename(Bot.objects.get(pk=self.instance.pk), name)
        except Refused as refused:
            raise forms.ValidationError(str(refused)) from refused
        return name

    def clean_description(self) -> str:
        return one_line(self.cleaned_data["description"])


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = _BotAdminForm
    list_display = ("name", "game", "owner", "active", "is_house", "retired")
    list_filter = ("game", "is_house", "retired")
    list_select_related = ("owner", "active__bot")
    search_fields = ("name", "owner__username")
    readonly_fields = ("owner", "game", "active", "is_house")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "bot", "number", "status", "attempts", "worker", "uploaded_at", "checked_at", "failure_text")
    list_filter = ("status",)
    list_select_related = ("bot",)
    exclude = ("log", "record")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
