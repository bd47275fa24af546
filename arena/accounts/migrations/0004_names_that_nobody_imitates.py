from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from arena.lookalikes import skeleton


def store_skeletons(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """All keep their names, also where two look alike: the older has the skeleton."""
    rows = apps.get_model("accounts", "User").objects
    taken: set[str] = set()
    for row in rows.order_by("pk"):
        found = skeleton(row.username)
        if found not in taken:
            taken.add(found)
            rows.filter(pk=row.pk).update(skeleton=found)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_throttle_buckets"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=models.CharField(editable=False, max_length=255, null=True),
        ),
        migrations.RunPython(store_skeletons, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                fields=("skeleton",),
                name="nobody_looks_like_another",
                violation_error_message="This name looks like that of another person. Choose another.",
            ),
        ),
    ]
