"""The public log of an event: everything that a person decided by hand (E19, E24, E31)."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from core.db.append_only import append_only
from core.moments import moments_constraint

from .event import Event


class LogKind(models.TextChoices):
    """What was done."""

    CREATED = "created", gettext_lazy("the event was created")
    STATE = "state", gettext_lazy("the event opened, started or ended")
    JOINED = "joined", gettext_lazy("person joined")
    LEFT = "left", gettext_lazy("person left")
    REMOVED = "removed", gettext_lazy("person removed")
    ROLE = "role", gettext_lazy("role changed")
    ENTERED = "entered", gettext_lazy("a player registered")
    ENTRY = "entry", gettext_lazy("a player's state changed")
    WARNED = "warned", gettext_lazy("a player was warned")
    DRAFTED = "drafted", gettext_lazy("pairings drawn")
    PAIRED = "paired", gettext_lazy("pairings were changed by hand")
    PUBLISHED = "published", gettext_lazy("pairings were published")
    CLOSED = "closed", gettext_lazy("a round was closed")
    CORRECTED = "corrected", gettext_lazy("a result was corrected")
    CUT = "cut", gettext_lazy("cut made")
    SETTINGS = "settings", gettext_lazy("the settings were changed")
    LIST = "list", gettext_lazy("an army list was handled")
    DISPUTED = "disputed", gettext_lazy("a result was disputed")
    DECIDED = "decided", gettext_lazy("a leader entered a result")
    UNDONE = "undone", gettext_lazy("something was undone")
    CLOCK = "clock", gettext_lazy("the clock was changed")
    RULED = "ruled", gettext_lazy("ruling made")
    OVERRIDE = "override", gettext_lazy("a rule was overridden")
    IMPORTED = "imported", gettext_lazy("the event was imported")
    FORGOTTEN = "forgotten", gettext_lazy("a player's name was deleted")


class LogLine(models.Model):
    """One line of the log. `facts` are plain values. Lines are never changed or deleted."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="log")
    kind = models.CharField(max_length=10)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [moments_constraint("log_line_moments", "at")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.event}: {self.kind}"
