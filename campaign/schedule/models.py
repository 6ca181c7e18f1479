"""The schedule of a campaign: its phases, its rounds with their pairings, and who can play."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext, gettext_lazy

from campaign.battles.models.battle import Battle
from campaign.models.campaign import Campaign
from campaign.star_map.models import System
from core.db.uuid_key import UUIDModel
from core.moments import days_constraint
from registers.models import Register


class Phase(UUIDModel):
    """A phase of a campaign; phases do not overlap. `size` (points) is a suggestion; `version` counts changes."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="phases")
    name = models.CharField(max_length=80)
    first_day = models.DateField()
    last_day = models.DateField()
    size = models.PositiveIntegerField(null=True, blank=True)
    note = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["first_day", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(last_day__gte=F("first_day")), name="phase_ends_after_it_starts"),
            models.CheckConstraint(condition=~Q(name=""), name="phase_has_a_name"),
            days_constraint("phase_days", "first_day", "last_day"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_now(self) -> bool:
        """Whether it is running today."""
        return self.first_day <= timezone.localdate() <= self.last_day

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.last_day < timezone.localdate()


class Round(UUIDModel):
    """A round of a campaign: at first a draft of pairings, then the battles created from it.

    `due` is the last day for its battles, and the date they are created with; `size` is in points. `nearness` is what
    the pairing compares, `only_available` whether it began with those who said that they can play. `mates` says whether
    teammates meet, `stakes` which systems of the star map new pairings get. `seed` decides between pairings that are
    otherwise equal; "Pair again" replaces it. `version` counts changes of the draft.
    """

    class State(models.TextChoices):
        DRAFT = "draft", gettext_lazy("draft")
        CREATED = "created", gettext_lazy("created")

    class Nearness(models.TextChoices):
        POTENTIAL = "potential", gettext_lazy("Combat Potential")
        RECORD = "record", gettext_lazy("Record")

    class Mates(models.TextChoices):
        APART = "apart", gettext_lazy("Avoid")
        ANY = "any", gettext_lazy("Allow")
        TOGETHER = "together", gettext_lazy("Prefer")

    class Stakes(models.TextChoices):
        CONTESTED = "contested", gettext_lazy("Contested first")
        NEIGHBORS = "neighbors", gettext_lazy("Neighbors")
        BY_HAND = "", gettext_lazy("By hand")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()
    phase = models.ForeignKey(Phase, models.SET_NULL, null=True, blank=True, related_name="rounds")
    due = models.DateField()
    size = models.PositiveIntegerField()
    place = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)
    nearness = models.CharField(max_length=10, choices=Nearness, default=Nearness.POTENTIAL)
    mates = models.CharField(max_length=8, choices=Mates, default=Mates.APART)
    stakes = models.CharField(max_length=9, choices=Stakes, default=Stakes.BY_HAND, blank=True)
    only_available = models.BooleanField(default=False)
    seed = models.CharField(max_length=32)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="round_numbers_are_unique"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(state="draft"), name="one_draft_round_a_campaign"),
            models.CheckConstraint(condition=Q(state__in=["draft", "created"]), name="round_known_state"),
            days_constraint("round_day", "due"),
        ]

    def __str__(self) -> str:
        return gettext("Round %(number)s") % {"number": self.number}

    def get_absolute_url(self) -> str:
        """Return the address of the round's page."""
        return reverse("schedule:round", args=[self.campaign_id, self.number])

    @property
    def is_draft(self) -> bool:
        """Whether its battles have not been created yet."""
        return self.state == self.State.DRAFT

    @property
    def is_late(self) -> bool:
        """Whether its last day is past."""
        return self.due < timezone.localdate()


class Pairing(UUIDModel):
    """Two Registers that meet in a round, or one that has a bye. Its key becomes the key of its `battle`, unless
    that is planned again. In a draft `system` is what they will fight for; `campaign.star_map` knows it afterwards.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    place = models.PositiveSmallIntegerField()
    blue = models.ForeignKey(Register, models.CASCADE, related_name="+")
    red = models.ForeignKey(Register, models.CASCADE, null=True, blank=True, related_name="+")
    battle = models.OneToOneField(Battle, models.SET_NULL, null=True, blank=True, related_name="pairing")
    system = models.ForeignKey(System, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["round", "place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "place"], name="pairings_are_numbered"),
            models.CheckConstraint(condition=~Q(blue=F("red")), name="pairing_of_two_registers"),
        ]

    def __str__(self) -> str:
        if self.red is None:
            return gettext("%(register)s: bye") % {"register": self.blue}
        return gettext("%(blue)s against %(red)s") % {"blue": self.blue, "red": self.red}


class Availability(models.Model):
    """That a member can play the round with this `number`, on `weekdays` from 0 (Monday), on any day without them."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="availabilities")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="availabilities")
    number = models.PositiveIntegerField()
    weekdays = models.JSONField(default=list, blank=True)
    note = models.CharField(max_length=120, blank=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number", "user"]
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "number"], name="one_availability_a_round")]

    def __str__(self) -> str:
        return gettext("%(user)s in round %(number)s") % {"user": self.user, "number": self.number}

    @property
    def days(self) -> str:
        """The weekdays in words; empty for any day."""
        known = [day for day in self.weekdays if day in WEEKDAYS]
        names = WEEKDAYS if len(known) < 3 else WEEKDAYS_ABBR
        return ", ".join(str(names[day]) for day in sorted(known))
