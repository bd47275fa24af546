from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial"), ("reversi_analysis", "0001_initial")]

    operations = [
        migrations.RenameModel("Study", "Analysis"),
        migrations.AlterModelOptions("analysis", {"ordering": ["-pk"], "verbose_name_plural": "analyses"}),
        migrations.AlterField(
            "analysis",
            "match",
            models.ForeignKey(
                blank=True, null=True, on_delete=models.CASCADE, related_name="analyses", to="matches.match"
            ),
        ),
        migrations.RenameIndex("analysis", new_name="analysis_turns", old_name="study_turns"),
        migrations.RenameIndex("analysis", new_name="analysis_shares", old_name="study_shares"),
        migrations.RenameIndex(
            "analysis", new_name="reversi_ana_status_4c509f_idx", old_name="reversi_ana_status_657dd8_idx"
        ),
        migrations.RenameIndex(
            "analysis", new_name="reversi_ana_request_1bc6a2_idx", old_name="reversi_ana_request_a722f5_idx"
        ),
        migrations.RemoveConstraint("analysis", "match_studied_once"),
        migrations.RemoveConstraint("analysis", "line_studied_once"),
        migrations.AddConstraint(
            "analysis",
            models.UniqueConstraint(
                fields=["match", "engine"], condition=models.Q(match__isnull=False), name="match_analysed_once"
            ),
        ),
        migrations.AddConstraint(
            "analysis",
            models.UniqueConstraint(
                fields=["digest", "engine"], condition=models.Q(match__isnull=True), name="line_analysed_once"
            ),
        ),
    ]
