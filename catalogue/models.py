"""The cards in the database. Lists, rewards and conditions are stored as the files write them (section 8)."""

from collections.abc import Iterable

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.text import camel_case_to_spaces

from rules.catalogue.csv_fields import ALL_FACTIONS
from rules.catalogue.references import unknown_names
from rules.core import reward_effects as c
from rules.core.card_types import RANKS, UPGRADE_TYPES
from rules.core.dice import DICE

from . import validators
from .fields import DataField

#: Every change of a card, even by plain SQL, gives the catalogue a new stamp (see `catalogue.snapshot`). A stamp is
#: never used twice, even after a rollback; a counter would repeat itself.
CHANGE_STAMP = pgtrigger.Trigger(
    name="stamp_catalogue",
    level=pgtrigger.Statement,
    when=pgtrigger.After,
    operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate,
    func="""
        INSERT INTO catalogue_cataloguestate (id, stamp, edition, files_hash)
        VALUES (1, gen_random_uuid(), '', '')
        ON CONFLICT (id) DO UPDATE SET stamp = excluded.stamp;
        RETURN NULL;
    """,
)


def points_history(kind: str) -> pgtrigger.Trigger:
    """Return the trigger that records who changed the points of a card, even by plain SQL."""
    return pgtrigger.Trigger(
        name="points_history",
        when=pgtrigger.After,
        operation=pgtrigger.UpdateOf("points"),
        condition=pgtrigger.Q(old__points__df=pgtrigger.F("new__points")),
        func=f"""
            INSERT INTO catalogue_pointschange (kind, card, name, points_before, points_after, at, by)
            VALUES ('{kind}', NEW.slug, NEW.name, OLD.points, NEW.points, now(),
                    coalesce(nullif(current_setting('musterbook.actor', true), ''), 'SQL as ' || current_user));
            RETURN NULL;
        """,  # noqa: S608  (`kind` is written in this package)
    )


class Card(models.Model):
    """A row of the catalogue: its permanent slug, its place in the printed order, and whether it is retired.

    A card is never deleted, since Registers name it by its slug. A card that a newer catalogue lacks is retired.
    """

    slug = models.SlugField(primary_key=True, max_length=120)
    name = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0, editable=False)
    retired = models.BooleanField(default=False, help_text="No longer in the catalogue. Registers may still have it.")

    class Meta:
        abstract = True
        ordering = ("position", "slug")
        triggers = (CHANGE_STAMP,)

    def __str__(self) -> str:
        return self.name


class SourcedCard(Card):
    """A printed card with its two-letter Legion HQ id, which is case-sensitive; Legion HQ reuses old ids."""

    source_id = models.CharField("Legion HQ ID", max_length=2)

    class Meta(Card.Meta):
        abstract = True
        constraints = (
            models.UniqueConstraint(
                fields=("source_id",), condition=Q(retired=False) & ~Q(source_id=""), name="%(class)s_own_source_id"
            ),
        )


