from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from arena.accounts.forms import check_username
from arena.accounts.models import User


class _PersonForm(UserChangeForm):  # type: ignore[type-arg]
    def clean_username(self) -> str:
        """Apply the sign-up rules to a changed name; an unchanged name is always accepted."""
        username = str(self.cleaned_data["username"])
        if username == self.initial["username"]:
            return username
        return check_username(username, exclude_id=self.instance.pk)


class _NewPersonForm(AdminUserCreationForm):  # type: ignore[type-arg]
    def clean_username(self) -> str:
        return check_username(str(self.cleaned_data["username"]))


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    form = _PersonForm
    add_form = _NewPersonForm
    list_display = ("username", "email", "unconfirmed_email", "role", "is_staff", "is_active", "date_joined")
    list_filter = ("role", "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (None, {"fields": ("role", "unconfirmed_email")}))
