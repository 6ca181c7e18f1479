"""A Register and what it holds as a whole."""

from __future__ import annotations

import uuid

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from registers.fields import TermsField
from rules.cards import FACTIONS
from rules.language import gettext
from rules.terms import Terms

#: Terms of a row that was written without any: those of the rulebook.
NOTHING_CHANGED = models.Value({}, output_field=models.JSONField())
FACTION_CHOICES = [(faction, capfirst(gettext_lazy(faction))) for faction in FACTIONS]


class Register(models.Model):
    """A Register (R1).

    `position` is that of its last ledger entry; every act moves it on. `digest` is that entry's, the end of the chain.
    `terms` are those of its campaign, copied so that no page has to ask for them.

    `arcs_taken_in` holds the slugs of the Story Arcs that it may begin besides the printed ones (R10, R49).

    `paragon` is a Dossier's key. The fields `in_field_…` are filled while a battle or its sequence is under
    way (R11); `in_field_trait` is the Trait when the battle began (R37).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="registers"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    position = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, default="", db_default="", blank=True, editable=False)
    terms = TermsField(default=Terms, db_default=NOTHING_CHANGED)
    arcs_taken_in = ArrayField(
        models.CharField(max_length=120),
        default=list,
        db_default=models.Value([]),
        blank=True,
        editable=False,
    )
    biography = models.TextField(blank=True)

    name = models.CharField(max_length=80, blank=True)
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    commissioned = models.BooleanField(default=False)
    discarded = models.BooleanField(default=False, db_default=False)
    combat_potential = models.PositiveIntegerField(default=0)
    supply_points = models.PositiveIntegerField(default=0)
    reputation = models.PositiveIntegerField(default=0)
    story_arc = models.ForeignKey(
        "catalogue.StoryArc", models.PROTECT, null=True, blank=True, related_name="+"
    )
    arcs_ended = models.PositiveSmallIntegerField(default=0, db_default=0)
    saga_complete = models.BooleanField(default=False, db_default=False)
    paragon = models.CharField(max_length=10, blank=True)
    trait = models.ForeignKey(
        "catalogue.DefiningTrait", models.PROTECT, null=True, blank=True, related_name="+"
    )
    trait_games_left = models.PositiveSmallIntegerField(default=0)
    trait_fresh = models.BooleanField(default=False)
    command_cards_owed = models.PositiveSmallIntegerField(default=0)
    next_key = models.PositiveIntegerField(default=1)
    in_field_battle = models.CharField(max_length=64, blank=True)
    in_field_trait = models.CharField(max_length=120, blank=True)
    in_field_progressions = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("name", "created_at")
        constraints = (
            models.CheckConstraint(condition=Q(faction__in=("", *FACTIONS)), name="register_known_faction"),
            models.CheckConstraint(condition=Q(next_key__gte=1), name="register_counts_keys_from_1"),
            models.CheckConstraint(
                condition=Q(trait__isnull=True, trait_games_left=0, trait_fresh=False)
                | Q(trait__isnull=False, trait_games_left__gte=1),
                name="register_trait_lasts_a_game",
            ),
            models.CheckConstraint(
                condition=~Q(in_field_battle="") | Q(in_field_trait="", in_field_progressions=0),
                name="register_in_field_or_not",
            ),
            models.CheckConstraint(
                condition=Q(commissioned=False)
                | (~Q(name="") & ~Q(faction="") & ~Q(paragon="") & Q(story_arc__isnull=False)),
                name="register_commissioned_is_complete",
            ),
            models.CheckConstraint(
                condition=Q(saga_complete=False) | Q(arcs_ended__gte=1), name="register_saga_has_arcs"
            ),
            models.CheckConstraint(
                condition=Q(discarded=False) | Q(commissioned=False, in_field_battle=""),
                name="register_discarded_while_founding",
            ),
        )

    def __str__(self) -> str:
        return self.name or gettext("Unnamed Register")


class AgendaProgress(models.Model):
    """How often an Agenda has progressed since its Story Arc began (R25)."""

    register = models.ForeignKey(Register, models.CASCADE, related_name="agendas")
    agenda = models.ForeignKey("catalogue.Agenda", models.PROTECT, related_name="+")
    progress = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("register", "agenda"), name="agendaprogress_counted_once"),
        )

    def __str__(self) -> str:
        return f"{self.agenda_id}: {self.progress}"


class RegisterAsset(models.Model):
    """A Strategic Asset that the Register holds (R43)."""

    register = models.ForeignKey(Register, models.CASCADE, related_name="assets")
    asset = models.ForeignKey("catalogue.Asset", models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        triggers = (
            # How many may be held stands in the catalogue, which no check constraint can read. It looks at
            # new assets only: a newer catalogue takes nothing away.
            pgtrigger.Trigger(
                name="held_at_most",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                func="""
                    IF (SELECT count(*) FROM registers_registerasset
                         WHERE register_id = NEW.register_id AND asset_id = NEW.asset_id)
                       > (SELECT per_sequence FROM catalogue_asset WHERE slug = NEW.asset_id)
                    THEN
                        RAISE EXCEPTION 'the Register holds % as often as it may already', NEW.asset_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NULL;
                """,
            ),
        )

    def __str__(self) -> str:
        return str(self.asset_id)


class RegisterCommandCard(models.Model):
    """A Paragon Command Card that was unlocked (R16)."""

    register = models.ForeignKey(Register, models.CASCADE, related_name="command_cards")
    command_card = models.ForeignKey("catalogue.ParagonCommandCard", models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("register", "command_card"), name="commandcard_unlocked_once"),
        )

    def __str__(self) -> str:
        return str(self.command_card_id)


class RequestCount(models.Model):
    """How often an Aid Request was made, or an asset requested, in this sequence or founding (R41, R43)."""

    register = models.ForeignKey(Register, models.CASCADE, related_name="requests")
    request = models.CharField(max_length=120)
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("register", "request"), name="requestcount_counted_once"),
            models.CheckConstraint(condition=Q(count__gte=1), name="requestcount_made"),
        )

    def __str__(self) -> str:
        return f"{self.request}: {self.count}"
