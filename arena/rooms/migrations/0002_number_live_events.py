from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rooms", "0001_rooms_of_the_golden_point")]

    operations = [
        migrations.AddField("room", "event_seq", models.PositiveBigIntegerField(default=0)),
        migrations.AddField("room", "event_version", models.PositiveBigIntegerField(default=1)),
    ]
