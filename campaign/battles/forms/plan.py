"""Forms to plan a battle, and to change its plan before it begins (R17, R18, R22)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from campaign.battles.models import Battle, Side
from campaign.battles.pages.candidates import Candidate
from campaign.battles.services.contenders import Contender
from campaign.battles.services.mission import FOREIGN_OWNER
from campaign.battles.services.planning import LONGEST_TEXT
from campaign.queries.campaign_rules import rank_tables
from core import form_fields
from core.form_errors import BrokenRule, add_violations
from core.time_zones import TimeZoneField
from registers.keys import key_in
from registers.ledger.text import whole_number
from rules.battle.army import LARGEST_SIZE, SMALLEST_SIZE, game_type
from rules.battle.plain_army import mercenary_forces
from rules.core.card_types import FACTIONS, MERCENARY
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.register.upgrade_slots import faction_name

GUEST, OTHER = "guest", "other"
USUAL_SIZES = (400, 500, 600, 800, 1000, 1200, 1600)
MOST_GUEST_POINTS = 10_000
LONGEST_PLACE = 120
OWN, OPPONENT = "own", "opponent"


class _WhenAndWhere(forms.Form):
    date = form_fields.DayField(
        label=_("Date"),
        error_messages={"invalid": _("Enter a date, such as 2026-04-21."), "required": _("Choose a date.")},
    )
    time = forms.TimeField(
        label=_("Time"),
        required=False,
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": _("Enter a time, such as 19:00.")},
        help_text=_("Leave empty if you have not agreed on a time."),
    )
    time_zone = TimeZoneField(required=False)
    place = form_fields.ShortText(label=_("Place"), max_length=LONGEST_PLACE)
    arrangements = form_fields.LongText(label=_("Notes for both players"), rows=3, max_length=LONGEST_TEXT)


class PlanForm(_WhenAndWhere):
    """A new battle: one's own Register, the opponent, the size, colors, and whose Turning Point Mission is played.
    `battle` is its primary key, so that a form sent twice plans one battle.
    """

    battle = forms.UUIDField(
        required=False,
        initial=uuid4,
        widget=forms.HiddenInput,
        error_messages=form_fields.error_messages(form_fields.INCOMPLETE),
    )
    own = form_fields.ButtonChoice(
        label=_("Your Register"),
        error_messages={
            "required": _("Choose your Register."),
            "invalid_choice": _("Choose a Register that you play."),
        },
    )
    opponent = form_fields.ButtonChoice(label=_("Opponent"), refusal=_("Choose an opponent."))
    guest_name = form_fields.ShortText(label=_("Guest’s name"), max_length=80)
    guest_faction = forms.ChoiceField(label=_("Guest’s Faction"), required=False)
    guest_points = form_fields.Stepper(
        label=_("Guest’s points"),
        required=False,
        min_value=0,
        max_value=MOST_GUEST_POINTS,
        by=form_fields.POINTS_STEP,
        error_messages=form_fields.error_messages(_("Enter the guest’s points, from 0 to 10,000.")),
    )
    size = form_fields.ButtonChoice(label=_("Size in points"), initial=600, refusal=form_fields.WRONG_SIZE)
    other_size = form_fields.Stepper(
        label=_("Points"), required=False, min_value=SMALLEST_SIZE, max_value=LARGEST_SIZE, by=form_fields.POINTS_STEP
    )
    colour = form_fields.ButtonChoice(label=_("Your Register is the"), required=False, initial=Side.BLUE, segments=True)
    turning_point = form_fields.ButtonChoice(label=_("Whose mission"), required=False, initial="")
    mission = form_fields.ShortText(label=_("Mission"), max_length=120)
    rank_table = forms.ChoiceField(label=_("Rank limits"), required=False)

    def __init__(
        self, book: Rulebook, candidates: list[Candidate], data: Any = None, *, time_zone: str, suggested: Any = None
    ) -> None:
        """Offer `candidates`, the Registers of the campaign, including those that may not fight. `time_zone` is the
        campaign's; `suggested` is a phase whose size the form begins with.
        """
        super().__init__(data, initial={"date": timezone.localdate(), "time_zone": time_zone})
        self.candidates = candidates
        if suggested:
            usual = suggested.size in USUAL_SIZES
            self.initial |= {"size": suggested.size if usual else OTHER, "other_size": suggested.size}
        self.fields["date"].required = False
        # Also show Registers that were chosen although they may not fight.
        chosen = (self["own"].data, self["opponent"].data)
        free = [item for item in candidates if not item.why or str(item.register.pk) in chosen]
        mine = [item for item in free if item.mine]
        own = [item for item in mine if item.own]
        self.initial["own"] = str((own or mine)[0].register.pk) if own or len(mine) == 1 else ""
        # A user's only Register cannot be its own opponent.
        others = [item for item in free if len(own) != 1 or not item.own or str(item.register.pk) == chosen[1]]
        if len(others) == 1 and str(others[0].register.pk) != self.initial["own"]:
            self.initial["opponent"] = str(others[0].register.pk)
        if not others:
            self.initial["opponent"] = GUEST
        guest = form_fields.OptionLabel(gettext("A guest"), gettext("no Register here"))
        choices: dict[str, list[tuple[Any, Any]]] = {
            "own": [*map(_option, mine)],
            "opponent": [*map(_option, others), (GUEST, guest)],
            "guest_faction": [
                ("", ""),
                *((faction, faction_name(faction)) for faction in FACTIONS),
                # A guest has no Register, so R3 does not apply: its army may have no Faction.
                (MERCENARY, gettext("Mercenary (%(forces)s)") % {"forces": mercenary_forces(book)}),
            ],
            "size": [
                *((size, form_fields.OptionLabel(str(size), game_type(size))) for size in USUAL_SIZES),
                (OTHER, form_fields.OptionLabel(gettext("Other"), gettext("100 to 3,000"))),
            ],
            "colour": [(Side.BLUE, gettext("Blue Player")), (Side.RED, gettext("Red Player"))],
            "turning_point": [
                ("", form_fields.OptionLabel(gettext("None"), gettext("both sides may bring an Agenda"))),
                (OWN, form_fields.OptionLabel(gettext("Yours"), gettext("Your Register is the Blue Player"))),
                (
                    OPPONENT,
                    form_fields.OptionLabel(gettext("Your opponent’s"), gettext("Your opponent is the Blue Player")),
                ),
            ],
            "rank_table": rank_tables(book),
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
        if not any(item.own for item in candidates):  # an organizer plans for two others
            self.fields["own"].label = gettext("First Register")
            self.fields["colour"].label = gettext("The first Register is the")

    def clean(self) -> None:
        """Set `size` to the number of points. The guest fields count only if a guest is chosen."""
        cleaned = self.cleaned_data
        if cleaned.get("opponent") != GUEST:
            for name in ("guest_name", "guest_faction", "guest_points"):
                self.errors.pop(name, None)
        self.errors.pop("other_size", None)
        typed = cleaned.get("size") == OTHER
        cleaned["size"] = (cleaned.get("other_size") if typed else whole_number(cleaned.get("size", ""))) or 0
        if not SMALLEST_SIZE <= cleaned["size"] <= LARGEST_SIZE and "size" not in self.errors:
            self.add_error("other_size", BrokenRule(Violation("R18", str(form_fields.WRONG_SIZE))))

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `plan_battle`. The owner of a Turning Point Mission is always blue (R22)."""
        cleaned = self.cleaned_data
        first, second = Contender(register_id=key_in(cleaned["own"])), self._opponent()
        blue, red = (first, second) if self._own_colour == Side.BLUE else (second, first)
        names = ("size", "date", "time", "time_zone", "place", "arrangements", "mission", "rank_table")
        return {
            "blue": blue,
            "red": red,
            "owner": Side.BLUE if cleaned["turning_point"] else "",
            "battle_id": cleaned["battle"] or uuid4(),
            **{name: cleaned[name] for name in names},
        }

    def add_violations(self, refusal: RuleViolation) -> None:
        """Show the violations of the rules, those of a side next to the field it was chosen in."""
        order = (OWN, OPPONENT) if self._own_colour == Side.BLUE else (OPPONENT, OWN)
        about = dict(zip((Side.BLUE, Side.RED), order, strict=True))
        add_violations(
            self, RuleViolation(replace(each, about=about.get(each.about, each.about)) for each in refusal.violations)
        )

    @property
    def _own_colour(self) -> str:
        cleaned = self.cleaned_data
        if cleaned["turning_point"]:
            return Side.BLUE if cleaned["turning_point"] == OWN else Side.RED
        return cleaned["colour"] or Side.BLUE

    def _opponent(self) -> Contender:
        cleaned = self.cleaned_data
        if cleaned["opponent"] != GUEST:
            return Contender(register_id=key_in(cleaned["opponent"]))
        return Contender(
            guest_name=cleaned["guest_name"],
            guest_faction=cleaned["guest_faction"],
            guest_points=cleaned["guest_points"] or 0,
        )


