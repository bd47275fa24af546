"""Every page of the site; the sockets are in arena.asgi."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("i18n/catalog.js", JavaScriptCatalog.as_view(packages=[]), name="javascript-catalog"),
    path("admin/", admin.site.urls),
    path("", include("arena.accounts.urls")),
    path("", include("arena.notifications.urls")),
    path("", include("arena.classes.urls")),
    path("", include("arena.fleet.urls")),
    path("", include("arena.submissions.urls")),
    path("", include("arena.matches.urls")),
    path("", include("arena.ratings.urls")),
    path("", include("arena.duels.urls")),
    path("", include("arena.tournaments.urls")),
    path("", include("arena.rooms.urls")),
    path("", include("arena.recordings.urls")),
    path("", include("arena.studies.urls")),
    path("", include("arena.insights.urls")),
    path("", include("arena.pages.urls")),
]
