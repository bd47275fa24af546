"""The recorded match of the course is there from the first start."""

import zlib
from datetime import UTC, datetime
from pathlib import Path

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

CODE = "example"
FILE = Path(__file__).parents[1] / "examples" / "golden_recorded_400x23.tsv"


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("recordings", "Recording").objects.create(
        code=CODE,
        title="23 players, 400 rounds",
        credit="Microsoft ai-edu (MIT licence), github.com/microsoft/ai-edu",
        data=zlib.compress(FILE.read_bytes()),
        numbers=2,
        players=23,
        rounds=400,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("recordings", "Recording").objects.filter(code=CODE).delete()


class Migration(migrations.Migration):
    dependencies = [("recordings", "0001_initial")]
    operations = [migrations.RunPython(add, remove)]
