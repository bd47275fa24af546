"""Tournaments, their entries, rounds and pairings, and the feed of what happened.

Invariants: ``Tournament.version`` grows by one with every live event, in the transaction that makes the
change shown; whoever changes a tournament's entries or standing raises it first, which makes such changes
one after another. ``Tournament.results`` grows with whatever changes the standing. Reasons are codes, so that
every reader gets them in the own language.
"""

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.matches.models import Match
from arena.submissions.models import Bot, Submission

NAME_LENGTH = 80


class TournamentStatus(models.TextChoices):
    """The life of a tournament; arena.tournaments.lifecycle holds the transitions."""

    OPEN = "open", _("Open for entries")
    FROZEN = "frozen", _("Entries frozen")  # past the deadline, not started
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")  # running matches end, no new one starts
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class Format(models.TextChoices):
    """Who meets whom."""

    ROUND_ROBIN = "round_robin", _("Round robin")
    DOUBLE_ROUND_ROBIN = "double_round_robin", _("Double round robin")
    GROUPS = "groups", _("Groups, then finals")
    SWISS = "swiss", _("Swiss system")
    KNOCKOUT = "knockout", _("Knockout")
    DOUBLE_ELIMINATION = "double_elimination", _("Double elimination")
    GAUNTLET = "gauntlet", _("Gauntlet")
    TABLE = "table", _("Tables of many seats")


class Seeding(models.TextChoices):
    """What the order of the entries, the best seed first, follows from."""

    LOT = "lot", _("By lot")  # drawn from the tournament's seed
    RATING = "rating", _("By rating")  # of the leaderboard when it starts; who has none comes last, by lot


class Openings(models.TextChoices):
    """Where the matches of a game with a setting for it begin."""

    BALANCED = "balanced", _("Balanced openings, each played with both colours")
    START = "start", _("The usual first position")


class EntryPolicy(models.TextChoices):
    """Who may enter."""

    OPEN = "open", _("Everybody")
    MEMBERS = "members", _("Members of the class only")
    INVITED = "invited", _("Invited people only")


class EntryStatus(models.TextChoices):
    """Whether an entry plays."""

    ENTERED = "entered", _("Entered")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    EXCLUDED = "excluded", _("Not admitted")  # no submission had passed its check at the deadline


class EntryReason(models.TextChoices):
    """Why an entry does not play."""

    NO_UPLOAD = "no_upload", _("No upload before the deadline.")
    CHECK_FAILED = "check_failed", _("No upload had passed its check at the deadline.")
    CHECK_UNFINISHED = "check_unfinished", _("Its check had not ended ten minutes after the deadline.")
    CHECK_VOID = "check_void", _("The arena could not run its check; the organizer was told.")
    RETIRED = "retired", _("The bot was retired by its author before the deadline.")
    BY_AUTHOR = "by_author", _("Withdrawn by its author.")
    BY_ORGANIZER = "by_organizer", _("Withdrawn by the organizer.")


class EndReason(models.TextChoices):
    """Why a tournament ended without all of its matches."""

    TOO_FEW_ENTRIES = "too_few_entries", _("Fewer than two bots could be admitted at the deadline.")
    TOO_FEW_LEFT = "too_few_left", _("Fewer than two bots were left after withdrawals.")
    BY_ORGANIZER = "by_organizer", _("The organizer cancelled it.")


