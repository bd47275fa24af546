from django.urls import path

from arena.notifications import views

urlpatterns = [
    path("notifications/", views.notification_list, name="notification-list"),
    path("notifications/read/", views.read_all, name="notification-read-all"),
    path("notifications/settings/", views.preferences, name="notification-settings"),
    path("notifications/off/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("notifications/<row:notification_id>/", views.notification_open, name="notification-open"),
]
