from django.urls import path

from arena.api.api import api

urlpatterns = [path("api/v1/", api.urls)]
