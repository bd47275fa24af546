from django.urls import path

from arena.games.golden_point.analysis import views

_GAME = "analysis/golden-point/<slug:kind>/<slug:key>/"

urlpatterns = [
    path(_GAME, views.analysis, name="golden-point-analysis"),
    path(f"{_GAME}again/", views.retry_report, name="golden-point-analysis-retry"),
    path(f"{_GAME}rounds/<int:number>.json", views.round_json, name="golden-point-analysis-round"),
    path(f"{_GAME}numbers.tsv", views.numbers_file, name="golden-point-analysis-numbers"),
]
