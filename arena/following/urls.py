from django.urls import path

from arena.following import feeds, views
from arena.following.subjects import Subject

urlpatterns = [
    path("following/", views.follow_list, name="following"),
    path("following/<slug:kind>/<row:subject_id>/", views.follow, name="follow"),
    path("following/<row:follow_id>/unfollow/", views.unfollow, name="unfollow"),
    path("bots/<row:key>/feed.atom", feeds.feed, {"kind": Subject.BOT}, name="bot-feed"),
    path("people/<str:key>/feed.atom", feeds.feed, {"kind": Subject.PERSON}, name="person-feed"),
    path("tournaments/<row:key>/feed.atom", feeds.feed, {"kind": Subject.TOURNAMENT}, name="tournament-feed"),
]