class Tournament(models.Model):
    """A competition of one game. ``version`` numbers its live events and grows with every change shown."""

    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    game = models.CharField(_("game"), max_length=32)
    settings = models.JSONField(default=dict)
    limits = models.JSONField(default=dict)
    format = models.CharField(_("format"), max_length=20, choices=Format)
    repeats = models.PositiveSmallIntegerField(_("repeats"), default=1)
    options = models.JSONField(default=dict)  # of the format, see arena.tournaments.formats
    games = models.PositiveSmallIntegerField(_("matches an encounter"), default=1)
    openings = models.CharField(_("openings"), max_length=10, choices=Openings, default=Openings.START)
    seeding = models.CharField(_("seeding"), max_length=10, choices=Seeding, default=Seeding.LOT)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)  # of its clock; empty: the site's
    series = models.ForeignKey("Series", models.SET_NULL, null=True, blank=True, related_name="tournaments")
    tiebreaks = models.JSONField(default=list)  # codes of arena.ranking.tiebreaks in order; empty: its default
    withheld = models.BooleanField(_("results withheld"), default=False)  # until the organizer releases them
    entry_policy = models.CharField(_("who may enter"), max_length=10, choices=EntryPolicy, default=EntryPolicy.OPEN)
    entries_per_person = models.PositiveSmallIntegerField(_("bots per person"), default=1)
    deadline = models.DateTimeField(_("submission deadline"))
    starts_at = models.DateTimeField(_("start"), null=True, blank=True)  # empty: the organizer starts it
    parallel = models.PositiveSmallIntegerField(_("matches at once"), default=0)  # 0: as many as there are workers
    seed = models.BigIntegerField()  # every match's seed and the order of the pairings follow from it
    status = models.CharField(max_length=10, choices=TournamentStatus, default=TournamentStatus.OPEN)
    end_reason = models.CharField(max_length=20, choices=EndReason, blank=True)
    organizer = models.ForeignKey("accounts.User", models.PROTECT, related_name="tournaments")
    course = models.ForeignKey("classes.Course", models.PROTECT, null=True, blank=True, related_name="tournaments")
    members_only = models.BooleanField(default=False)  # nobody else sees anything of it; for a class only
    version = models.PositiveBigIntegerField(default=0)
    results = models.PositiveBigIntegerField(default=0)  # changes that the standing follows from
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)  # when withheld results were shown to everybody
    paired_at = models.DateTimeField(null=True, blank=True)  # since then no round is left to pair

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "deadline"]), models.Index(fields=["status", "starts_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(members_only=False) | models.Q(course__isnull=False),
                name="members_need_a_class",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def audience_id(self) -> int | None:
        """The class whose members alone may see its matches; None: everybody."""
        return self.course_id if self.members_only else None

    @property
    def is_table(self) -> bool:
        return self.format == Format.TABLE


class Series(models.Model):
    """A tournament that comes again every week; ``plan`` holds the columns of a TournamentPlan without its times."""

    organizer = models.ForeignKey("accounts.User", models.CASCADE, related_name="series")
    name = models.CharField(max_length=NAME_LENGTH)
    plan = models.JSONField()
    house_bots = models.JSONField(default=list)
    weekday = models.PositiveSmallIntegerField()  # Monday is 0
    at = models.TimeField()  # by the clock on the wall in its time zone
    time_zone = models.CharField(max_length=64)
    closes_before = models.DurationField(default=timedelta)  # from the submission deadline to the start
    next_at = models.DateTimeField()  # start of the next one to be created
    is_active = models.BooleanField(default=True)
    problem = models.CharField(max_length=300, blank=True)  # why it stopped by itself
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["is_active", "next_at"])]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """A bot in a tournament; freezing pins its submission. The figures are its standing."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="entries")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, blank=True, related_name="entries")
    status = models.CharField(max_length=10, choices=EntryStatus, default=EntryStatus.ENTERED)
    reason = models.CharField(max_length=20, choices=EntryReason, blank=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # from 1, set by the start: who has one is paired
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(default=0)
    played = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    margin = models.FloatField(default=0)
    tiebreaks = models.JSONField(default=list)  # a value, or null, for each of the tournament's

    class Meta:
        ordering = ["tournament", "rank", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "bot"], name="entered_once")]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"


class Standing(models.Model):
    """What was computed with the figures of the entries: progress and crosstable, as of ``counted`` results.

    ``head_to_head`` is what snapshots show; empty where it would be too large.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="standing")
    counted = models.PositiveBigIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)  # not computed again before
    busy_until = models.DateTimeField(null=True, blank=True)  # somebody computes it
    total = models.PositiveIntegerField(default=0)
    finished = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    mean_seconds = models.FloatField(null=True, blank=True)  # of the finished matches
    head_to_head = models.JSONField(default=dict)

    class Meta:
        ordering = ["tournament"]


