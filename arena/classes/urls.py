from django.urls import path

from arena.classes import member_views, views

urlpatterns = [
    path("classes/", views.course_list, name="class-list"),
    path("classes/new/", views.course_new, name="class-new"),
    path("classes/join/", member_views.enter_code, name="class-code"),
    path("classes/join/<str:code>/", member_views.join, name="class-join"),
    path("classes/<row:course_id>/", views.course, name="class"),
    path("classes/<row:course_id>/edit/", views.course_edit, name="class-edit"),
    path("classes/<row:course_id>/code/", views.rotate_code, name="class-new-code"),
    path("classes/<row:course_id>/open/", views.set_joinable, {"joinable": True}, name="class-open"),
    path("classes/<row:course_id>/close/", views.set_joinable, {"joinable": False}, name="class-close"),
    path("classes/<row:course_id>/leave/", member_views.leave, name="class-leave"),
    path("classes/<row:course_id>/members/<row:person_id>/remove/", member_views.remove_member, name="class-remove"),
    path(
        "classes/<row:course_id>/members/<row:person_id>/teacher/",
        member_views.set_teacher,
        {"teacher": True},
        name="class-teacher",
    ),
    path(
        "classes/<row:course_id>/members/<row:person_id>/student/",
        member_views.set_teacher,
        {"teacher": False},
        name="class-student",
    ),
]
