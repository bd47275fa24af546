from django.urls import path

from arena.version_tests import views

urlpatterns = [
    path("bots/<row:bot_id>/tests/", views.test_list, name="version-test-list"),
    path("bots/<row:bot_id>/tests/<int:number>/", views.test, name="version-test"),
    path("bots/<row:bot_id>/tests/<int:number>/snapshot.json", views.snapshot, name="version-test-snapshot"),
    path("bots/<row:bot_id>/tests/<int:number>/cancel/", views.cancel, name="version-test-cancel"),
]
