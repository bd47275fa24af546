from django.urls import path

from arena.games.reversi.analysis import views

urlpatterns = [
    path("matches/<row:match_id>/analysis/", views.match_analysis, name="match-analysis"),
    path("reversi/board/", views.board, name="reversi-board"),
    path("reversi/board/analysis/", views.analyse_board, name="reversi-board-analysis"),
    path("reversi/board/game.ggf", views.board_ggf, name="reversi-board-ggf"),
]
