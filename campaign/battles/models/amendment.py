"""Amendment: an organizer's change to a battle that later results build on, not in effect until it is applied."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from campaign.battles.models.battle import Battle, Side
from core.db.uuid_key import UUIDModel
from registers.models import LedgerEntry


class Amendment(UUIDModel):
    """A change to a battle whose sequence has begun: answers undone, a corrected report, or a void battle.

    The ledgers stay unchanged until it is applied; `services.replay` computes its result on each visit.
    `wanted` holds the answers to undo as {"step", "place"} (none: the whole sequence), or the corrected report as
    {"winner", "mission", "notes", "victory_points", "facts"}, both by color. `decisions` are the new answers, in the
    form of `campaign.battles.services.replay.decisions`. `kept` are answers that are not asked for now and are used
    again if a later amendment asks for them. `entries` are the ledger entries that applying it wrote.
    """

    class What(models.TextChoices):
        ANSWER = "answer", gettext_lazy("answer undone")
        STEP = "step", gettext_lazy("step undone")
        SEQUENCE = "sequence", gettext_lazy("Post-Battle Sequence undone")
        REPORT = "report", gettext_lazy("report corrected")
        ANNUL = "annul", gettext_lazy("battle voided")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        APPLIED = "applied", gettext_lazy("applied")
        DROPPED = "dropped", gettext_lazy("dropped")

    battle = models.ForeignKey(Battle, models.PROTECT, related_name="amendments")
    colour = models.CharField(max_length=4, choices=[(Side.BLUE, "blue"), (Side.RED, "red")], blank=True, default="")
    what = models.CharField(max_length=8, choices=What)
    wanted = models.JSONField(default=dict)
    decisions = models.JSONField(default=list)
    kept = models.JSONField(default=list)
    reason = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True)
    entries = models.ManyToManyField(LedgerEntry, related_name="+")

    class Meta:
        ordering = ["-made_at"]
        constraints = [
            models.UniqueConstraint(fields=["battle"], condition=Q(state="open"), name="one_open_amendment_a_battle"),
            models.CheckConstraint(condition=~Q(reason=""), name="amendment_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state="open", closed_at__isnull=True)
                | Q(state__in=["applied", "dropped"], closed_at__isnull=False),
                name="amendment_open_or_closed",
            ),
        ]

    def __str__(self) -> str:
        return gettext("%(battle)s: %(what)s") % {"battle": self.battle, "what": self.get_what_display()}

    def get_absolute_url(self) -> str:
        """Return the URL of the page that shows its result."""
        return reverse("battles:amendment", args=[self.pk])
