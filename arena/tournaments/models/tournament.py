"""A tournament: its plan, status and progress."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 80


class TournamentStatus(models.TextChoices):
    """The status of a tournament; arena.tournaments.lifecycle defines the transitions."""

    OPEN = "open", _("Open for entries")
    FROZEN = "frozen", _("Entries frozen")  # past the deadline, not started
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")  # running matches finish, but no new ones start
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class Format(models.TextChoices):
    """The format of a tournament, which determines how entries are paired."""

    ROUND_ROBIN = "round_robin", _("Round robin")
    DOUBLE_ROUND_ROBIN = "double_round_robin", _("Double round robin")
    GROUPS = "groups", _("Groups, then finals")
    SWISS = "swiss", _("Swiss system")
    KNOCKOUT = "knockout", _("Knockout")
    DOUBLE_ELIMINATION = "double_elimination", _("Double elimination")
    GAUNTLET = "gauntlet", _("Gauntlet")
    TABLE = "table", _("Multi-seat tables")
    SCORE_ATTACK = "score_attack", _("Score attack")


class Seeding(models.TextChoices):
    """The criterion that orders the entries, best seed first."""

    RANDOM = "random", _("Random")  # drawn from the tournament's seed
    # by rating on the leaderboard at the start; unrated entries come last, in random order
    RATING = "rating", _("By rating")


class Openings(models.TextChoices):
    """The kind of position from which matches start, in games with a setting for openings."""

    BALANCED = "balanced", _("Balanced openings")
    START = "start", _("Standard starting position")


class EntryPolicy(models.TextChoices):
    """The policy that decides who may enter a tournament."""

    OPEN = "open", _("Everyone")
    MEMBERS = "members", _("Class members only")
    INVITED = "invited", _("Invited people only")

    def for_audience(self, *, members_only: bool) -> "EntryPolicy":
        """Return the policy that applies: if only members can see the tournament, "everyone" means all members."""
        return EntryPolicy.MEMBERS if members_only and self == EntryPolicy.OPEN else self


class RecordRetention(models.TextChoices):
    """The retention of records, logs and turn pages of a tournament's matches; results are always kept."""

    SITE = "site", _("Use the site default")
    KEEP = "keep", _("Keep permanently")
    REDUCE = "reduce", _("Keep in full for a set number of days after the tournament ends")


class EndReason(models.TextChoices):
    """The reason why a tournament ended before all of its matches were played."""

    TOO_FEW_ENTRIES = "too_few_entries", _("Fewer than two bots were eligible when entries closed.")
    TOO_FEW_LEFT = "too_few_left", _("Fewer than two bots were left after withdrawals.")
    BY_ORGANIZER = "by_organizer", _("The organizer cancelled the tournament.")


class Tournament(models.Model):
    """A competition in one game. ``version`` numbers its live events and increases with every visible change."""

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    texts = models.JSONField(default=dict, editable=False)  # for a demonstration: "name" and "description" by language
    game = models.CharField(_("game"), max_length=32)
    settings = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    format = models.CharField(_("format"), max_length=20, choices=Format)
    repeats = models.PositiveSmallIntegerField(_("repeats"), default=1)
    options = models.JSONField(default=dict)  # format settings, see arena.tournaments.formats.traits
    # the column has its former name for processes that still run the previous code during an update
    matches_per_encounter = models.PositiveSmallIntegerField(_("matches per encounter"), default=1, db_column="games")
    openings = models.CharField(_("openings"), max_length=10, choices=Openings, default=Openings.START)
    seeding = models.CharField(_("seeding"), max_length=10, choices=Seeding, default=Seeding.RANDOM)
    # time zone of its times; empty: the site's time zone
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    series = models.ForeignKey("Series", models.SET_NULL, null=True, blank=True, related_name="tournaments")
    tiebreaks = models.JSONField(default=list)  # codes of arena.core.ranking.tiebreaks in order; empty: the default
    # whether results are withheld until the organizer releases them
    withheld = models.BooleanField(_("results withheld"), default=False)
    entry_policy = models.CharField(_("who may enter"), max_length=10, choices=EntryPolicy, default=EntryPolicy.OPEN)
    entries_per_person = models.PositiveSmallIntegerField(_("bots per person"), default=1)
    deadline = models.DateTimeField(_("submission deadline"), null=True, blank=True)  # empty: until the start
    starts_at = models.DateTimeField(_("start"), null=True, blank=True)  # empty: the organizer starts it
    parallel = models.PositiveSmallIntegerField(_("parallel matches"), default=0)  # 0: as many as there are workers
    seed = models.BigIntegerField()  # determines every match's seed and the order of the pairings
    status = models.CharField(max_length=10, choices=TournamentStatus, default=TournamentStatus.OPEN)
    end_reason = models.CharField(max_length=20, choices=EndReason, blank=True)
    organizer = models.ForeignKey("accounts.User", models.PROTECT, related_name="tournaments")
    course = models.ForeignKey("classes.Course", models.PROTECT, null=True, blank=True, related_name="tournaments")
    members_only = models.BooleanField(default=False)  # whether it is visible only to members of its class
    record_retention = models.CharField(max_length=10, choices=RecordRetention, default=RecordRetention.SITE)
    record_days = models.PositiveSmallIntegerField(null=True, blank=True)  # days after its end; only for REDUCE
    version = models.PositiveBigIntegerField(default=0)
    results = models.PositiveBigIntegerField(default=0)  # number of changes that affect the standings
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)  # when withheld results were released to everyone
    paired_at = models.DateTimeField(null=True, blank=True)  # when all rounds had been paired

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "deadline"]), models.Index(fields=["status", "starts_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(members_only=False) | models.Q(course__isnull=False),
                name="members_need_a_class",
            ),
            models.CheckConstraint(
                condition=models.Q(starts_at__isnull=True) | models.Q(deadline__isnull=False),
                name="a_scheduled_start_needs_a_deadline",
            ),
            models.CheckConstraint(
                condition=models.Q(record_retention="reduce", record_days__isnull=False)
                | models.Q(~models.Q(record_retention="reduce"), record_days__isnull=True),
                name="only_reduced_records_have_days",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def audience_id(self) -> int | None:
        """Return the id of the class whose members may see the matches; None if the matches are public."""
        return self.course_id if self.members_only else None

    @property
    def is_table(self) -> bool:
        return self.format == Format.TABLE


class Standing(models.Model):
    """The parts of the computed standings that are not stored in entries: progress and crosstable.

    ``counted``: the number of results included. ``head_to_head``: as in snapshots; empty if it would be too large.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="standing")
    counted = models.PositiveBigIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)  # the standings are not recomputed before this time
    busy_until = models.DateTimeField(null=True, blank=True)  # until then, a process is presumed to be computing them
    total = models.PositiveIntegerField(default=0)
    finished = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    mean_seconds = models.FloatField(null=True, blank=True)  # mean duration of the finished matches
    head_to_head = models.JSONField(default=dict)

    class Meta:
        ordering = ["tournament"]
