from django.urls import path

from arena.games.fib2584.study import views

urlpatterns = [
    path("2584/solver/", views.solver, name="fib2584-solver"),
    path("2584/learn/", views.learn, name="fib2584-learn"),
    path("2584/scores/", views.scores, name="fib2584-scores"),
]
