from django.db import migrations, models

KINDS = [
    ("check_failed", "An upload of yours failed its check"),
    ("bot_fell_out", "A bot of yours has fallen out of a room"),
    ("started", "A tournament of yours starts"),
    ("result", "The result of a tournament of yours"),
    ("match_void", "A match of a tournament that you organize is void"),
    ("announcement", "An organizer has something to say"),
]


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial")]

    operations = [
        migrations.AlterField("muted", "kind", models.CharField(choices=KINDS, max_length=16)),
        migrations.AlterField("notification", "kind", models.CharField(choices=KINDS, max_length=16)),
    ]
