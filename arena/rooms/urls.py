from django.urls import path

from arena.rooms import views

urlpatterns = [
    path("rooms/", views.room_list, name="room-list"),
    path("rooms/<int:number>/", views.room, name="room"),
    path("swagger", views.try_it, name="rooms-try-it"),
    path("swagger/", views.try_it),
    path("swagger/index.html", views.try_it),
]
