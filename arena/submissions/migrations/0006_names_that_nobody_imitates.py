from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from arena.lookalikes import skeleton


def store_skeletons(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """All keep their names, also where two look alike: the older has the skeleton."""
    rows = apps.get_model("submissions", "Bot").objects
    taken: set[tuple[int, str, str]] = set()
    for row in rows.order_by("pk"):
        found = (row.owner_id, row.game, skeleton(row.name))
        if found not in taken:
            taken.add(found)
            rows.filter(pk=row.pk).update(skeleton=found[2])


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0005_asked_at"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="skeleton",
            field=models.CharField(editable=False, max_length=255, null=True),
        ),
        migrations.RunPython(store_skeletons, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="bot",
            constraint=models.UniqueConstraint(fields=("owner", "game", "skeleton"), name="no_bot_looks_like_another"),
        ),
    ]
