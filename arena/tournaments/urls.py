from django.urls import path

from arena.tournaments import control_views, desk_views, export_views, series_views, views

urlpatterns = [
    path("tournaments/", views.tournament_list, name="tournament-list"),
    path("tournaments/series/", series_views.series_list, name="tournament-series"),
    path("tournaments/series/<row:series_id>/pause/", series_views.series_pause, name="tournament-series-pause"),
    path("tournaments/series/<row:series_id>/resume/", series_views.series_resume, name="tournament-series-resume"),
    path("tournaments/new/", views.tournament_new, name="tournament-new"),
    path("tournaments/<row:tournament_id>/", views.tournament, name="tournament"),
    path("tournaments/<row:tournament_id>/desk/", desk_views.desk, name="tournament-desk"),
    path("tournaments/<row:tournament_id>/desk/extend/", desk_views.extend, name="tournament-extend"),
    path("tournaments/<row:tournament_id>/desk/announce/", desk_views.announce, name="tournament-announce"),
    path("tournaments/<row:tournament_id>/desk/replay/", desk_views.replay, name="tournament-replay-chosen"),
    path(
        "tournaments/<row:tournament_id>/desk/entries/<row:entry_id>/substitute/",
        desk_views.substitute,
        name="tournament-substitute",
    ),
    path("tournaments/<row:tournament_id>/export/<slug:table>.csv", export_views.table, name="tournament-table"),
    path("tournaments/<row:tournament_id>/export/archive.zip", export_views.archive, name="tournament-archive"),
    path("tournaments/<row:tournament_id>/edit/", views.tournament_edit, name="tournament-edit"),
    path("tournaments/<row:tournament_id>/matches/", views.tournament_matches, name="tournament-matches"),
    path("tournaments/<row:tournament_id>/rounds/", views.tournament_rounds, name="tournament-rounds"),
    path("tournaments/<row:tournament_id>/snapshot.json", views.tournament_snapshot, name="tournament-snapshot"),
    path("tournaments/<row:tournament_id>/enter/", control_views.enter, name="tournament-enter"),
    path(
        "tournaments/<row:tournament_id>/entries/<row:entry_id>/withdraw/",
        control_views.withdraw,
        name="tournament-withdraw",
    ),
    path("tournaments/<row:tournament_id>/house-bots/", control_views.add_house_bots, name="tournament-house-bots"),
    path("tournaments/<row:tournament_id>/invite/", desk_views.invite, name="tournament-invite"),
    path("tournaments/<row:tournament_id>/start/", control_views.start, name="tournament-start"),
    path("tournaments/<row:tournament_id>/pause/", control_views.pause, name="tournament-pause"),
    path("tournaments/<row:tournament_id>/resume/", control_views.resume, name="tournament-resume"),
    path("tournaments/<row:tournament_id>/cancel/", control_views.cancel, name="tournament-cancel"),
    path("tournaments/<row:tournament_id>/release/", control_views.release, name="tournament-release"),
    path(
        "tournaments/<row:tournament_id>/matches/<row:match_id>/replay/",
        control_views.replay,
        name="tournament-replay",
    ),
]
