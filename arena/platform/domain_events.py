"""Domain events: facts that lower layers publish without knowing who subscribes.

    version_activated: Final = DomainEvent[VersionActivated]()       # the app that publishes
    version_activated.subscribe(add_to_feeds)                        # a higher-level app, in ``AppConfig.ready``
    version_activated.publish(VersionActivated(bot.pk, row.pk))      # in the transaction that stores the fact

Subscribers run in that transaction, so a fact and its consequences are either stored together or not stored at all.
Each runs a constant number of queries; anything slow is left to a task that is woken after the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

FactT = TypeVar("FactT")


class DomainEvent(Generic[FactT]):
    """One kind of event and its subscribers, in the order of their subscription."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[[FactT], None]] = []

    def subscribe(self, subscriber: Callable[[FactT], None]) -> None:
        """Call ``subscriber`` for every event from now on; subscribing twice changes nothing."""
        if subscriber not in self._subscribers:
            self._subscribers.append(subscriber)

    def publish(self, fact: FactT) -> None:
        for subscriber in self._subscribers:
            subscriber(fact)
