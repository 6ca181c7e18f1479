"""The cards and tables of Tours of Duty. Rewards and conditions stand in the words of the files (section 8)."""

from __future__ import annotations

from collections.abc import Iterable

import pgtrigger
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from catalogue import validators
from catalogue.fields import DataField
from rules.clauses import Clause, Fault, Place, misplaced, misplaced_in_shield, read_end_of_game, read_reward
from rules.dice import DICE
from rules.reading import unknown_names

from .base import Card
from .printed import FACTION_CHOICES, UPGRADE_TYPE_CHOICES, Unit, choices, words_field

FACE_CHOICES = choices(*DICE["black_attack"])


def one_per_arc() -> models.UniqueConstraint:
    """A Story Arc has one card of this kind."""
    return models.UniqueConstraint(
        fields=("story_arc",), condition=Q(retired=False), name="%(class)s_one_per_story_arc"
    )


def arc_or_face() -> tuple[models.BaseConstraint, ...]:
    """Either a Story Arc's own, or rolled with a face of the black attack die that no other has (R36, R37)."""
    return (
        models.CheckConstraint(
            condition=Q(story_arc__isnull=True, face__in=DICE["black_attack"])
            | Q(story_arc__isnull=False, face=""),
            name="%(class)s_of_an_arc_or_rolled",
        ),
        models.UniqueConstraint(
            fields=("face",), condition=Q(retired=False) & ~Q(face=""), name="%(class)s_own_face"
        ),
        one_per_arc(),
    )


class StoryArc(Card):
    """A Story Arc; its parts name it.

    `own` when it is not printed but was written by somebody. Such an arc is never changed: Registers play it.
    """

    intended_for = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    briefing = models.TextField()
    own = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta(Card.Meta):
        triggers = (
            *Card.Meta.triggers,
            pgtrigger.Protect(
                name="own_is_final",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__own=True),
            ),
        )


#: The cards of a Story Arc that somebody wrote are as final as the arc.
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
    """A card that everybody may gain, or that a single Story Arc offers."""

    story_arc = models.ForeignKey(StoryArc, models.PROTECT, null=True, blank=True, related_name="%(class)ss")

    class Meta(TourCard.Meta):
        abstract = True
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)


class Commendation(ArcCard):
    """A Commendation and what a unit must be to be awarded it (R15)."""

    high = models.BooleanField()
    requires = DataField(default=dict, validators=[validators.requirement])
    keywords = words_field()
    upgrade_slots = words_field(choices=UPGRADE_TYPE_CHOICES)
    choose_keyword = words_field()

    class Meta(ArcCard.Meta):
        constraints = (one_per_arc(),)


class Setback(ArcCard):
    """A Setback; `second` says what a second instance does (R36)."""

    second = models.CharField(max_length=10, choices=choices("stacks", "reroll", "casualty"))
    face = models.CharField(max_length=10, blank=True, choices=FACE_CHOICES)
    army_points_each = models.PositiveIntegerField(default=0)
    add_die_or_reroll_blanks = models.BooleanField(default=False)

    class Meta(ArcCard.Meta):
        constraints = (
            *arc_or_face(),
            models.CheckConstraint(
                condition=Q(second__in=("stacks", "reroll", "casualty")), name="setback_known_second"
            ),
        )


class DefiningTrait(ArcCard):
    """A Defining Trait and what it does to a Post-Battle Sequence (R37)."""

    face = models.CharField(max_length=10, blank=True, choices=FACE_CHOICES)
    games = models.PositiveSmallIntegerField()
    blocks_rival = models.BooleanField(default=False)
    blocks_agenda_rewards = models.BooleanField(default=False)
    casualty_check_without_progress = models.BooleanField(default=False)
    aid_die = models.CharField(max_length=20, blank=True, choices=choices(*DICE))
    aid_dice = models.PositiveSmallIntegerField(default=0)
    aid_faces_lost = words_field()

    class Meta(ArcCard.Meta):
        constraints = (
            *arc_or_face(),
            models.CheckConstraint(condition=Q(games__gte=1), name="definingtrait_lasts_a_game"),
        )


