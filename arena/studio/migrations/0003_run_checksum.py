from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0002_run_sha256"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="checksum",
            field=models.BigIntegerField(null=True),
        ),
    ]
