from collections.abc import Callable, Mapping
from typing import Any

from django.db import migrations, models

# Former names and current ones: the keys of ``Tournament.options``, and the keys of ``Series.plan``.
OPTIONS = {"heroes": "gauntlet_bots", "together": "bots_per_match"}
PLAN = {"games": "matches_per_encounter"}


def copy_options(apps: Any, schema_editor: object) -> None:
    """Store options under their current keys.

    The former keys remain for workers that still run the previous code, which would otherwise use the defaults.
    """
    _change_options(apps, lambda options: options | _rename(options, OPTIONS))


def remove_copies(apps: Any, schema_editor: object) -> None:
    _change_options(apps, lambda options: _rename(options, _swap(OPTIONS)))


def rename_in_plans(apps: Any, schema_editor: object) -> None:
    """Rename the settings in the plans of series; the previous code logs an error and retries later."""
    _change_plans(apps, PLAN, OPTIONS)


def restore_in_plans(apps: Any, schema_editor: object) -> None:
    _change_plans(apps, _swap(PLAN), _swap(OPTIONS))


def _change_options(apps: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects.filter(format__in=("gauntlet", "score_attack"))
    for pk, options in tournaments.values_list("pk", "options"):
        tournaments.filter(pk=pk).update(options=change(options))


def _change_plans(apps: Any, names: Mapping[str, str], option_names: Mapping[str, str]) -> None:
    series = apps.get_model("tournaments", "Series").objects.all()
    for pk, plan in series.values_list("pk", "plan"):
        changed = _rename(plan, names)
        changed["options"] = _rename(plan.get("options", {}), option_names)
        series.filter(pk=pk).update(plan=changed)


def _rename(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in values.items()}


def _swap(names: Mapping[str, str]) -> dict[str, str]:
    return {current: former for former, current in names.items()}


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        # The column keeps its name for workers that still run the previous code.
        migrations.AlterField(
            "tournament",
            "games",
            models.PositiveSmallIntegerField(db_column="games", default=1, verbose_name="matches per encounter"),
        ),
        migrations.RenameField("tournament", "games", "matches_per_encounter"),
        migrations.RunPython(copy_options, remove_copies),
        migrations.RunPython(rename_in_plans, restore_in_plans),
    ]
