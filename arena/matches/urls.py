from django.urls import path

from arena.matches import share_views, views

urlpatterns = [
    path("matches/", views.match_list, name="match-list"),
    path("matches/<row:match_id>/", views.match, name="match"),
    path("matches/<row:match_id>/rematch/", views.match_rematch, name="match-rematch"),
    path("matches/<row:match_id>/snapshot.json", views.match_snapshot, name="match-snapshot"),
    path("matches/<row:match_id>/verdict.json", views.match_verdict, name="match-verdict"),
    path("matches/<row:match_id>/turns/<int:number>.json", views.match_turns, name="match-turns"),
    path("matches/<row:match_id>/record.json", views.match_record, name="match-record"),
    path("matches/<row:match_id>/card.png", share_views.match_card, name="match-card"),
    path("matches/<row:match_id>/animation.json", share_views.match_animation, name="match-animation"),
    path("matches/<row:match_id>/<str:file>", views.match_export, name="match-export"),
    path("matches/<row:match_id>/seats/<int:index>/log/", views.match_log, name="match-log"),
    path("matches/<row:match_id>/seats/<int:index>/output.json", views.match_output, name="match-output"),
    path(
        "matches/<row:match_id>/seats/<int:index>/positions/<int:turn>/<int:answer_number>/",
        views.match_position,
        name="match-position",
    ),
]
