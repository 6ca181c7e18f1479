"""The units that their players have marked as painted."""

from django.db import models
from django.utils import timezone

from registers.models import Register


class PaintedUnit(models.Model):
    """A painted unit, by the key of its Dossier. It is no part of the game, so no ledger has it. The key instead of the
    Dossier's row keeps the mark when a correction strikes a Dossier and enters it again.
    """

    register = models.ForeignKey(Register, models.CASCADE, related_name="painted_units")
    key = models.CharField(max_length=10)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["register", "key"]
        constraints = [models.UniqueConstraint(fields=["register", "key"], name="unit_painted_once")]

    def __str__(self) -> str:
        return f"{self.register}: {self.key}"
