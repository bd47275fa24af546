from django.urls import path
from django.views.generic import RedirectView

from arena.tournaments.views import controls, creation, exports, organizer, pages, series, wizard

urlpatterns = [
    path("tournaments/", pages.tournament_list, name="tournament-list"),
    path("tournaments/series/", series.series_list, name="tournament-series"),
    path("tournaments/series/<row:series_id>/pause/", series.series_pause, name="tournament-series-pause"),
    path("tournaments/series/<row:series_id>/resume/", series.series_resume, name="tournament-series-resume"),
    path("tournaments/new/", wizard.tournament_new, name="tournament-new"),
    path("tournaments/<row:tournament_id>/", pages.tournament, name="tournament"),
    path("tournaments/<row:tournament_id>/operations/", organizer.operations, name="tournament-operations"),
    path(
        "tournaments/<row:tournament_id>/desk/",
        RedirectView.as_view(pattern_name="tournament-operations", permanent=True, query_string=True),
    ),
    path("tournaments/<row:tournament_id>/operations/extend/", organizer.extend, name="tournament-extend"),
    path("tournaments/<row:tournament_id>/operations/records/", organizer.records, name="tournament-records"),
    path("tournaments/<row:tournament_id>/operations/announce/", organizer.announce, name="tournament-announce"),
    path("tournaments/<row:tournament_id>/operations/rerun/", organizer.rerun, name="tournament-rerun-chosen"),
    path(
        "tournaments/<row:tournament_id>/operations/entries/<row:entry_id>/substitute/",
        organizer.substitute,
        name="tournament-substitute",
    ),
    path("tournaments/<row:tournament_id>/export/<slug:table>.csv", exports.table, name="tournament-table"),
    path("tournaments/<row:tournament_id>/export/archive.zip", exports.archive, name="tournament-archive"),
    path("tournaments/<row:tournament_id>/edit/", creation.tournament_edit, name="tournament-edit"),
    path("tournaments/<row:tournament_id>/matches/", pages.tournament_matches, name="tournament-matches"),
    path("tournaments/<row:tournament_id>/rounds/", pages.tournament_rounds, name="tournament-rounds"),
    path("tournaments/<row:tournament_id>/snapshot.json", pages.tournament_snapshot, name="tournament-snapshot"),
    path("tournaments/<row:tournament_id>/enter/", controls.enter, name="tournament-enter"),
    path(
        "tournaments/<row:tournament_id>/entries/<row:entry_id>/withdraw/",
        controls.withdraw,
        name="tournament-withdraw",
    ),
    path("tournaments/<row:tournament_id>/house-bots/", controls.add_house_bots, name="tournament-house-bots"),
    path("tournaments/<row:tournament_id>/invite/", organizer.invite, name="tournament-invite"),
    path("tournaments/<row:tournament_id>/start/", controls.start, name="tournament-start"),
    path("tournaments/<row:tournament_id>/pause/", controls.pause, name="tournament-pause"),
    path("tournaments/<row:tournament_id>/resume/", controls.resume, name="tournament-resume"),
    path("tournaments/<row:tournament_id>/cancel/", controls.cancel, name="tournament-cancel"),
    path("tournaments/<row:tournament_id>/release/", controls.release, name="tournament-release"),
    path(
        "tournaments/<row:tournament_id>/matches/<row:match_id>/rerun/",
        controls.rerun,
        name="tournament-rerun",
    ),
]