class Invitation(models.Model):
    """A person who may enter a tournament by invitation."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invitations")
    person = models.ForeignKey("accounts.User", models.CASCADE, related_name="invitations")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "person"], name="invited_once")]


class TournamentRound(models.Model):
    """A numbered round of pairings. ``stage`` is one of arena.ranking.pairing."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    stage = models.CharField(max_length=10, default="main")

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="round_numbered_once")]


class Bye(models.Model):
    """An entry that rests in a round; what that is worth says the format."""

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        ordering = ["round", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="one_bye_a_round")]


class Pairing(models.Model):
    """One match of an encounter, or the walkover that stands for it, open until it is stored, void or cancelled.

    ``encounter`` is numbered within the round and ``leg`` within the encounter, from 1. ``bracket``, ``slot`` and
    ``group`` are those of arena.ranking.pairing. ``ended_at`` leads to the few open ones, and to the latest,
    without a look at all the others.
    """

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="pairings")
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="pairings")
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="pairing")
    encounter = models.PositiveIntegerField(default=1)
    leg = models.PositiveSmallIntegerField(default=1)
    bracket = models.CharField(max_length=12, blank=True)
    slot = models.PositiveSmallIntegerField(default=0)
    group = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "pk"]
        indexes = [models.Index(fields=["tournament", "ended_at"])]


class PairingSeat(models.Model):
    """An entry's seat in a pairing and, once the match is stored, what it scored there.

    ``points`` is the tournament score of arena.ranking.standings, ``margin`` the game's own measure.
    """

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    index = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(null=True, blank=True)
    margin = models.FloatField(null=True, blank=True)
    forfeit = models.BooleanField(default=False)  # lost by a fault

    class Meta:
        ordering = ["pairing", "index"]
        constraints = [models.UniqueConstraint(fields=["pairing", "index"], name="paired_once")]


class NoticeKind(models.TextChoices):
    """What the feed of a tournament tells."""

    CREATED = "created", _("The tournament was created")
    ENTERED = "entered", _("A bot entered")
    WITHDRAWN = "withdrawn", _("A bot was withdrawn")
    EXCLUDED = "excluded", _("A bot was not admitted")
    INVITED = "invited", _("People were invited")  # for the organizer only
    EXTENDED = "extended", _("The deadline was extended")
    FROZEN = "frozen", _("Entries were frozen")
    ORDERED = "ordered", _("The start was ordered")  # before the time, or where none was set
    STARTED = "started", _("The tournament started")
    PAUSED = "paused", _("The tournament was paused")
    RESUMED = "resumed", _("The tournament was resumed")
    FINISHED = "finished", _("The tournament finished")
    CANCELLED = "cancelled", _("The tournament was cancelled")
    CHANGED = "changed", _("The settings were changed")
    MATCH_VOID = "match_void", _("A match could not be played")
    REPLAYED = "replayed", _("A match is played again")  # it was void
    REPLACED = "replaced", _("A finished match is played again")  # ``match`` is the new one
    SUBSTITUTED = "substituted", _("A bot goes on with another version")
    ANNOUNCED = "announced", _("The organizer announced something")
    RELEASED = "released", _("The results were released")


class Notice(models.Model):
    """One line of a tournament's feed: nothing happens to a tournament that leaves none.

    ``text`` is what the organizer wrote: a reason, or an announcement. ``details`` by kind: EXTENDED ``before`` and
    ``after`` (ISO), SUBSTITUTED ``before`` and ``after`` (numbers of versions), ANNOUNCED ``title``, INVITED
    ``people``, REPLACED ``replaced`` (the old match).
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="notices")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=12, choices=NoticeKind)
    actor = models.ForeignKey("accounts.User", models.SET_NULL, null=True, blank=True, related_name="+")
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="+")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="+")
    text = models.TextField(max_length=2000, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
