"""URLs of the studio and of the scrimmage form.

The draft URLs exist in two forms: under a bot and, for a new bot, under its game.
"""

from django.urls import path

from arena.studio import scrimmage_views, views

_DRAFT = "bots/<row:bot_id>/studio/"
_NEW = "studio/new/<str:game>/"

urlpatterns = [
    path("studio/new/", views.new, name="studio-first"),
    path(_DRAFT, views.studio, name="studio"),
    path(f"{_DRAFT}draft/", views.save, name="studio-save"),
    path(f"{_DRAFT}run/", views.run, name="studio-run"),
    path(f"{_DRAFT}submit/", views.submit, name="studio-submit"),
    path(f"{_DRAFT}unpack/", views.unpack, name="studio-unpack"),
    path(f"{_DRAFT}upload/", views.upload, name="studio-upload"),
    path(f"{_DRAFT}versions/<row:submission_id>/diff/", views.diff, name="studio-diff"),
    path(f"{_DRAFT}versions/<row:submission_id>/restore/", views.restore, name="studio-restore"),
    path(_NEW, views.studio, name="studio-new"),
    path(f"{_NEW}draft/", views.save, name="studio-new-save"),
    path(f"{_NEW}run/", views.run, name="studio-new-run"),
    path(f"{_NEW}submit/", views.submit, name="studio-new-submit"),
    path(f"{_NEW}unpack/", views.unpack, name="studio-new-unpack"),
    path(f"{_NEW}steps/<int:number>/", views.take_step, name="studio-step"),
    path("submissions/<row:submission_id>/studio/", views.studio_of_submission, name="studio-submission"),
    path("studio/lint/", views.lint, name="studio-lint"),
    path("studio/completions/<str:game>.json", views.completions, name="studio-completions"),
    path("studio/runs/<row:run_id>/snapshot.json", views.run_snapshot, name="run-snapshot"),
    path("studio/runs/<row:run_id>/report/", views.run_report, name="run-report"),
    path("studio/runs/<row:run_id>/stop/", views.run_stop, name="run-stop"),
    path("scrimmages/new/", scrimmage_views.scrimmage_new, name="scrimmage-new"),
]
