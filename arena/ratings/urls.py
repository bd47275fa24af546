from django.urls import path

from arena.ratings import views

urlpatterns = [
    path("leaderboards/", views.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", views.leaderboard, name="leaderboard"),
    path("ladder/<slug:game>/", views.ladder_page, name="ladder"),
    path("ladder/<slug:game>/pause/", views.ladder_pause, {"paused": True}, name="ladder-pause"),
    path("ladder/<slug:game>/resume/", views.ladder_pause, {"paused": False}, name="ladder-resume"),
    path("ladder/<slug:game>/bots/", views.ladder_bots, name="ladder-bots"),
]
