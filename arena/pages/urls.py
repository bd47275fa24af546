from django.urls import path

from arena.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("home/featured.json", views.featured, name="home-featured"),
    path("guide/", views.guide, name="bot-guide"),
    path("learn/", views.learn, name="learn"),
    path("healthz", views.healthz, name="healthz"),
]
