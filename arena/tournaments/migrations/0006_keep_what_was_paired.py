"""Tournaments that were paired at their start have no round left to pair; their entries keep an order."""

from typing import Any

from django.db import migrations
from django.db.models import F


def forwards(apps: Any, schema_editor: Any) -> None:
    Tournament = apps.get_model("tournaments", "Tournament")
    Entry = apps.get_model("tournaments", "Entry")
    Pairing = apps.get_model("tournaments", "Pairing")
    started = Tournament.objects.exclude(started_at=None)
    started.update(paired_at=F("started_at"))
    for tournament in started:
        entries = list(Entry.objects.filter(tournament=tournament, seats__isnull=False).distinct().order_by("pk"))
        for seed, entry in enumerate(entries, start=1):
            entry.seed = seed
        Entry.objects.bulk_update(entries, ["seed"])
        pairings = list(Pairing.objects.filter(tournament=tournament).order_by("round__number", "pk"))
        numbers: dict[int, int] = {}
        for pairing in pairings:
            numbers[pairing.round_id] = pairing.encounter = numbers.get(pairing.round_id, 0) + 1
        Pairing.objects.bulk_update(pairings, ["encounter"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_formats")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
