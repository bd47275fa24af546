from django.urls import path

from arena.dataset import views

urlpatterns = [
    path("data/", views.overview, name="data"),
    path("data/<slug:name>/<str:file>", views.download, name="data-file"),
]
