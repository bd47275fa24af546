from django.urls import path

from arena.games.golden_point.recordings import views

urlpatterns = [
    path("recordings/", views.recording_list, name="recording-list"),
    path("recordings/new/", views.recording_new, name="recording-new"),
    path("recordings/<slug:code>/", views.recording, name="recording"),
    path("recordings/<slug:code>/file/", views.recording_file, name="recording-file"),
    path("recordings/<slug:code>/delete/", views.recording_delete, name="recording-delete"),
]
