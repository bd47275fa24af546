"""A database backend: SQLite that rejects ``select_for_update`` outside a transaction, as PostgreSQL does."""
