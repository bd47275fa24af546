"""The backend's database wrapper.

Django ignores ``select_for_update`` on SQLite, and most tests run in a transaction of their own, so neither would
reveal a query that fails on PostgreSQL. Only transactions that the tested code opens count.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base, features, operations
from django.db.transaction import TransactionManagementError

from tests.migrated import CopiedCreation


class DatabaseFeatures(features.DatabaseFeatures):
    has_select_for_update = True
    has_select_for_update_of = True


class DatabaseOperations(operations.DatabaseOperations):
    def for_update_sql(self, *_args: Any, **_kwargs: Any) -> str:
        """Return no SQL, because SQLite locks the whole database; raise if only the test has opened a transaction."""
        blocks: list[Any] = self.connection.atomic_blocks
        if all(block._from_testcase for block in blocks):
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        return ""


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    ops_class = DatabaseOperations
    creation_class = CopiedCreation
