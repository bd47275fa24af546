"""Give every tournament a standing that the next tick draws, and close the pairings of matches that are over."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce, Now


def forwards(apps: Any, schema_editor: Any) -> None:
    Tournament = apps.get_model("tournaments", "Tournament")
    Standing = apps.get_model("tournaments", "Standing")
    Pairing = apps.get_model("tournaments", "Pairing")
    Match = apps.get_model("matches", "Match")
    Standing.objects.bulk_create(Standing(tournament_id=pk) for pk in Tournament.objects.values_list("pk", flat=True))
    Tournament.objects.exclude(started_at=None).update(results=1)
    ended = Match.objects.filter(pk=OuterRef("match_id")).values("finished_at")
    Pairing.objects.filter(match__status__in=("finished", "void", "cancelled")).update(
        ended_at=Coalesce(Subquery(ended), Now())
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_standing_and_open_pairings")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
