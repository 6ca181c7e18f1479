"""The army lists of players, with all their versions (E8–E10)."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from .entry import Entry


class SubmittedList(models.Model):
    """A version of a player's army list; the last one counts (E9). `number` counts from 1.

    `units`, `command_hand` and `battle_deck` are as in `lists.models.ArmyList`; `typed_deck` are the names of battle
    cards of 2020, in a list for each type. `points` are those of its cards without
    loadouts, `loadout_points` those of the loadouts. `violations` are objects with `rule` and `text`. A list with
    violations counts once a leader has accepted it with a reason (E8).
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="lists")
    number = models.PositiveSmallIntegerField()
    faction = models.CharField(max_length=20, blank=True)
    battle_force = models.CharField(max_length=120, blank=True)
    points = models.PositiveIntegerField(default=0)
    loadout_points = models.PositiveIntegerField(default=0)
    units = models.JSONField(default=list)
    command_hand = models.JSONField(default=list)
    battle_deck = models.JSONField(default=list)
    typed_deck = models.JSONField(default=list)
    violations = models.JSONField(default=list)
    source_text = models.TextField(blank=True)
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    submitted_at = models.DateTimeField(default=timezone.now, editable=False)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    accepted_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="list_number_of_entry")]

    def __str__(self) -> str:
        return f"{self.entry} {self.number}"

    @property
    def needs_decision(self) -> bool:
        """Whether it has violations that nobody has accepted (E8)."""
        return bool(self.violations) and self.accepted_by_id is None
