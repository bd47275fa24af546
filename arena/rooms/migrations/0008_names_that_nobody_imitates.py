from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from arena.lookalikes import skeleton

_PORTION = 1000


def name_members(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Members keep their names, also where two of a room look alike: the first has the skeleton."""
    members = apps.get_model("rooms", "RoomPlayer").objects
    rows = members.select_related("player").order_by("room_id", "index")
    room = None
    taken: set[str] = set()
    named: list[Any] = []
    for row in rows:
        if row.room_id != room:
            room, taken = row.room_id, set()
        row.nickname, found = row.player.nickname, skeleton(row.player.nickname)
        row.skeleton = None if found in taken else found
        taken.add(found)
        named.append(row)
        if len(named) == _PORTION:
            members.bulk_update(named, ["nickname", "skeleton"])
            named = []
    members.bulk_update(named, ["nickname", "skeleton"])


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0007_failures_of_a_seat"),
    ]

    operations = [
        migrations.AddField(
            model_name="roomplayer",
            name="nickname",
            field=models.CharField(default="", max_length=20),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="roomplayer",
            name="skeleton",
            field=models.CharField(editable=False, max_length=255, null=True),
        ),
        migrations.RunPython(name_members, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="roomplayer",
            constraint=models.UniqueConstraint(fields=("room", "skeleton"), name="nobody_looks_like_another_player"),
        ),
    ]
