"""Players who were invited by mail and have not registered yet."""

from django.db import models
from django.utils import timezone

from core.moments import moments_constraint
from core.tokens import new_token

from .event import Event


class InvitedPlayer(models.Model):
    """A player invited by mail, until the event starts. `token` becomes that of the personal link when the player
    registers by it. `name` may be empty, and is that of the entry once there is one. `address` is in lower case.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="invited_players")
    name = models.CharField(max_length=80, blank=True)
    address = models.EmailField()
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    mailed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "address"], name="invited_once_an_event"),
            moments_constraint("invited_moments", "mailed_at", "created_at"),
        ]

    def __str__(self) -> str:
        return self.name or self.address
