import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0003_rooms_that_people_make"),
        ("submissions", "0002_keep_where_a_check_failed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BotSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fence", models.PositiveIntegerField(default=0, editable=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("worker", models.CharField(blank=True, editable=False, max_length=120)),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("woken_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waits for a worker"), ("playing", "Plays"), ("ended", "Has left")],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                (
                    "ended_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("fault", "It made a fault"),
                            ("taken", "It was taken from the table"),
                            ("over", "The room has finished"),
                            ("full", "The room was full"),
                            ("alone", "Nobody but bots was there for long"),
                            ("failed", "The arena could not run it"),
                        ],
                        max_length=8,
                    ),
                ),
                ("diagnosis", models.JSONField(null=True)),
                ("log", models.BinaryField(default=bytes)),
                ("failure", models.CharField(blank=True, max_length=500)),
                ("seated_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bot_seats", to="rooms.player"
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bot_seats", to="rooms.room"
                    ),
                ),
                (
                    "seated_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="room_seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="room_seats",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            "botseat",
            models.UniqueConstraint(
                fields=["room", "player"], condition=~Q(status="ended"), name="bot_sits_once_at_a_time"
            ),
        ),
        migrations.AddIndex(
            "botseat", models.Index(fields=["status"], condition=~Q(status="ended"), name="seats_in_use")
        ),
    ]
