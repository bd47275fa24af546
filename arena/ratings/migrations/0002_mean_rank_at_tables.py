"""Add the mean rank at tables of many seats; the next pass computes all ratings afresh."""

from typing import Any

from django.db import migrations, models


def compute_again(apps: Any, schema_editor: Any) -> None:
    apps.get_model("ratings", "RatedDay").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="rating",
            name="mean_rank",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="rating",
            name="mean_seats",
            field=models.FloatField(blank=True, null=True),
        ),
        migrations.RunPython(compute_again, migrations.RunPython.noop),
    ]
