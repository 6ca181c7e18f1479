"""Army lists. Only `lists.services` writes them. Cards are named by their slugs."""

from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.lookups import Exact
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _

from core.db.uuid_key import UUIDModel
from lists.formats.limits import MAX_NUMBER, SHOWN
from lists.formats.parsed import Format
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.card_types import FACTIONS, MERCENARY

#: Characters in the name of a list: as many as the list formats keep of a title.
MAX_NAME = SHOWN
#: Most points in a game.
MAX_SIZE = MAX_NUMBER
FACTION_CHOICES = [(faction, capfirst(_(faction))) for faction in (*FACTIONS, MERCENARY)]
#: The formats that an army list can be read from.
FORMATS = tuple(each for each in Format if each not in (Format.ADMIRAL_LINK, Format.REGISTER_JSON, Format.UNKNOWN))
FORMAT_CHOICES = [(str(each), str(each)) for each in FORMATS]
#: JSON columns that hold a list.
JSON_LISTS = ("units", "command_hand", "battle_deck", "violations")


def _is_list(column: str) -> Exact:
    kind = Func(F(column), function="jsonb_typeof", output_field=models.TextField())
    return Exact(kind, Value("array"))


class ArmyList(UUIDModel):
    """An army that needs no Register.

    `size` is the points of the game, 0 if unknown; `points` are those of its cards when it was last saved, without
    loadouts. `units` are objects with `card`, `upgrades`, `loadout`, `counterpart`, and `counterpart_upgrades`.
    `command_hand` leaves out Standing Orders. `violations` are those found when the list was last saved, in English.
    `source_text` is the pasted list and `source_format` its format; both are empty for a list built in the app.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="army_lists")
    name = models.CharField(max_length=MAX_NAME, blank=True)
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    battle_force = models.CharField(max_length=120, blank=True)
    size = models.PositiveIntegerField(default=0)
    points = models.PositiveIntegerField(default=0)
    units = models.JSONField(default=list, blank=True)
    command_hand = models.JSONField(default=list, blank=True)
    battle_deck = models.JSONField(default=list, blank=True)
    violations = models.JSONField(default=list, blank=True)
    source_format = models.CharField(max_length=40, blank=True, choices=FORMAT_CHOICES)
    source_text = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-updated_at", "id")
        constraints = (
            models.CheckConstraint(condition=Q(faction__in=("", MERCENARY, *FACTIONS)), name="armylist_known_faction"),
            models.CheckConstraint(
                condition=Q(source_format__in=("", *map(str, FORMATS))), name="armylist_known_format"
            ),
            models.CheckConstraint(
                condition=Q(source_format="", source_text="") | ~Q(source_format="") & ~Q(source_text=""),
                name="armylist_source_has_format_and_text",
            ),
            models.CheckConstraint(condition=Q(size__lte=MAX_SIZE), name="armylist_size_has_a_limit"),
            *(
                models.CheckConstraint(condition=_is_list(column), name=f"armylist_{column}_is_a_list")
                for column in JSON_LISTS
            ),
        )

    def __str__(self) -> str:
        return self.name or gettext("Unnamed army list")

    def get_absolute_url(self) -> str:
        """Return the address at which its owner edits it."""
        return reverse("lists:army", args=[self.pk])

    @property
    def army(self) -> PlainArmy:
        """The army as an immutable value."""
        return PlainArmy(
            faction=self.faction,
            battle_force=self.battle_force,
            size=self.size,
            title=self.name,
            units=tuple(map(plain_unit, self.units)),
            command_cards=tuple(self.command_hand),
            battle_cards=tuple(self.battle_deck),
        )

    @property
    def version(self) -> str:
        """A digest of the army, by which a form notices that the list was changed since it was drawn."""
        return version_of(self.army)


def version_of(army: PlainArmy) -> str:
    """Return the version of a list that holds this army."""
    return blake2b(repr(army).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def plain_unit(data: dict[str, Any]) -> PlainUnit:
    """Return an object of `units` as a value. What a unit does not have may be missing, as in event files."""
    return PlainUnit(
        card=data["card"],
        upgrades=tuple(data.get("upgrades", ())),
        counterpart=data.get("counterpart", ""),
        counterpart_upgrades=tuple(data.get("counterpart_upgrades", ())),
        loadout=tuple(data.get("loadout", ())),
    )
