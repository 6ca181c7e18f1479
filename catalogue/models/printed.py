"""The cards of the game itself. Lists hold the words of the files, in printed order."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from catalogue import validators
from catalogue.fields import DataField
from rules.cards import RANKS, UPGRADE_TYPES
from rules.forms import ALL_FACTIONS

from .base import CHANGE_STAMP, Card, SourcedCard, points_history

FACTION_CHOICES = [(faction, faction.capitalize()) for faction in ALL_FACTIONS]
RANK_CHOICES = [(rank, rank.replace("-", " ").capitalize()) for rank in RANKS]
UPGRADE_TYPE_CHOICES = [(type_, type_.replace("-", " ").capitalize()) for type_ in UPGRADE_TYPES]
DEFENSE_DICE = ("red", "white")
FORMATS = ("recon", "standard")


def choices(*words: str) -> list[tuple[str, str]]:
    """Words that are shown as they are."""
    return [(word, word) for word in words]


def words_field(**options: object) -> ArrayField:
    """A list of words, such as keywords or upgrade types; it may be empty."""
    return ArrayField(models.CharField(max_length=120, **options), default=list, blank=True)


class Unit(SourcedCard):
    """A unit card; its fields are the columns of units.csv."""

    title = models.CharField(max_length=120, blank=True)
    faction = models.CharField(max_length=20, choices=FACTION_CHOICES)
    rank = models.CharField(max_length=20, choices=RANK_CHOICES)
    unit_class = models.CharField(max_length=10, choices=choices("trooper", "vehicle"))
    unit_type = models.CharField(max_length=40)
    unique = models.BooleanField()
    unique_by_title = models.BooleanField()
    points = models.PositiveIntegerField()
    upgrade_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    keywords = words_field()
    affiliation = models.CharField(max_length=60, blank=True)
    hireable_by = words_field(choices=FACTION_CHOICES)
    wounds = models.PositiveSmallIntegerField(null=True, blank=True)
    courage = models.CharField(max_length=5, blank=True)
    resilience = models.CharField(max_length=5, blank=True)
    speed = models.PositiveSmallIntegerField()
    minis = models.PositiveSmallIntegerField()
    defense_die = models.CharField(max_length=5, choices=choices(*DEFENSE_DICE))
    attack_surge = models.CharField(max_length=10, blank=True, choices=choices("hit", "critical"))
    defense_surge = models.CharField(max_length=10, blank=True, choices=choices("block"))
    counterpart_id = models.CharField(max_length=2, blank=True)
    unreleased = models.CharField(
        max_length=40, blank=True, help_text="When it is expected; empty: released."
    )
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)
    last_change_noted = models.CharField(max_length=20, blank=True)

    class Meta(SourcedCard.Meta):
        triggers = (CHANGE_STAMP, points_history("unit"))
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(faction__in=ALL_FACTIONS), name="unit_known_faction"),
            models.CheckConstraint(condition=Q(rank__in=RANKS), name="unit_known_rank"),
            models.CheckConstraint(
                condition=Q(unit_class__in=("trooper", "vehicle")), name="unit_known_class"
            ),
            models.CheckConstraint(condition=Q(defense_die__in=DEFENSE_DICE), name="unit_known_defense_die"),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.title}" if self.title else self.name


class Upgrade(SourcedCard):
    """An upgrade card; its fields are the columns of upgrades.csv."""

    title = models.CharField(max_length=120, blank=True)
    type = models.CharField(max_length=20, choices=UPGRADE_TYPE_CHOICES)
    points = models.PositiveIntegerField()
    unique = models.BooleanField()
    army_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    restrictions = models.TextField(blank=True, validators=[validators.restriction])
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    hireable_by = words_field(choices=FACTION_CHOICES)
    grants_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    changes_affiliation_to = models.CharField(max_length=60, blank=True)
    keywords = words_field()
    unreleased = models.CharField(
        max_length=40, blank=True, help_text="When it is expected; empty: released."
    )
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)
    last_change_noted = models.CharField(max_length=20, blank=True)

    class Meta(SourcedCard.Meta):
        triggers = (CHANGE_STAMP, points_history("upgrade"))
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(type__in=UPGRADE_TYPES), name="upgrade_known_type"),
            models.CheckConstraint(
                condition=Q(faction__in=("", *ALL_FACTIONS)), name="upgrade_known_faction"
            ),
            models.CheckConstraint(
                condition=Q(unique=True, army_limit__isnull=False, army_limit=1)
                | (Q(unique=False) & (Q(army_limit__isnull=True) | Q(army_limit__gt=1))),
                name="upgrade_unique_is_limit_one",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.title}" if self.title else self.name


class Counterpart(SourcedCard):
    """A counterpart card, which comes with a unit and is never one of its own."""

    title = models.CharField(max_length=120, blank=True)
    faction = models.CharField(max_length=20, choices=FACTION_CHOICES)
    unit_type = models.CharField(max_length=40)
    unique = models.BooleanField()
    points = models.PositiveIntegerField()
    wounds = models.PositiveSmallIntegerField(null=True, blank=True)
    upgrade_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    keywords = words_field()
    parent_unit_slugs = words_field()

    class Meta(SourcedCard.Meta):
        pass


class CommandCard(SourcedCard):
    """A command card, with the units it needs in the army: any one of them, or all."""

    pips = models.PositiveSmallIntegerField()
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    required_units = words_field()
    required_mode = models.CharField(max_length=5, blank=True, choices=choices("any", "all"))
    extra_requirements = models.TextField(blank=True, validators=[validators.restriction])
    battle_force = models.CharField(max_length=120, blank=True)
    unreleased = models.CharField(
        max_length=40, blank=True, help_text="When it is expected; empty: released."
    )
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)

    class Meta(SourcedCard.Meta):
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(pips__range=(1, 4)), name="commandcard_one_to_four_pips"),
        )


class BattleForce(Card):
    """A battle force; `formats` holds its rank limits, by format."""

    faction = models.CharField(max_length=20, choices=FACTION_CHOICES)
    link_id = models.CharField(max_length=10, help_text="What stands for it in a Legion HQ link.")
    formats = DataField(validators=[validators.formats])

    class Meta(Card.Meta):
        pass


class BattleForceCard(Card):
    """A card that a battle force allows, at a rank that may differ from the printed one, or forbids."""

    name = None
    battle_force = models.ForeignKey(BattleForce, models.PROTECT, related_name="cards")
    kind = models.CharField(
        max_length=20,
        choices=choices("unit", "counterpart", "upgrade", "allowed-upgrade", "disallowed-upgrade"),
    )
    rank = models.CharField(max_length=20, blank=True, choices=RANK_CHOICES)
    card_slug = models.CharField(max_length=120)
    limit_min = models.PositiveSmallIntegerField(null=True, blank=True)
    limit_max = models.PositiveSmallIntegerField(null=True, blank=True)
    source_id = models.CharField(max_length=2)

    class Meta(Card.Meta):
        constraints = (
            models.CheckConstraint(
                condition=Q(limit_min__isnull=True)
                | Q(limit_max__isnull=True)
                | Q(limit_min__lte=F("limit_max")),
                name="battleforcecard_limits_in_order",
            ),
        )

    def __str__(self) -> str:
        return self.slug


class RankRequirement(Card):
    """How many units of each rank an army of a format holds (R18)."""

    max_points = models.PositiveIntegerField()
    limits = DataField(validators=[validators.rank_limits])

    class Meta(Card.Meta):
        pass


class BattleCard(SourcedCard):
    """An objective, secondary objective or advantage card."""

    type = models.CharField(max_length=10, choices=choices("advantage", "objective", "secondary"))
    format = models.CharField(max_length=10, choices=choices(*FORMATS))
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)

    class Meta(SourcedCard.Meta):
        pass
