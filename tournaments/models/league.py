"""Leagues: series of events with points by place."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.db.uuid_key import UUIDModel


class League(UUIDModel):
    """A series of events, with the `points` of each place, first place first, and those for every place below. The
    `best` results of a player count, None for all.
    """

    name = models.CharField(max_length=80)
    about = models.TextField(blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="leagues")
    points = models.JSONField(default=list)
    participation_points = models.PositiveIntegerField(default=0)
    best = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
