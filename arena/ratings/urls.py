from django.urls import path

from arena.ratings import views

urlpatterns = [
    path("leaderboards/", views.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", views.leaderboard, name="leaderboard"),
    path("ladder/<slug:game>/", views.ladder_page, name="ladder"),
    path("ladder/<slug:game>/pause/", views.ladder_pause, {"paused": True}, name="ladder-pause"),
    path("ladder/<slug:game>/go-on/", views.ladder_pause, {"paused": False}, name="ladder-go-on"),
    path("bots/<row:bot_id>/ladder/leave/", views.ladder_membership, {"out": True}, name="ladder-leave"),
    path("bots/<row:bot_id>/ladder/join/", views.ladder_membership, {"out": False}, name="ladder-join"),
]
