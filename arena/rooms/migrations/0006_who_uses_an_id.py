import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def mark_bots(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """House bots and uploads at the table were players like any other: their ids were published with all rights."""
    player = apps.get_model("rooms", "Player")
    player.objects.filter(room_players__strategy__gt="").update(kind="bot")
    player.objects.filter(bot_seats__isnull=False).update(kind="bot")


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0005_fair_share"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AddressChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("moved", "It had been idle, and belongs to the new address now."),
                            ("refused", "It was refused."),
                            ("allowed", "It was allowed, because this room does not bind ids to addresses."),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="kind",
            field=models.CharField(
                choices=[("program", "Program"), ("browser", "Browser"), ("bot", "Bot")],
                default="program",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="origin",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="player",
            name="used_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="room",
            name="binds_ids",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="room",
            name="origin",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name="player",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["origin", "created_at"], name="players_by_origin"),
        ),
        migrations.AddIndex(
            model_name="room",
            index=models.Index(fields=["origin", "created_at"], name="rooms_by_origin"),
        ),
        migrations.AddField(
            model_name="addresschange",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="address_changes", to="rooms.player"
            ),
        ),
        migrations.AddField(
            model_name="addresschange",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="address_changes", to="rooms.room"
            ),
        ),
        migrations.AddConstraint(
            model_name="addresschange",
            constraint=models.UniqueConstraint(
                fields=("room", "player", "outcome"), name="address_change_once_an_outcome"
            ),
        ),
        migrations.RunPython(mark_bots, migrations.RunPython.noop),
    ]