def _option(item: Candidate) -> tuple[str, form_fields.OptionLabel]:
    register = item.register
    label = register.name or gettext("Unnamed Register")
    return str(register.pk), form_fields.OptionLabel(label, item.why or item.note, register.faction)


class MissionForm(forms.Form):
    """Whose Turning Point Mission a planned battle plays. `version` is that of the plan the form was drawn from."""

    version = form_fields.Version()
    owner = form_fields.ButtonChoice(label=_("Whose mission"), required=False, refusal=_(FOREIGN_OWNER.sentence))

    def __init__(self, battle: Battle, owners: Sequence[Side], data: Any = None) -> None:
        """Offer `owners`, the sides whose mission may be played."""
        now = next(side for side in battle.sides.all() if side.colour == Side.BLUE) if battle.owner else None
        super().__init__(data, initial={"version": battle.plan_version, "owner": now.register_id if now else ""})
        choices = [("", form_fields.OptionLabel(gettext("None"), gettext("both sides may bring an Agenda")))]
        for side in owners:
            note = "" if side.colour == Side.BLUE else gettext("becomes the Blue Player")
            choices.append((str(side.register_id), form_fields.OptionLabel(side.name, note, side.own_register.faction)))
        self.fields["owner"].choices = choices  # type: ignore[attr-defined]


class ReplanForm(_WhenAndWhere):
    """The plan of a battle. `version` is that of the plan the form was drawn from."""

    version = form_fields.Version()
    size = form_fields.Stepper(
        label=_("Size in points"),
        min_value=SMALLEST_SIZE,
        max_value=LARGEST_SIZE,
        by=form_fields.POINTS_STEP,
        error_messages=form_fields.error_messages(form_fields.WRONG_SIZE),
    )
    field_order = ("version", "date", "time", "time_zone", "place", "size", "arrangements")


def drawn_from(battle: Battle) -> dict[str, object]:
    """Return the plan of a battle, as initial values of a ReplanForm."""
    return {
        "version": battle.plan_version,
        "time_zone": battle.time_zone or battle.campaign.time_zone,
        **{name: getattr(battle, name) for name in ("date", "time", "place", "size", "arrangements")},
    }
