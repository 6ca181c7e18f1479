"""Registers, Dossiers and their ledger. Only `registers.services` writes them. Row ids keep the order of lists."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _

from core.db.append_only import append_only
from core.db.uuid_key import UUIDModel
from core.moments import moments_constraint
from registers.fields import CampaignRulesField
from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import FACTIONS, MERCENARY

#: Default for rows written without campaign rules: the rulebook's.
NOTHING_CHANGED = models.Value({}, output_field=models.JSONField())
FACTION_CHOICES = [(faction, capfirst(_(faction))) for faction in FACTIONS]


class Register(UUIDModel):
    """A Register (R1).

    `position` and `digest` are those of the last ledger entry. `campaign_rules` and `adopted_arcs` (R10, R49) are
    copies of its campaign's. `paragon` is the key of a Dossier. Fields that begin with `in_field` are set during a
    battle and its sequence (R11); `in_field_trait` is the Trait when the battle began (R37).
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="registers")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    position = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, default="", db_default="", blank=True, editable=False)
    campaign_rules = CampaignRulesField(default=CampaignRules, db_default=NOTHING_CHANGED)
    adopted_arcs = ArrayField(
        models.CharField(max_length=120), default=list, db_default=models.Value([]), blank=True, editable=False
    )
    biography = models.TextField(blank=True)

    name = models.CharField(max_length=80, blank=True)
    faction = models.CharField(max_length=20, blank=True, choices=FACTION_CHOICES)
    commissioned = models.BooleanField(default=False)
    discarded = models.BooleanField(default=False, db_default=False)
    combat_potential = models.PositiveIntegerField(default=0)
    supply_points = models.PositiveIntegerField(default=0)
    reputation = models.PositiveIntegerField(default=0)
    story_arc = models.ForeignKey("catalogue.StoryArc", models.PROTECT, null=True, blank=True, related_name="+")
    arcs_ended = models.PositiveSmallIntegerField(default=0, db_default=0)
    saga_complete = models.BooleanField(default=False, db_default=False)
    paragon = models.CharField(max_length=10, blank=True)
    trait = models.ForeignKey("catalogue.DefiningTrait", models.PROTECT, null=True, blank=True, related_name="+")
    trait_games_left = models.PositiveSmallIntegerField(default=0)
    trait_fresh = models.BooleanField(default=False)
    command_cards_owed = models.PositiveSmallIntegerField(default=0)
    next_key = models.PositiveIntegerField(default=1)
    in_field_battle = models.CharField(max_length=64, blank=True)
    in_field_trait = models.CharField(max_length=120, blank=True)
    in_field_progressions = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("name", "created_at")
        verbose_name = "Register"
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
                name="register_discarded_while_building",
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
        constraints = (models.UniqueConstraint(fields=("register", "agenda"), name="agendaprogress_counted_once"),)

    def __str__(self) -> str:
        return f"{self.agenda_id}: {self.progress}"


class Listed(models.Model):
    """A row of a list, whose order is that of its ids. `shown` is the field that it shows."""

    shown: str

    class Meta:
        abstract = True
        ordering = ("id",)

    def __str__(self) -> str:
        return str(getattr(self, self.shown))


