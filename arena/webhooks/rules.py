"""The operator's rules for receivers, read from the settings."""

from __future__ import annotations

from django.conf import settings

from arena.webhooks.sending.addresses import AddressPolicy
from arena.webhooks.sending.client import Client
from arena.webhooks.sending.targets import TargetRules
from arena.webhooks.sending.transport import HttpTransport


def target_rules() -> TargetRules:
    return TargetRules(
        hosts=settings.WEBHOOK_HOSTS,
        ports=settings.WEBHOOK_PORTS,
        allow_http=settings.WEBHOOK_ALLOW_HTTP,
        addresses=AddressPolicy(tuple(settings.WEBHOOK_PRIVATE_NETWORKS)),
    )


def http_transport() -> HttpTransport:
    rules = target_rules()
    return HttpTransport(rules, Client(rules.addresses, settings.WEBHOOK_SECONDS))
