from django.urls import path

from arena.platform.workers import views

urlpatterns = [
    path("fleet/", views.workers, name="fleet"),
    path("fleet/workers/<row:worker_id>/drain/", views.drain, name="fleet-drain"),
    path("fleet/sandbox/", views.sandbox, name="fleet-sandbox"),
]
