from django.urls import path

from arena.pages import views, workers

urlpatterns = [
    path("", views.home, name="home"),
    path("home/featured.json", views.featured, name="home-featured"),
    path("guide/", views.guide, name="bot-guide"),
    path("guide/train/", views.train_guide, name="train-guide"),
    path("guide/train/ppo.py", views.trainer, name="trainer"),
    path("learn/", views.learn, name="learn"),
    path("healthz", views.healthz, name="healthz"),
    path("fleet/", workers.workers, name="workers"),
    path("fleet/workers/<row:worker_id>/drain/", workers.drain, name="worker-drain"),
    path("fleet/sandbox/", workers.sandbox, name="worker-sandboxes"),
]
