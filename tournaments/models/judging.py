"""Judge calls and terrain checks (E3, E44)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from .entry import Entry
from .event import Event
from .round import Game


class CallState(models.TextChoices):
    """Where a judge call stands."""

    WAITING = "waiting", gettext_lazy("waiting")
    TAKEN = "taken", gettext_lazy("a judge is coming")
    RULED = "ruled", gettext_lazy("ruled")
    APPEALED = "appealed", gettext_lazy("appealed")
    OVER = "over", gettext_lazy("settled")


class JudgeCall(models.Model):
    """A call for a judge, its ruling and its appeal (E3). A call stays when its pairings are undone: without a game."""

    State = CallState
    round_name: str  # set by pages

    event = models.ForeignKey(Event, models.CASCADE, related_name="judge_calls")
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="judge_calls")
    table = models.PositiveIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField(default=0)
    caller = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    question = models.TextField(blank=True, max_length=1000)
    state = models.CharField(max_length=8, choices=CallState, default=CallState.WAITING)
    called_at = models.DateTimeField(default=timezone.now, editable=False)
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    taken_at = models.DateTimeField(null=True)
    ruling = models.TextField(blank=True, max_length=2000)
    ruled_at = models.DateTimeField(null=True)
    appealed_by = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    appeal_ruling = models.TextField(blank=True, max_length=2000)
    overruled = models.BooleanField(default=False)
    appeal_judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    appeal_ruled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"],
                condition=Q(state__in=(CallState.WAITING, CallState.TAKEN)),
                name="one_open_call_a_game",
            ),
            models.CheckConstraint(condition=Q(state__in=CallState.values), name="call_known_state"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.table}"


class TerrainCheck(models.Model):
    """The terrain checklist of a table (E44). `ticks` are the keys of the lines that are ticked."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="terrain_checks")
    table = models.PositiveIntegerField()
    small = models.BooleanField(default=False)
    ticks = models.JSONField(default=list)
    checked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    checked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["table"]
        constraints = [models.UniqueConstraint(fields=["event", "table"], name="one_terrain_check_a_table")]

    def __str__(self) -> str:
        return f"{self.event}: {self.table}"
