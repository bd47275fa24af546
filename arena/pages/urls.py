from django.urls import path

from arena.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("home/featured.json", views.featured, name="home-featured"),
    path("guide/", views.guide, name="bot-guide"),
    path("leaderboards/", views.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:game>/", views.leaderboard, name="leaderboard"),
    path("healthz", views.healthz, name="healthz"),
]
