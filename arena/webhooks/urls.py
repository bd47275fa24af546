from django.urls import path

from arena.webhooks import views

_ONE = "accounts/settings/webhooks/<row:webhook_id>/"

urlpatterns = [
    path("accounts/settings/webhooks/", views.webhook_list, name="webhooks"),
    path(_ONE, views.webhook, name="webhook"),
    path(f"{_ONE}rotate/", views.webhook_rotate, name="webhook-rotate"),
    path(f"{_ONE}test/", views.webhook_test, name="webhook-test"),
    path(f"{_ONE}on/", views.webhook_on, name="webhook-on"),
    path(f"{_ONE}off/", views.webhook_off, name="webhook-off"),
    path(f"{_ONE}delete/", views.webhook_delete, name="webhook-delete"),
    path(f"{_ONE}deliveries/<row:delivery_id>/repeat/", views.delivery_repeat, name="delivery-repeat"),
]
