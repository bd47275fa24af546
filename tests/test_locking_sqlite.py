"""Tests on SQLite reject ``select_for_update`` outside a transaction of the tested code, as PostgreSQL does."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError

from arena.accounts.models import User


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases count the transaction of the test")
@pytest.mark.django_db
def test_row_locks_need_a_transaction_besides_the_one_of_the_test() -> None:
    rows = User.objects.select_for_update()
    with pytest.raises(TransactionManagementError):
        rows.first()
    with transaction.atomic():
        rows.first()


@pytest.mark.django_db(transaction=True)
def test_row_locks_need_a_transaction_if_the_test_has_none() -> None:
    with pytest.raises(TransactionManagementError):
        User.objects.select_for_update().first()