class AidRequest(TourCard):
    """An Aid Request; `cost` in SP, empty where it depends on the unit or asset (R41)."""

    cost = models.PositiveSmallIntegerField(null=True, blank=True)
    cost_text = models.CharField(max_length=60)
    repeatable = models.BooleanField()

    class Meta(TourCard.Meta):
        pass


class Asset(TourCard):
    """A Strategic Asset; `cost` in SP (R43)."""

    cost = models.PositiveSmallIntegerField()
    per_sequence = models.PositiveSmallIntegerField()
    not_in_own_turning_point = models.BooleanField(default=False)
    kept_if_unused = models.BooleanField(default=False)

    class Meta(TourCard.Meta):
        constraints = (models.CheckConstraint(condition=Q(per_sequence__gte=1), name="asset_once_or_more"),)


class ParagonCommandCard(Card):
    """A Command Card that a Paragon unlocks (R16)."""

    pips = models.PositiveSmallIntegerField()
    orders = models.CharField(max_length=120)
    in_game = DataField(null=True, blank=True, validators=[validators.texts])

    class Meta(Card.Meta):
        constraints = (
            models.CheckConstraint(
                condition=Q(pips__range=(1, 4)), name="paragoncommandcard_one_to_four_pips"
            ),
        )


class Keyword(TourCard):
    """A keyword of Tours of Duty."""

    class Meta(TourCard.Meta):
        constraints = (models.UniqueConstraint(fields=("name",), name="keyword_own_name"),)


class RewardingCard(Card):
    """A card with rewards; what they name must be in the catalogue."""

    class Meta(Card.Meta):
        abstract = True

    def rewards(self) -> dict[str, tuple[Clause, ...]]:
        """The clauses by field. Raises ValueError, KeyError or TypeError if a field is none."""
        raise NotImplementedError

    def asked(self) -> set[str]:
        """The names of the numbers that the report asks for."""
        return set()

    def misplaced(self, field: str, clauses: tuple[Clause, ...]) -> Iterable[Fault]:
        """What makes no sense where it stands."""
        return misplaced(clauses, Place())

    def clean(self) -> None:
        """Refuse a reward that names a Trait, a unit or a number that there is not, or stands where it cannot."""
        super().clean()
        try:
            rewards, asked = self.rewards(), self.asked()
        except (ValueError, KeyError, TypeError):
            return  # the validator of the field says so
        traits = set(DefiningTrait.objects.values_list("slug", flat=True))
        units = set(Unit.objects.values_list("name", flat=True))
        faults: dict[str, list[str]] = {}
        for field, clauses in rewards.items():
            names = unknown_names(clauses, traits=traits, units=units, asked=asked)
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
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)
        constraints = (
            models.CheckConstraint(
                condition=Q(progressions_to_complete__gte=1), name="agenda_can_be_completed"
            ),
        )

    def rewards(self) -> dict[str, tuple[Clause, ...]]:
        """What a progress gives, and what a shield gives instead of being a casualty."""
        shield = self.casualty_shield["instead"] if self.casualty_shield else []
        return {"reward": read_reward(self.reward, ""), "casualty_shield": read_reward(shield, "")}

    def misplaced(self, field: str, clauses: tuple[Clause, ...]) -> Iterable[Fault]:
        """A progress may count progressions and speak of marked units; a shield is narrower."""
        if field == "casualty_shield":
            return misplaced_in_shield(clauses)
        return misplaced(clauses, Place(progressions=True, marks=bool(self.marks)))


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
        triggers = (*Card.Meta.triggers, PART_IS_FINAL)
        constraints = (one_per_arc(),)

    def rewards(self) -> dict[str, tuple[Clause, ...]]:
        """What each player may gain at the end, and the owner for a victory or a defeat."""
        entries = [read_end_of_game(entry, "").reward for entry in self.end_of_game]
        return {
            "end_of_game": tuple(clause for reward in entries for clause in reward),
            "victory": read_reward(self.victory, ""),
            "defeat": read_reward(self.defeat, ""),
        }

    def asked(self) -> set[str]:
        """The numbers that this mission asks for."""
        return set(self.asks)
