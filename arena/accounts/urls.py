from django.contrib.auth.views import LogoutView
from django.urls import path

from arena.accounts import token_views, views

urlpatterns = [
    path("i18n/setlang/", views.set_language, name="set_language"),
    path("accounts/signup/", views.signup, name="signup"),
    path("accounts/login/", views.SignIn.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/settings/", views.settings, name="settings"),
    path("accounts/settings/tokens/", token_views.token_list, name="tokens"),
    path("accounts/settings/tokens/<row:token_id>/revoke/", token_views.token_revoke, name="token-revoke"),
    path("accounts/email/resend/", views.resend_confirmation, name="resend_confirmation"),
    path("accounts/email/<str:token>/", views.confirm_email, name="confirm_email"),
    path("accounts/password/change/", views.PasswordChange.as_view(), name="password_change"),
    path("accounts/password/reset/", views.PasswordReset.as_view(), name="password_reset"),
    path("accounts/password/reset/sent/", views.PasswordResetDone.as_view(), name="password_reset_done"),
    path(
        "accounts/password/reset/<uidb64>/<token>/",
        views.PasswordResetConfirm.as_view(),
        name="password_reset_confirm",
    ),
]
