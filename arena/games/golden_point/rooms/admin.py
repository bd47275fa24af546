from django.contrib import admin
from django.http import HttpRequest

from arena.games.golden_point.rooms.models import Room


@admin.register(Room)
class RoomAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The admin pages for rooms; deleting a room also deletes everything that was played in it.

    Rounds cannot be changed here, because timers change them.
    """

    list_display = ["number", "name", "state", "numbers", "seconds", "most_players", "finished_rounds", "created_at"]
    list_filter = ["state", "numbers"]
    search_fields = ["number", "name"]
    readonly_fields = [
        *("number", "creator", "owner", "state"),
        *("numbers", "seconds", "most_players", "rounds", "finished_rounds"),
    ]
    exclude = ["version", "event_seq", "event_version", "created_at", "played_at", "origin"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
