"""Write the rows of a table to a Parquet file, with one row group in memory at a time.

Invariant: the same rows give the same bytes in any process at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from arro3.core import Array, DataType, Field, RecordBatch, RecordBatchReader, Schema
from arro3.io import write_parquet

from arena.dataset.schema import VERSION, Column, ColumnType, Table

Row: TypeAlias = Sequence[Any]
GROUP_ROWS: Final = 65_536
# The files are a tenth smaller than at level 3, and compressing the moves takes less time than replaying them anyway.
_COMPRESSION: Final = "zstd(9)"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY: Final = date(1970, 1, 1)
_TYPES: Final = {
    ColumnType.INT64: DataType.int64(),
    ColumnType.INT32: DataType.int32(),
    ColumnType.INT16: DataType.int16(),
    ColumnType.FLOAT64: DataType.float64(),
    ColumnType.BOOL: DataType.bool(),
    ColumnType.TEXT: DataType.utf8(),
    ColumnType.JSON: DataType.utf8(),
    ColumnType.TIME: DataType.timestamp("us", tz="UTC"),
    ColumnType.DATE: DataType.date32(),
}


def write_table(path: Path, table: Table, rows: Iterable[Row]) -> int:
    """Write the file and return its number of rows. Every file has at least one row group, which may be empty."""
    schema = _schema(table)
    counted = _RowCounter()
    batches = RecordBatchReader.from_batches(schema, _batches(table, schema, rows, counted))
    write_parquet(batches, path, compression=_COMPRESSION, max_row_group_size=GROUP_ROWS)
    return counted.rows


class _RowCounter:
    rows = 0


def _batches(table: Table, schema: Schema, rows: Iterable[Row], counted: _RowCounter) -> Iterator[RecordBatch]:
    remaining = iter(rows)
    while group := list(islice(remaining, GROUP_ROWS)):
        counted.rows += len(group)
        columns = zip(*group, strict=True)
        arrays = [_array(column, values) for column, values in zip(table.columns, columns, strict=True)]
        yield RecordBatch.from_arrays(arrays, schema=schema)


def _schema(table: Table) -> Schema:
    fields = [
        Field(
            column.name,
            _TYPES[column.kind],
            nullable=column.optional,
            metadata={"description": column.description},
        )
        for column in table.columns
    ]
    about = {"table": table.name, "description": table.description, "schema_version": str(VERSION)}
    return Schema(fields, metadata=about)


def _array(column: Column, values: Sequence[Any]) -> Array:
    if column.kind is ColumnType.TIME:
        return Array(list(map(_microseconds, values)), type=DataType.int64()).cast(_TYPES[column.kind])
    if column.kind is ColumnType.DATE:
        return Array([(day - _FIRST_DAY).days for day in values], type=DataType.int32()).cast(_TYPES[column.kind])
    return Array(list(values), type=_TYPES[column.kind])


def _microseconds(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
