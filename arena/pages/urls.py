from django.urls import path
from django.views.generic import RedirectView

from arena.pages import views, workers

urlpatterns = [
    path("", views.home, name="home"),
    path("home/featured.json", views.featured, name="home-featured"),
    path("guide/", views.guide, name="bot-guide"),
    path("guide/train/", views.train_guide, name="train-guide"),
    path("guide/train/ppo.py", views.trainer, name="trainer"),
    path("learn/", views.learn, name="learn"),
    path("healthz", views.healthz, name="healthz"),
    path("workers/", workers.workers, name="workers"),
    path("workers/<row:worker_id>/drain/", workers.drain, name="worker-drain"),
    path("workers/sandbox/", workers.sandbox, name="worker-sandboxes"),
    # Where these pages were before: links and bookmarks still arrive.
    path("fleet/", RedirectView.as_view(pattern_name="workers", permanent=True, query_string=True)),
    path("fleet/sandbox/", RedirectView.as_view(pattern_name="worker-sandboxes", permanent=True, query_string=True)),
]
