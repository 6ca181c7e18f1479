"""A battle and its two sides."""

import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from campaign.models.campaign import Campaign
from catalogue.models import StoryArc
from core.db.uuid_key import UUIDModel
from core.moments import days_constraint, moments_constraint
from core.time_zones import zone_of
from registers.fields import CampaignRulesField
from registers.models import Register


class BattleStatus(models.TextChoices):
    """The status of a battle."""

    PLANNED = "planned", gettext_lazy("planned")
    READY = "ready", gettext_lazy("ready")
    IN_PLAY = "in_play", gettext_lazy("in play")
    REPORTED = "reported", gettext_lazy("reported")
    DISPUTED = "disputed", gettext_lazy("disputed")
    SEQUENCE = "sequence", gettext_lazy("in the Post-Battle Sequence")
    CLOSED = "closed", gettext_lazy("closed")
    CANCELLED = "cancelled", gettext_lazy("canceled")


#: States before play begins: armies may still be changed, and are hidden from the opponent.
BEFORE_PLAY = (BattleStatus.PLANNED, BattleStatus.READY)


class Battle(UUIDModel):
    """A battle of two sides, from its plan to the end of both sequences.

    `campaign.battles.state_machine` has its states. `size` is army points (R18). `owner` is the color whose Turning
    Point Mission is played, or empty (R22), and `turning_point` the Story Arc it belongs to, because its owner may
    start another arc before the other side is done. `campaign_rules` are those of the campaign when the battle began;
    its sequence follows them even if the campaign changes later. `date`, `place` and `arrangements` are what the
    players agreed on; so is `time`, on the clock of `time_zone` (an IANA name, empty without a time). `round` is that
    of the game, from 1. `reported_by` is the player whose report it is, even if someone else entered it. `plan_version`
    counts changes of the plan and `version` counts reports, so that nobody changes or confirms an outdated one.
    """

    Status = BattleStatus

    class Winner(models.TextChoices):
        BLUE = "blue", gettext_lazy("blue")
        RED = "red", gettext_lazy("red")
        NOBODY = "", gettext_lazy("nobody")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="battles")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=BattleStatus, default=BattleStatus.PLANNED)
    size = models.PositiveIntegerField()
    rank_table = models.CharField(max_length=20, blank=True)
    owner = models.CharField(max_length=4, blank=True)
    turning_point = models.ForeignKey(StoryArc, models.PROTECT, null=True, blank=True, related_name="+")
    date = models.DateField()
    time = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    place = models.CharField(max_length=120, blank=True, default="", db_default="")
    arrangements = models.TextField(blank=True, default="", db_default="")
    plan_version = models.PositiveIntegerField(default=0, db_default=0)
    mission = models.CharField(max_length=120, blank=True)
    notes = models.TextField(blank=True)
    winner = models.CharField(max_length=4, choices=Winner, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    round = models.PositiveSmallIntegerField(default=1)
    reported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    campaign_rules = CampaignRulesField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="battle_numbers_are_unique"),
            models.CheckConstraint(condition=Q(owner__in=["", "blue"]), name="owner_of_a_turning_point_is_blue"),
            models.CheckConstraint(condition=Q(winner__in=["", "blue", "red"]), name="winner_is_a_side"),
            models.CheckConstraint(condition=Q(status__in=BattleStatus.values), name="battle_known_status"),
            days_constraint("battle_day", "date"),
            moments_constraint("battle_moments", "created_at", "closed_at"),
        ]
        indexes = [models.Index(fields=["campaign", "status"], name="battles_by_campaign_and_status")]

    def __str__(self) -> str:
        return gettext("Battle %(number)s") % {"number": self.number}

    def get_absolute_url(self) -> str:
        """Return the URL of the battle's page."""
        return reverse("battles:detail", args=[self.pk])

    @property
    def starts_at(self) -> datetime.datetime | None:
        """When it begins, in its time zone; None if the players have not agreed on a time of day."""
        if self.time is None:
            return None
        return datetime.datetime.combine(self.date, self.time, zone_of(self.time_zone))

    @property
    def stage(self) -> str:
        """A token of the battle's progress that changes with each status and each report."""
        return f"{self.status}-{self.version}"

    @property
    def is_over(self) -> bool:
        """Whether it is closed or canceled."""
        return self.status in (BattleStatus.CLOSED, BattleStatus.CANCELLED)

    @property
    def armies_hidden(self) -> bool:
        """Whether its armies are hidden: until it begins, and forever if it was canceled before that. Otherwise,
        canceling would reveal the opponent's army. `campaign_rules` are set only once a battle has begun.
        """
        never_begun = self.status == BattleStatus.CANCELLED and self.campaign_rules is None
        return self.status in BEFORE_PLAY or never_begun


