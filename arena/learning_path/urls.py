from django.urls import path

from arena.learning_path import views

urlpatterns = [
    path("path/", views.learning_path, name="learning-path"),
    path("path/<str:game>/<str:rung>/challenge/", views.challenge, name="boss-challenge"),
]
