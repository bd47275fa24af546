from django.urls import path

from arena.play import views

urlpatterns = [
    path("play/", views.play, name="play"),
    path("play/<row:match_id>/", views.duel, name="duel"),
    path("play/<row:match_id>/snapshot.json", views.duel_snapshot, name="duel-snapshot"),
    path("play/<row:match_id>/move/", views.duel_move, name="duel-move"),
    path("play/<row:match_id>/resign/", views.duel_resign, name="duel-resign"),
    path("play/<row:match_id>/hint/", views.duel_hint, name="duel-hint"),
    path("play/<row:match_id>/take-back/", views.duel_take_back, name="duel-take-back"),
    path("play/<row:match_id>/rematch/", views.duel_rematch, name="duel-rematch"),
]
