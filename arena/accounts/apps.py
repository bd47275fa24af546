from django.apps import AppConfig
from django.urls import register_converter


class AccountsConfig(AppConfig):
    name = "arena.accounts"

    def ready(self) -> None:
        from arena.accounts.addresses import RowConverter

        register_converter(RowConverter, "row")
