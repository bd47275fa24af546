from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_delete


class ClassesConfig(AppConfig):
    name = "arena.classes"

    def ready(self) -> None:
        from arena.classes.models import Membership

        post_delete.connect(_on_membership_deleted, sender=Membership, dispatch_uid="arena.classes")


def _on_membership_deleted(instance: Any, **_: Any) -> None:
    """Recheck the WebSockets of a person who has left a class, or whose class was deleted."""
    from arena.platform.live.revocation import revoke

    revoke(people=[instance.person_id])
