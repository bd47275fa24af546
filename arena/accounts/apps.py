from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.urls import register_converter


class AccountsConfig(AppConfig):
    name = "arena.accounts"

    def ready(self) -> None:
        from arena.accounts.sockets import connect_signals
        from arena.platform.page_addresses import RowConverter

        register_converter(RowConverter, "row")
        connect_signals()
        user_logged_in.connect(_on_login, dispatch_uid="arena.accounts.limits")


def _on_login(sender: object, request: HttpRequest | None, **_: Any) -> None:
    from arena.accounts import limits

    limits.refund_login(request)
