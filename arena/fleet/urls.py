from django.urls import path

from arena.fleet import views

urlpatterns = [
    path("fleet/", views.workers, name="fleet"),
    path("fleet/sandbox/", views.sandbox, name="fleet-sandbox"),
]
