from django.urls import path

from arena.search import views

urlpatterns = [
    path("search/", views.search_page, name="search"),
    path("search/hits/", views.search_hits, name="search-hits"),
]