class RegisterAsset(Listed):
    """A Strategic Asset that the Register holds (R43)."""

    shown = "asset_id"
    register = models.ForeignKey(Register, models.CASCADE, related_name="assets")
    asset = models.ForeignKey("catalogue.Asset", models.PROTECT, related_name="+")

    class Meta(Listed.Meta):
        triggers = (
            # The limit for each asset is in the catalogue, which no check constraint can read. The trigger checks new
            # assets only: a newer catalogue must not take any away.
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


class RegisterCommandCard(Listed):
    """An unlocked Paragon Command Card (R16)."""

    shown = "command_card_id"
    register = models.ForeignKey(Register, models.CASCADE, related_name="command_cards")
    command_card = models.ForeignKey("catalogue.ParagonCommandCard", models.PROTECT, related_name="+")

    class Meta(Listed.Meta):
        constraints = (models.UniqueConstraint(fields=("register", "command_card"), name="commandcard_unlocked_once"),)


class RequestCount(models.Model):
    """How often an Aid Request was made, or an asset requested, in this sequence or while building (R41, R43)."""

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


class UnitStatus(models.TextChoices):
    """The status of a unit: on the Register, reassigned or fallen."""

    SERVING = "serving", "serving"
    FALLEN = "fallen", "fallen"
    REASSIGNED = "reassigned", "reassigned"


class Dossier(models.Model):
    """A unit that is or was on a Register. `key` is the number it got when it joined.

    `faction` and `affiliation` are those taken from the Paragon, `training` counts Special Trainings (R44), `owed` the
    Commendations still to choose (R15).
    """

    register = models.ForeignKey(Register, models.CASCADE, related_name="dossiers")
    key = models.CharField(max_length=10)
    order = models.GeneratedField(
        expression=Cast("key", models.IntegerField()), output_field=models.IntegerField(), db_persist=True
    )
    status = models.CharField(max_length=10, choices=UnitStatus.choices, default=UnitStatus.SERVING)
    unit = models.ForeignKey("catalogue.Unit", models.PROTECT, related_name="+")
    name = models.CharField(max_length=80, blank=True)
    faction = models.CharField(max_length=20, blank=True)
    affiliation = models.CharField(max_length=60, blank=True)
    experience = models.PositiveSmallIntegerField(default=0)
    veteran_rank = models.PositiveSmallIntegerField(default=0)
    training = models.PositiveSmallIntegerField("Special Trainings", default=0)
    owed = models.PositiveSmallIntegerField("Commendations to choose", default=0)
    biography = models.TextField(blank=True)
    picture = models.OneToOneField("uploads.Picture", models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("order",)
        verbose_name = "Dossier"
        constraints = (
            models.UniqueConstraint(fields=("register", "key"), name="dossier_own_key"),
            models.CheckConstraint(condition=Q(key__regex=r"^[1-9][0-9]*$"), name="dossier_key_is_a_number"),
            models.CheckConstraint(condition=Q(status__in=UnitStatus.values), name="dossier_known_status"),
            models.CheckConstraint(condition=Q(faction__in=("", MERCENARY, *FACTIONS)), name="dossier_known_faction"),
            models.CheckConstraint(condition=Q(experience__lte=50), name="dossier_experience_to_50"),
            models.CheckConstraint(condition=Q(veteran_rank__lte=5), name="dossier_veteran_rank_to_5"),
            models.CheckConstraint(condition=Q(training__lte=5), name="dossier_training_to_5"),
        )

    def __str__(self) -> str:
        return self.name or str(self.unit)


class DossierUpgrade(Listed):
    """An upgrade card. `by_commendation` if an edit put it into a slot that a Commendation gave (R8)."""

    shown = "upgrade_id"
    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="upgrades")
    upgrade = models.ForeignKey("catalogue.Upgrade", models.PROTECT, related_name="+")
    by_commendation = models.BooleanField(default=False)

    class Meta(Listed.Meta):
        constraints = (models.UniqueConstraint(fields=("dossier", "upgrade"), name="dossierupgrade_not_twice"),)


class DossierCommendation(Listed):
    """A Commendation of a unit, which cannot have two of the same (R15)."""

    shown = "commendation_id"
    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="commendations")
    commendation = models.ForeignKey("catalogue.Commendation", models.PROTECT, related_name="+")

    class Meta(Listed.Meta):
        constraints = (
            models.UniqueConstraint(fields=("dossier", "commendation"), name="dossiercommendation_not_twice"),
        )


class DossierSetback(Listed):
    """One instance of a Setback; some stack (R36)."""

    shown = "setback_id"
    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="setbacks")
    setback = models.ForeignKey("catalogue.Setback", models.PROTECT, related_name="+")


class DossierKeyword(Listed):
    """One instance of a gained keyword; their values add up (section 8)."""

    shown = "keyword"
    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="keywords")
    keyword = models.CharField(max_length=120)


