from django.urls import path

from arena.games.reversi.analysis import views

urlpatterns = [
    path("matches/<row:match_id>/analysis/", views.match_study, name="match-study"),
    path("reversi/board/", views.board, name="reversi-board"),
    path("reversi/board/analysis/", views.study_board, name="reversi-board-study"),
    path("reversi/board/game.ggf", views.board_ggf, name="reversi-board-ggf"),
]
