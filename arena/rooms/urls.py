from django.urls import path

from arena.rooms import live_views, setup_views, views

urlpatterns = [
    path("rooms/", views.room_list, name="room-list"),
    path("rooms/new/", setup_views.room_new, name="room-new"),
    path("rooms/<int:number>/setup/", setup_views.room_setup, name="room-setup"),
    path("rooms/<int:number>/name/", setup_views.room_name, name="room-name"),
    path("rooms/<int:number>/start/", setup_views.room_start, name="room-start"),
    path("rooms/<int:number>/close/", setup_views.room_close, name="room-close"),
    path("rooms/<int:number>/residents/", setup_views.residents_add, name="room-residents"),
    path("rooms/<int:number>/residents/<slug:strategy>/rest/", setup_views.resident_rest, name="room-resident-rest"),
    path("rooms/<int:number>/seats/", setup_views.seat_add, name="room-seat"),
    path("rooms/seats/<row:seat_id>/", setup_views.seat, name="room-seat-inside"),
    path("rooms/seats/<row:seat_id>/leave/", setup_views.seat_leave, name="room-seat-leave"),
    path("rooms/<int:number>/", live_views.room, name="room"),
    path("rooms/<int:number>/snapshot.json", live_views.room_snapshot, name="room-snapshot"),
    path("rooms/<int:number>/rounds.json", live_views.room_rounds, name="room-rounds"),
    path("rooms/<int:number>/rounds.csv", live_views.room_table, name="room-table"),
    path("swagger", views.try_it, name="rooms-try-it"),
    path("swagger/", views.try_it),
    path("swagger/index.html", views.try_it),
]
