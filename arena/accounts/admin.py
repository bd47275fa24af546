from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from arena.accounts.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "email", "unconfirmed_email", "role", "is_staff", "is_active", "date_joined")
    list_filter = ("role", "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (None, {"fields": ("role", "unconfirmed_email")}))