class Side(models.Model):
    """One side of a battle: a Register, or a guest with a name and points (R17).

    `army` and `report` hold the army and the report in the form of `campaign.battles.report_data`; `version` counts
    changes of the army and its Agenda. `acting_user` is the organizer who plays the other side and has confirmed
    acting for this one. `step` is its step of the sequence (0 before, 11 when done), and `answers` are those of
    that step. `turn` counts answers and undos, so that an outdated form changes nothing. `rival` is the opponent's
    unit it named in step 5: null until it has named one, empty for none. A side is `open` until its sequence is over
    or the battle is canceled. A Register has any number of open sides, and one of them at most has `begun` (R11).
    """

    BLUE, RED = "blue", "red"
    DONE = 11

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="sides")
    colour = models.CharField(max_length=4, choices=[(BLUE, "blue"), (RED, "red")])
    register = models.ForeignKey(Register, models.PROTECT, null=True, blank=True, related_name="sides")
    guest_name = models.CharField(max_length=80, blank=True)
    guest_faction = models.CharField(max_length=20, blank=True)
    guest_points = models.PositiveIntegerField(default=0)
    army_chosen = models.BooleanField(default=False)
    army = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=0, db_default=0)
    acting_user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    report = models.JSONField(default=dict, blank=True)
    victory_points = models.PositiveIntegerField(default=0)
    step = models.PositiveSmallIntegerField(default=0)
    answers = models.JSONField(default=list, blank=True)
    turn = models.PositiveIntegerField(default=0)
    rival = models.CharField(max_length=8, null=True, blank=True)
    open = models.BooleanField(default=True)
    begun = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["battle_id", "colour"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "colour"], name="one_side_a_colour"),
            models.UniqueConstraint(
                fields=["register"], condition=Q(open=True, begun=True), name="one_battle_in_play_a_register"
            ),
            models.CheckConstraint(
                condition=Q(register__isnull=False, guest_name="") | Q(register__isnull=True) & ~Q(guest_name=""),
                name="a_register_or_a_guest",
            ),
            models.CheckConstraint(condition=Q(step__lte=11), name="ten_steps_and_done"),
            models.CheckConstraint(
                condition=Q(step=0) | Q(register__isnull=False), name="only_registers_walk_the_steps"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.colour})"

    @property
    def name(self) -> str:
        """The Register's name, or the guest's."""
        return self.register.name if self.register else self.guest_name

    @property
    def own_register(self) -> Register:
        """The Register of the side. Raises ValueError for a guest's side."""
        if self.register is None:
            raise ValueError(f"{self} is a guest")
        return self.register

    @property
    def agenda(self) -> str | None:
        """The slug of the Agenda that the side brings, "" for none, or None if it has not chosen yet (R23)."""
        return self.army.get("agenda")

    @property
    def is_guest(self) -> bool:
        """Whether the side has no Register."""
        return self.register_id is None

    @property
    def done(self) -> bool:
        """Whether its sequence is over. A guest has none."""
        return self.is_guest or self.step == self.DONE
