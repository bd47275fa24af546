from django.urls import path

from arena.games.golden_point.analysis import views

_GAME = "analysis/golden-point/<slug:kind>/<slug:key>/"

urlpatterns = [
    path(_GAME, views.insights, name="insights"),
    path(f"{_GAME}again/", views.report_again, name="insights-again"),
    path(f"{_GAME}rounds/<int:number>.json", views.round_json, name="insights-round"),
    path(f"{_GAME}numbers.tsv", views.numbers_file, name="insights-numbers"),
]
