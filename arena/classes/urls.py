from django.urls import path

from arena.classes import member_views, views

urlpatterns = [
    path("classes/", views.course_list, name="class-list"),
    path("classes/new/", views.course_new, name="class-new"),
    path("classes/join/", member_views.code, name="class-code"),
    path("classes/join/<str:code>/", member_views.join, name="class-join"),
    path("classes/<row:course_id>/", views.course, name="class"),
    path("classes/<row:course_id>/edit/", views.course_edit, name="class-edit"),
    path("classes/<row:course_id>/code/", views.new_code, name="class-new-code"),
    path("classes/<row:course_id>/open/", views.joinable, {"joinable": True}, name="class-open"),
    path("classes/<row:course_id>/close/", views.joinable, {"joinable": False}, name="class-close"),
    path("classes/<row:course_id>/leave/", member_views.leave, name="class-leave"),
    path("classes/<row:course_id>/members/<row:person_id>/remove/", member_views.remove, name="class-remove"),
    path(
        "classes/<row:course_id>/members/<row:person_id>/teacher/",
        member_views.appoint,
        {"teacher": True},
        name="class-teacher",
    ),
    path(
        "classes/<row:course_id>/members/<row:person_id>/student/",
        member_views.appoint,
        {"teacher": False},
        name="class-student",
    ),
]