class CatalogueState(models.Model):
    """The only row that says which catalogue this is: its edition, its files' hash, and a stamp of the last change."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    stamp = models.UUIDField()
    edition = models.CharField(max_length=40, blank=True)
    files_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="catalogue_one_state"),)

    def __str__(self) -> str:
        return f"Edition {self.edition}"


class PointsChange(models.Model):
    """A change in the points of a unit or upgrade card, written by a trigger."""

    kind = models.CharField(max_length=10, choices=(("unit", "unit"), ("upgrade", "upgrade")))
    card = models.CharField(max_length=120)
    name = models.CharField(max_length=120)
    points_before = models.PositiveIntegerField()
    points_after = models.PositiveIntegerField()
    at = models.DateTimeField(db_index=True)
    by = models.CharField(max_length=200)

    class Meta:
        ordering = ("-at", "-id")
        verbose_name = "points change"

    def __str__(self) -> str:
        return f"{self.name}: {self.points_before} → {self.points_after}"


FACTION_CHOICES = [(faction, faction.capitalize()) for faction in ALL_FACTIONS]
RANK_CHOICES = [(rank, rank.replace("-", " ").capitalize()) for rank in RANKS]
UPGRADE_TYPE_CHOICES = [(type_, type_.replace("-", " ").capitalize()) for type_ in UPGRADE_TYPES]
DEFENSE_DICE = ("red", "white")
FORMATS = ("recon", "standard")


def choices(*words: str) -> list[tuple[str, str]]:
    """Return form choices that show the words as they are."""
    return [(word, word) for word in words]


def words_field(**options: object) -> ArrayField:
    """Return a field for a list of words, such as keywords or upgrade types. It may be empty."""
    return ArrayField(models.CharField(max_length=120, **options), default=list, blank=True)


def release_field() -> models.CharField:
    """Return the field for the release of a card: its day, or words while nobody knows the day."""
    return models.CharField(
        max_length=40,
        blank=True,
        help_text="Day as in 2026-08-14: playable from that day on. Or the expected time, as in Q4 2026: not playable. "
        "Empty: playable.",
    )


class TitledCard(SourcedCard):
    """A card whose name may have a title."""

    title = models.CharField(max_length=120, blank=True)
    short_name = models.CharField(max_length=120, blank=True, help_text="Name in Legion HQ’s texts, if it is another.")
    tts_name = models.CharField(
        "Tabletop Simulator name", max_length=120, blank=True, help_text="If it is not name and title."
    )

    class Meta(SourcedCard.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"{self.name}, {self.title}" if self.title else self.name


class Unit(TitledCard):
    """A unit card; its fields are the columns of units.csv."""

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
    release = release_field()
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)
    last_change_noted = models.CharField(max_length=20, blank=True)

    class Meta(TitledCard.Meta):
        triggers = (CHANGE_STAMP, points_history("unit"))
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(faction__in=ALL_FACTIONS), name="unit_known_faction"),
            models.CheckConstraint(condition=Q(rank__in=RANKS), name="unit_known_rank"),
            models.CheckConstraint(condition=Q(unit_class__in=("trooper", "vehicle")), name="unit_known_class"),
            models.CheckConstraint(condition=Q(defense_die__in=DEFENSE_DICE), name="unit_known_defense_die"),
        )


class Upgrade(TitledCard):
    """An upgrade card; its fields are the columns of upgrades.csv."""

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
    release = release_field()
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)
    last_change_noted = models.CharField(max_length=20, blank=True)

    class Meta(TitledCard.Meta):
        triggers = (CHANGE_STAMP, points_history("upgrade"))
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(type__in=UPGRADE_TYPES), name="upgrade_known_type"),
            models.CheckConstraint(condition=Q(faction__in=("", *ALL_FACTIONS)), name="upgrade_known_faction"),
            models.CheckConstraint(
                condition=Q(unique=True, army_limit__isnull=False, army_limit=1)
                | (Q(unique=False) & (Q(army_limit__isnull=True) | Q(army_limit__gt=1))),
                name="upgrade_unique_is_limit_one",
            ),
        )


class Counterpart(TitledCard):
    """A counterpart card, which joins an army only with its unit."""

    faction = models.CharField(max_length=20, choices=FACTION_CHOICES)
    unit_type = models.CharField(max_length=40)
    unique = models.BooleanField()
    points = models.PositiveIntegerField()
    wounds = models.PositiveSmallIntegerField(null=True, blank=True)
    upgrade_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    keywords = words_field()
    parent_unit_slugs = words_field()


class CommandCard(SourcedCard):
    """A command card, with the units it needs in the army: any one of them, or all."""

    pips = models.PositiveSmallIntegerField()
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    required_units = words_field()
    required_mode = models.CharField(max_length=5, blank=True, choices=choices("any", "all"))
    extra_requirements = models.TextField(blank=True, validators=[validators.restriction])
    battle_force = models.CharField(max_length=120, blank=True)
    release = release_field()
    changed_since_2026_04_23 = models.CharField(max_length=200, blank=True)

    class Meta(SourcedCard.Meta):
        verbose_name = "Command Card"
        constraints = (
            *SourcedCard.Meta.constraints,
            models.CheckConstraint(condition=Q(pips__range=(1, 4)), name="commandcard_one_to_four_pips"),
        )


class BattleForce(Card):
    """A battle force; `formats` holds its rank limits, by format."""

    faction = models.CharField(max_length=20, choices=FACTION_CHOICES)
    link_id = models.CharField(max_length=10, help_text="Code of the card in Legion HQ links.")
    formats = DataField(validators=[validators.formats])


class BattleForceCard(Card):
    """A card that a battle force allows, at a rank that may differ from the printed one, or forbids."""

    name = None
    battle_force = models.ForeignKey(BattleForce, models.PROTECT, related_name="cards")
    kind = models.CharField(
        max_length=20, choices=choices("unit", "counterpart", "upgrade", "allowed-upgrade", "disallowed-upgrade")
    )
    rank = models.CharField(max_length=20, blank=True, choices=RANK_CHOICES)
    card_slug = models.CharField(max_length=120)
    limit_min = models.PositiveSmallIntegerField(null=True, blank=True)
    limit_max = models.PositiveSmallIntegerField(null=True, blank=True)
    source_id = models.CharField("Legion HQ ID", max_length=2)

    class Meta(Card.Meta):
        verbose_name = "card of a battle force"
        verbose_name_plural = "cards of battle forces"
        constraints = (
            models.CheckConstraint(
                condition=Q(limit_min__isnull=True) | Q(limit_max__isnull=True) | Q(limit_min__lte=F("limit_max")),
                name="battleforcecard_limits_in_order",
            ),
        )

    def __str__(self) -> str:
        return self.slug


class RankRequirement(Card):
    """How many units of each rank an army of a format holds (R18)."""

    max_points = models.PositiveIntegerField()
    limits = DataField(validators=[validators.rank_limits])


class BattleCard(SourcedCard):
    """An objective, secondary objective or advantage card."""

    type = models.CharField(max_length=10, choices=choices("advantage", "objective", "secondary"))
    format = models.CharField(max_length=10, choices=choices(*FORMATS))
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)


FACE_CHOICES = choices(*DICE["black_attack"])


def one_per_arc() -> models.UniqueConstraint:
    """Return a constraint: a Story Arc has one card of this kind."""
    return models.UniqueConstraint(
        fields=("story_arc",), condition=Q(retired=False), name="%(class)s_one_per_story_arc"
    )


def arc_or_face() -> tuple[models.BaseConstraint, ...]:
    """Return the constraints: the card is of a Story Arc or has its own black attack die face (R36, R37)."""
    return (
        models.CheckConstraint(
            condition=Q(story_arc__isnull=True, face__in=DICE["black_attack"]) | Q(story_arc__isnull=False, face=""),
            name="%(class)s_of_an_arc_or_rolled",
        ),
        models.UniqueConstraint(fields=("face",), condition=Q(retired=False) & ~Q(face=""), name="%(class)s_own_face"),
        one_per_arc(),
    )


class StoryArc(Card):
    """A Story Arc; its parts refer to it.

    `own` marks a custom arc, which is not printed. A custom arc never changes, because Registers play it.
    """

    intended_for = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    briefing = models.TextField()
    own = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta(Card.Meta):
        verbose_name = "Story Arc"
        triggers = (
            *Card.Meta.triggers,
            pgtrigger.Protect(
                name="own_is_final", operation=pgtrigger.Update | pgtrigger.Delete, condition=pgtrigger.Q(old__own=True)
            ),
        )


#: The cards of a custom Story Arc can no more change than the arc itself.
PART_IS_FINAL = pgtrigger.Trigger(
    name="own_is_final",
    when=pgtrigger.Before,
    operation=pgtrigger.Update | pgtrigger.Delete,
    condition=pgtrigger.Q(old__story_arc__isnull=False),
    func="""
        IF (SELECT own FROM catalogue_storyarc WHERE slug = OLD.story_arc_id) THEN
            RAISE EXCEPTION '% belongs to a Story Arc that is never changed', OLD.slug;
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
    """,
)


class TourCard(Card):
    """A card with an effect in our own words."""

    effect = models.TextField()

    class Meta(Card.Meta):
        abstract = True


class ArcCard(TourCard):
    """A card that every Register may gain, or that only one Story Arc offers."""

    story_arc = models.ForeignKey(StoryArc, models.PROTECT, null=True, blank=True, related_name="%(class)ss")

    class Meta(TourCard.Meta):
        abstract = True
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)


class Commendation(ArcCard):
    """A Commendation, and what it requires of a unit (R15)."""

    high = models.BooleanField()
    requires = DataField(default=dict, validators=[validators.requirement])
    keywords = words_field()
    upgrade_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    choose_keyword = words_field()

    class Meta(ArcCard.Meta):
        verbose_name = "Commendation"
        constraints = (one_per_arc(),)


class Setback(ArcCard):
    """A Setback; `second` says what happens when a unit gains it twice (R36)."""

    second = models.CharField(max_length=10, choices=choices("stacks", "reroll", "casualty"))
    face = models.CharField(max_length=10, blank=True, choices=FACE_CHOICES)
    army_points_each = models.PositiveIntegerField(default=0)
    add_die_or_reroll_blanks = models.BooleanField(default=False)

    class Meta(ArcCard.Meta):
        verbose_name = "Setback"
        constraints = (
            *arc_or_face(),
            models.CheckConstraint(
                condition=Q(second__in=("stacks", "reroll", "casualty")), name="setback_known_second"
            ),
        )


class DefiningTrait(ArcCard):
    """A Defining Trait, and what it changes in a Post-Battle Sequence (R37)."""

    face = models.CharField(max_length=10, blank=True, choices=FACE_CHOICES)
    games = models.PositiveSmallIntegerField()
    blocks_rival = models.BooleanField(default=False)
    blocks_agenda_rewards = models.BooleanField(default=False)
    casualty_check_without_progress = models.BooleanField(default=False)
    aid_die = models.CharField(max_length=20, blank=True, choices=choices(*DICE))
    aid_dice = models.PositiveSmallIntegerField(default=0)
    aid_faces_lost = words_field()

    class Meta(ArcCard.Meta):
        verbose_name = "Defining Trait"
        constraints = (
            *arc_or_face(),
            models.CheckConstraint(condition=Q(games__gte=1), name="definingtrait_lasts_a_game"),
        )


class AidRequest(TourCard):
    """An Aid Request; `cost` is SP, null where it depends on the unit or asset (R41)."""

    cost = models.PositiveSmallIntegerField(null=True, blank=True)
    cost_text = models.CharField(max_length=60)
    repeatable = models.BooleanField()

    class Meta(TourCard.Meta):
        verbose_name = "Aid Request"


class Asset(TourCard):
    """A Strategic Asset; `cost` is SP (R43)."""

    cost = models.PositiveSmallIntegerField()
    per_sequence = models.PositiveSmallIntegerField()
    not_in_own_turning_point = models.BooleanField(default=False)
    kept_if_unused = models.BooleanField(default=False)

    class Meta(TourCard.Meta):
        verbose_name = "Strategic Asset"
        constraints = (models.CheckConstraint(condition=Q(per_sequence__gte=1), name="asset_once_or_more"),)


class ParagonCommandCard(Card):
    """A Command Card that a Paragon unlocks (R16)."""

    pips = models.PositiveSmallIntegerField()
    orders = models.CharField(max_length=120)
    in_game = DataField(null=True, blank=True, validators=[validators.texts])

    class Meta(Card.Meta):
        verbose_name = "Paragon Command Card"
        constraints = (
            models.CheckConstraint(condition=Q(pips__range=(1, 4)), name="paragoncommandcard_one_to_four_pips"),
        )


class Keyword(TourCard):
    """A keyword of Tours of Duty."""

    class Meta(TourCard.Meta):
        constraints = (models.UniqueConstraint(fields=("name",), name="keyword_own_name"),)


class RewardingCard(Card):
    """A card with rewards; everything they name must be in the catalogue."""

    class Meta(Card.Meta):
        abstract = True

    def rewards(self) -> dict[str, tuple[c.Clause, ...]]:
        """Return the reward effects by field. Raises ValueError, KeyError or TypeError for unreadable ones."""
        raise NotImplementedError

    def asked(self) -> set[str]:
        """Return the names of the numbers that the report asks for."""
        return set()

    def misplaced(self, field: str, clauses: tuple[c.Clause, ...]) -> Iterable[c.Fault]:
        """Yield the effects in `field` that make no sense there."""
        return c.misplaced(clauses, c.RewardContext())

    def clean(self) -> None:
        """Refuse a reward that names an unknown Trait, unit or number, or that cannot be resolved in its field."""
        super().clean()
        try:
            rewards, asked = self.rewards(), self.asked()
        except (ValueError, KeyError, TypeError):
            return  # the field's own validator reports it
        traits = set(DefiningTrait.objects.values_list("slug", flat=True))
        assets = set(Asset.objects.values_list("slug", flat=True))
        units = set(Unit.objects.values_list("name", flat=True))
        faults: dict[str, list[str]] = {}
        for field, clauses in rewards.items():
            names = unknown_names(clauses, traits=traits, assets=assets, units=units, asked=asked)
            found = [f"There is no {name!r}." for name in names]
            found += [f"[{path}] {text}" for path, text in self.misplaced(field, clauses)]
            if found:
                faults[field] = found
        if faults:
            raise ValidationError(faults)


class Agenda(RewardingCard):
    """An Agenda of a Story Arc (R25, R26)."""

    story_arc = models.ForeignKey(StoryArc, models.PROTECT, related_name="agendas")
    tally = models.TextField()
    progress = DataField(validators=[validators.progress])
    progressions_to_complete = models.PositiveSmallIntegerField()
    reward = DataField(validators=[validators.reward])
    marks = DataField(null=True, blank=True, validators=[validators.marks])
    casualty_shield = DataField(null=True, blank=True, validators=[validators.casualty_shield])
    note = models.TextField(blank=True)

    class Meta(RewardingCard.Meta):
        verbose_name = "Agenda"
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)
        constraints = (
            models.CheckConstraint(condition=Q(progressions_to_complete__gte=1), name="agenda_can_be_completed"),
        )

    def rewards(self) -> dict[str, tuple[c.Clause, ...]]:
        """Return what a progression gives, and what Daring Defense gives instead of a casualty."""
        shield = self.casualty_shield["instead"] if self.casualty_shield else []
        return {"reward": c.read_reward(self.reward, ""), "casualty_shield": c.read_reward(shield, "")}

    def misplaced(self, field: str, clauses: tuple[c.Clause, ...]) -> Iterable[c.Fault]:
        """Yield the misplaced effects: a progress reward may use progressions and marked units, a shield less."""
        if field == "casualty_shield":
            return c.misplaced_in_shield(clauses)
        return c.misplaced(clauses, c.RewardContext(progressions=True, marks=bool(self.marks)))


class TurningPoint(RewardingCard):
    """The Turning Point Mission of a Story Arc (R29)."""

    story_arc = models.ForeignKey(StoryArc, models.PROTECT, related_name="turning_points")
    owner_colour = models.CharField(max_length=5, choices=choices("blue"))
    setup = models.TextField()
    scoring = models.TextField()
    secondary = models.TextField()
    advantages = DataField(validators=[validators.texts])
    asks = DataField(default=dict, validators=[validators.texts])
    end_of_game = DataField(default=list, validators=[validators.end_of_game])
    victory = DataField(default=list, validators=[validators.reward])
    defeat = DataField(default=list, validators=[validators.reward])

    class Meta(RewardingCard.Meta):
        verbose_name = "Turning Point Mission"
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)
        constraints = (one_per_arc(),)

    def rewards(self) -> dict[str, tuple[c.Clause, ...]]:
        """Return what each player may gain at the end, and what the owner gains for a victory or a defeat."""
        entries = [c.read_end_of_game(entry, "").reward for entry in self.end_of_game]
        return {
            "end_of_game": tuple(clause for reward in entries for clause in reward),
            "victory": c.read_reward(self.victory, ""),
            "defeat": c.read_reward(self.defeat, ""),
        }

    def misplaced(self, field: str, clauses: tuple[c.Clause, ...]) -> Iterable[c.Fault]:
        """Yield the misplaced effects: only the owner's victory and defeat may concern the opponent."""
        return c.misplaced(clauses, c.RewardContext(opponent=field != "end_of_game"))

    def asked(self) -> set[str]:
        """Return the numbers that this mission asks for."""
        return set(self.asks)


#: Each kind of card, as `rules.catalogue.loader` names it, with its model: its name in small letters.
MODELS: dict[str, type[Card]] = {
    camel_case_to_spaces(model.__name__).replace(" ", "_"): model
    for model in (
        Unit, Upgrade, Counterpart, CommandCard, BattleForce, BattleForceCard,
        RankRequirement, BattleCard, Keyword, StoryArc, Commendation, Setback, DefiningTrait,
        AidRequest, Asset, ParagonCommandCard, Agenda, TurningPoint,
    )
}  # fmt: skip
