from django.urls import path

from arena.api import views
from arena.api.api import api

urlpatterns = [path("api/v1/docs", views.docs, name="api-docs"), path("api/v1/", api.urls)]
