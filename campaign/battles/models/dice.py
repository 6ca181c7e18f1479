"""Dice that the app rolled in a battle: the seeds they are computed from, and every draw."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaign.battles.models.battle import Battle, Side
from core.db.append_only import append_only, never_truncated
from rules.core.dice import LONGEST_WORD


class DiceSeed(models.Model):
    """A seed of a battle's dice.

    `commitment` is public from the start, `secret` (32 bytes) after the battle. Players choose the words and may
    change them until the first draw. Draws after a seed was revealed use a new seed with the next `number`. No page
    shows `secret`; pages use `shown`.
    """

    battle = models.ForeignKey(Battle, models.PROTECT, related_name="dice_seeds")
    number = models.PositiveSmallIntegerField()
    secret = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    blue_word = models.CharField(max_length=LONGEST_WORD, blank=True)
    red_word = models.CharField(max_length=LONGEST_WORD, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["battle_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "number"], name="dice_seeds_are_numbered"),
            models.UniqueConstraint(
                fields=["battle"], condition=Q(revealed_at=None), name="one_secret_dice_seed_a_battle"
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="promised", fields=["battle", "number", "secret", "commitment", "made_at"]),
            pgtrigger.Protect(name="kept", operation=pgtrigger.Delete),
            never_truncated(),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.commitment}"

    @property
    def words(self) -> tuple[str, str]:
        """Blue's word and red's; empty if the player has not added one."""
        return self.blue_word, self.red_word

    @property
    def shown(self) -> str:
        """The seed in hexadecimal digits once it is revealed; empty until then."""
        return bytes(self.secret).hex() if self.revealed_at else ""


class Draw(models.Model):
    """Dice of one pool, or tokens from one bag, that the app drew. It is never changed or deleted.

    `step` and `ordinal` identify the roll: the first of a step is 1, and dice typed in by hand count too. Either
    `die` or `bag` (each token by its name, sorted) is the source. A roll that is undone and made again is a new row
    with the same label and the same seed, and so the same faces.
    """

    battle = models.ForeignKey(Battle, models.PROTECT, related_name="draws")
    seed = models.ForeignKey(DiceSeed, models.PROTECT, related_name="draws")
    number = models.PositiveIntegerField()
    colour = models.CharField(max_length=4)
    step = models.PositiveSmallIntegerField()
    ordinal = models.PositiveSmallIntegerField()
    pool = models.CharField(max_length=40)
    die = models.CharField(max_length=16, blank=True)
    bag = models.JSONField(default=list)
    faces = models.JSONField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["battle_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "number"], name="draws_are_numbered"),
            models.CheckConstraint(
                condition=Q(die="") & ~Q(bag=[]) | ~Q(die="") & Q(bag=[]), name="drawn_from_a_die_or_a_bag"
            ),
            models.CheckConstraint(condition=Q(colour__in=[Side.BLUE, Side.RED]), name="drawn_for_a_side"),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.number}: {self.label}"

    @property
    def label(self) -> str:
        """The purpose of the draw, as written in the text that the faces are computed from."""
        return f"{self.colour}/{self.step}/{self.ordinal}/{self.pool}"
