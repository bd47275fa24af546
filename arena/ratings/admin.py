"""Read-only admin for ratings, which are derived from matches."""

from django.contrib import admin

from arena.matches.admin import ReadOnlyAdmin
from arena.ratings.models import Rating


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("submission", "game", "value", "deviation", "matches")
    list_filter = ("game",)
