from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0003_run_checksum"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="last_event",
            field=models.PositiveBigIntegerField(null=True),
        ),
    ]
