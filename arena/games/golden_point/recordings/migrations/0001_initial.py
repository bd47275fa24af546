"""The table of recorded matches, including the course's recorded match, which is there from the first start."""

import zlib
from datetime import UTC, datetime
from pathlib import Path

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

CODE = "example"
FILE = Path(__file__).parents[1] / "examples" / "golden_recorded_400x23.tsv"


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("recordings", "Recording").objects.create(
        code=CODE,
        example="course",
        data=zlib.compress(FILE.read_bytes()),
        numbers=2,
        players=23,
        rounds=400,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("recordings", "Recording").objects.filter(code=CODE).delete()


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Recording",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=12, unique=True)),
                (
                    "example",
                    models.CharField(blank=True, choices=[("course", "23 players, 400 rounds")], max_length=20),
                ),
                ("title", models.CharField(blank=True, max_length=80)),
                ("credit", models.CharField(blank=True, max_length=200)),
                ("listed", models.BooleanField(default=True)),
                ("data", models.BinaryField()),
                ("numbers", models.PositiveSmallIntegerField()),
                ("players", models.PositiveSmallIntegerField()),
                ("rounds", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recordings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["listed", "-id"], name="recordings__listed_c57deb_idx")],
            },
        ),
        migrations.RunPython(add, remove),
    ]
