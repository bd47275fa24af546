"""Add the mean rank at tables of many seats; the next tick draws the standings that have one anew."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def draw_again(apps: Any, schema_editor: Any) -> None:
    Tournament = apps.get_model("tournaments", "Tournament")
    Tournament.objects.filter(format="table").exclude(started_at=None).update(results=F("results") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_start_by_hand_without_a_deadline"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="mean_rank",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
