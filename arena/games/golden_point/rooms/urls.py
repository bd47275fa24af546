from django.urls import path

from arena.games.golden_point.rooms.views import live, lobby, moderation, pages, setup

urlpatterns = [
    path("rooms/", pages.room_list, name="room-list"),
    path("rooms/new/", setup.room_new, name="room-new"),
    path("rooms/<int:number>/setup/", setup.room_setup, name="room-setup"),
    path("rooms/<int:number>/name/", setup.room_name, name="room-name"),
    path("rooms/<int:number>/start/", setup.room_start, name="room-start"),
    path("rooms/<int:number>/pause/", moderation.room_pause, name="room-pause"),
    path("rooms/<int:number>/resume/", moderation.room_resume, name="room-resume"),
    path("rooms/<int:number>/close-round/", moderation.round_close, name="room-round-close"),
    path("rooms/<int:number>/length/", moderation.room_length, name="room-length"),
    path("rooms/<int:number>/players/<row:player_id>/name/", moderation.player_name, name="room-player-name"),
    path("rooms/<int:number>/players/<row:player_id>/remove/", moderation.player_remove, name="room-player-remove"),
    path("rooms/<int:number>/close/", setup.room_close, name="room-close"),
    path("rooms/<int:number>/residents/", setup.built_in_players_add, name="room-built-in-players"),
    path(
        "rooms/<int:number>/residents/<slug:strategy>/rest/",
        setup.built_in_player_rest,
        name="room-built-in-player-rest",
    ),
    path("rooms/<int:number>/seats/", setup.seat_add, name="room-seat"),
    path("rooms/seats/<row:seat_id>/", setup.seat_report, name="room-seat-report"),
    path("rooms/seats/<row:seat_id>/leave/", setup.seat_leave, name="room-seat-leave"),
    path("rooms/<int:number>/", live.room, name="room"),
    path("embed/rooms/<int:number>/", live.embedded_room, name="embed-room"),
    path("rooms/<int:number>/snapshot.json", live.room_snapshot, name="room-snapshot"),
    path("rooms/<int:number>/rounds.json", live.room_rounds, name="room-rounds"),
    path("rooms/<int:number>/rounds.csv", live.room_table, name="room-table"),
    path("rooms/<int:number>/membership.json", lobby.room_membership, name="room-membership"),
    path("rooms/<int:number>/lobby/join/", lobby.room_join, name="room-join"),
    path("rooms/<int:number>/lobby/leave/", lobby.room_leave, name="room-leave"),
    path("rooms/<int:number>/addresses/", setup.set_address_binding, name="room-addresses"),
    path("swagger", pages.try_it, name="rooms-try-it"),
    path("swagger/", pages.try_it),
    path("swagger/index.html", pages.try_it),
]
