from django.urls import path

from arena.submissions import views

urlpatterns = [
    path("bots/", views.bot_list, name="bot-list"),
    path("bots/new/", views.bot_new, name="bot-new"),
    path("bots/<row:bot_id>/", views.bot, name="bot"),
    path("bots/<row:bot_id>/edit/", views.bot_edit, name="bot-edit"),
    path("bots/<row:bot_id>/retire/", views.bot_retire, {"retired": True}, name="bot-retire"),
    path("bots/<row:bot_id>/bring-back/", views.bot_retire, {"retired": False}, name="bot-bring-back"),
    path("bots/<row:bot_id>/submissions/new/", views.submission_new, name="submission-new"),
    path("people/<str:username>/", views.profile, name="profile"),
    path("submissions/<row:submission_id>/", views.submission, name="submission"),
    path("submissions/<row:submission_id>/snapshot.json", views.submission_snapshot, name="submission-snapshot"),
    path("submissions/<row:submission_id>/match/", views.submission_match, name="submission-match"),
    path(
        "submissions/<row:submission_id>/positions/<int:turn>/<int:answer_number>/",
        views.submission_position,
        name="submission-position",
    ),
    path("submissions/<row:submission_id>/source/", views.submission_source, name="submission-source"),
    path("submissions/<row:submission_id>/download/", views.submission_download, name="submission-download"),
    path("submissions/<row:submission_id>/activate/", views.submission_activate, name="submission-activate"),
    path("submissions/<row:submission_id>/check/", views.submission_check_again, name="submission-check-again"),
]
