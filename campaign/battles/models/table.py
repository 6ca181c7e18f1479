"""Table state of a battle in play: a side's Command Hand, and the units defeated so far."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, ngettext

from campaign.battles.models.battle import Side


def _words(length: int) -> ArrayField:
    return ArrayField(models.CharField(max_length=length), default=list, blank=True)


class CommandHand(models.Model):
    """The Command Hand of a side (R24): slugs of its cards, and of those on the discard pile.

    It is secret until the battle is closed. That is why it is separate from the side, its text shows only its size,
    and pages read it only through `campaign.battles.pages.table`.
    """

    side = models.OneToOneField(Side, models.CASCADE, related_name="hand")
    cards = _words(120)
    discarded = _words(120)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(cards__len=7), name="seven_cards_a_hand"),
            models.CheckConstraint(condition=Q(discarded__contained_by=F("cards")), name="discards_come_from_the_hand"),
        ]

    def __str__(self) -> str:
        return ngettext("%(number)s card", "%(number)s cards", len(self.cards)) % {"number": len(self.cards)}


class Tally(models.Model):
    """What the players recorded for a side at the table: initial values of the report.

    Units are listed by key. `activated` has the round in which each unit was last activated; the current round is
    `Battle.round`. `scores` has the victory points after each round in which they changed. `version` counts changes, so
    that a page knows whether it shows the latest one.
    """

    side = models.OneToOneField(Side, models.CASCADE, related_name="tally")
    defeated = _words(8)
    contesting = _words(8)
    marked = _words(8)
    tokens = models.PositiveSmallIntegerField(default=0)
    victory_points = models.PositiveSmallIntegerField(default=0)
    activated = models.JSONField(default=dict, blank=True)
    scores = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(defeated__overlap=F("contesting")), name="the_defeated_hold_no_objective"
            )
        ]

    def __str__(self) -> str:
        return gettext("%(side)s, version %(version)s") % {"side": self.side, "version": self.version}
