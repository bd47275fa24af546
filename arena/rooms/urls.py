from django.urls import path

from arena.rooms import live_views, views

urlpatterns = [
    path("rooms/", views.room_list, name="room-list"),
    path("rooms/<int:number>/", live_views.room, name="room"),
    path("rooms/<int:number>/snapshot.json", live_views.room_snapshot, name="room-snapshot"),
    path("rooms/<int:number>/rounds.json", live_views.room_rounds, name="room-rounds"),
    path("rooms/<int:number>/rounds.csv", live_views.room_table, name="room-table"),
    path("swagger", views.try_it, name="rooms-try-it"),
    path("swagger/", views.try_it),
    path("swagger/index.html", views.try_it),
]
