from django.urls import path
from django.views.generic import RedirectView

from arena.pages import views, workers
from arena.pages.embed import views as embed
from arena.pages.tv import views as tv

urlpatterns = [
    path("", views.home, name="home"),
    path("home/featured.json", views.featured, name="home-featured"),
    path("guide/", views.guide, name="bot-guide"),
    path("guide/train/", views.train_guide, name="train-guide"),
    path("guide/train/ppo.py", views.trainer, name="trainer"),
    path("guide/<str:game>/", views.guide_of_game, name="game-guide"),
    path("learn/", views.learn, name="learn"),
    path("tv/", tv.tv, name="tv"),
    path("tv/programme.json", tv.tv_programme, name="tv-programme"),
    path("tv/matches/<row:match_id>/", tv.tv_match, name="tv-match"),
    path("tv/turning-points/<row:match_id>/", tv.tv_turning_point, name="tv-turning-point"),
    path("tv/standings/<row:tournament_id>/", tv.tv_standings, name="tv-standings"),
    path("tv/podiums/<row:tournament_id>/", tv.tv_podium, name="tv-podium"),
    path("tv/brackets/<row:tournament_id>/", tv.tv_bracket, name="tv-bracket"),
    path("tv/lobbies/<row:tournament_id>/", tv.tv_lobby, name="tv-lobby"),
    path("tv/upcoming/", tv.tv_upcoming, name="tv-upcoming"),
    path("embed/matches/<row:match_id>/", embed.embedded_match, name="embed-match"),
    path("embed/tournaments/<row:tournament_id>/", embed.embedded_tournament, name="embed-tournament"),
    path("oembed", embed.oembed, name="oembed"),
    path("healthz", views.healthz, name="healthz"),
    path("workers/", workers.workers, name="workers"),
    path("workers/<row:worker_id>/drain/", workers.drain, name="worker-drain"),
    path("workers/sandbox/", workers.sandbox, name="worker-sandboxes"),
    # Former URLs of these pages, so that links and bookmarks still work.
    path("fleet/", RedirectView.as_view(pattern_name="workers", permanent=True, query_string=True)),
    path("fleet/sandbox/", RedirectView.as_view(pattern_name="worker-sandboxes", permanent=True, query_string=True)),
]