class EntryType(models.TextChoices):
    """The kinds of ledger entries."""

    OPEN = "open", _("started")
    UNIT = "unit", _("unit added")
    TAKE_OVER = "take_over", _("imported from a list")
    AID = "aid", _("Aid Request")
    ARC = "arc", _("Story Arc chosen")
    NAME = "name", _("named")
    COMMISSION = "commission", _("created")
    DISCARD = "discard", _("draft deleted")
    EDIT = "edit", _("edited")
    BEGIN = "begin", _("battle begun")
    CANCEL = "call_off", _("battle canceled")
    GAINS = "gains", _("gained in the battle")
    STEP = "step", _("step of the Post-Battle Sequence")
    UNDO = "undo", _("undone")
    CORRECT = "correct", _("corrected")


class LedgerEntry(models.Model):
    """One act and all its effects (`rules.register.effects.to_data`), never changed or deleted.

    `answers` led to the effects; `rolled_by_hand` are the indexes of those typed in from the table. `actor` acted for
    `on_behalf_of`. `undoes` is the entry that this one cancels for good: an undo leaves its place in the sum empty, any
    other act takes it (`place`). `digest` is the entry's link in the hash chain (`registers.ledger.hash_chain`).
    """

    register = models.ForeignKey(Register, models.PROTECT, related_name="entries")
    position = models.PositiveIntegerField("number")
    place = models.PositiveIntegerField(default=0, db_default=0)
    act = models.CharField(max_length=12, choices=EntryType.choices)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    on_behalf_of = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    battle = models.CharField(max_length=64, blank=True)
    step = models.PositiveSmallIntegerField(null=True)
    effects = models.JSONField(default=list)
    answers = models.JSONField(default=list)
    rolled_by_hand = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    digest = models.CharField(max_length=64, default="", db_default="", editable=False)

    class Meta:
        ordering = ("register", "position")
        verbose_name = "ledger entry"
        verbose_name_plural = "ledger entries"
        constraints = (
            models.UniqueConstraint(fields=("register", "position"), name="entry_own_position"),
            models.CheckConstraint(condition=Q(position__gte=1), name="entry_positions_from_1"),
            models.CheckConstraint(condition=Q(act__in=EntryType.values), name="entry_known_act"),
            models.CheckConstraint(condition=Q(step__isnull=True) | Q(step__range=(0, 10)), name="entry_ten_steps"),
            models.CheckConstraint(
                condition=~Q(act="undo") | Q(undoes__isnull=False, effects=[]), name="entry_undo_names_what_it_undoes"
            ),
            models.CheckConstraint(
                condition=Q(place__range=(1, F("position"))), name="entry_stands_where_it_was_or_before"
            ),
            models.CheckConstraint(condition=~Q(act="correct") | ~Q(reason=""), name="entry_correction_has_a_reason"),
            moments_constraint("entry_moment", "created_at"),
        )
        indexes = (models.Index(fields=("battle",), condition=~Q(battle=""), name="entry_of_battle"),)
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.position}: {self.get_act_display()}"


class CorrectionNotice(models.Model):
    """Notice to an owner that somebody else made or undid a correction, award or amendment. Deleted once seen."""

    entry = models.OneToOneField(LedgerEntry, models.CASCADE, primary_key=True, related_name="notice")

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return str(self.entry)


class Proof(models.Model):
    """One data check of all Registers. `finished_at` is empty while it runs, or if it was interrupted."""

    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    registers = models.PositiveIntegerField(default=0)
    entries = models.PositiveBigIntegerField(default=0)
    differing = models.PositiveIntegerField(_("Registers with problems"), default=0)

    class Meta:
        ordering = ("-started_at",)
        verbose_name = "data check"

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


class Finding(models.Model):
    """A difference (`registers.ledger.verification.Difference`) found by a data check.

    The Register may be gone, which is a difference too.
    """

    proof = models.ForeignKey(Proof, models.CASCADE, related_name="findings")
    register = models.ForeignKey(Register, models.DO_NOTHING, db_constraint=False, related_name="+")
    kind = models.CharField(max_length=12)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("proof", "pk")

    def __str__(self) -> str:
        return f"{self.register_id}: {self.kind}"


class Anchor(models.Model):
    """The last entry checked on a Register, with its digest. Reveals a ledger that was cut off or rewritten."""

    register = models.OneToOneField(
        Register, models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="anchor"
    )
    position = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    proof = models.ForeignKey(Proof, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.register_id} up to {self.position}"
