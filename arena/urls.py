"""URL routes of the site; the WebSocket routes are in arena.asgi."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import conditional_page

from arena.games.sites import SITES
from arena.ui.script_texts import ScriptTexts, own_apps

urlpatterns = [
    # Requested with every page; if the browser has cached it, the response is a 304.
    path("i18n/catalog.js", conditional_page(ScriptTexts.as_view(packages=own_apps())), name="javascript-catalog"),
    path("admin/", admin.site.urls),
    path("", include("arena.accounts.urls")),
    path("", include("arena.notifications.urls")),
    path("", include("arena.classes.urls")),
    path("", include("arena.submissions.urls")),
    path("", include("arena.matches.urls")),
    path("", include("arena.ratings.urls")),
    path("", include("arena.play.urls")),
    path("", include("arena.version_tests.urls")),
    path("", include("arena.studio.urls")),
    path("", include("arena.tournaments.urls")),
    path("", include("arena.following.urls")),
    path("", include("arena.search.urls")),
    path("", include("arena.learning_path.urls")),
    path("", include("arena.webhooks.urls")),
    *(path("", include(urls)) for site in SITES.values() for urls in site.urls),
    path("", include("arena.dataset.urls")),
    path("", include("arena.api.urls")),
    path("", include("arena.pages.urls")),
]
