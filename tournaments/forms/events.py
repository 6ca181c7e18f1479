"""Forms of an event: a new one, its settings, and why it is cancelled."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from core.form_fields import (
    INCOMPLETE,
    POINTS_STEP,
    WRONG_SIZE,
    ButtonChoice,
    Figure,
    LongText,
    OptionLabel,
    ShortText,
    Stepper,
    error_messages,
)
from core.moments import FIRST_YEAR, LAST_YEAR, WRONG_YEAR
from core.time_zones import LongSelect, zone_choices
from rules.battle.army import LARGEST_SIZE, SMALLEST_SIZE
from rules.tournaments.rule_sets import ARMY_SIZE, RuleSet
from tournaments.models import Event, League, ListsPublished, StructureChoice, Tier
from tournaments.models.team import MOST_IN_TEAM
from tournaments.queries.events import CHOICES, RULE, local_time, structure_title
from tournaments.services import events as services
from tournaments.services.entries import LARGEST_ARMY, MOST_PLAYERS

#: The hour at which a new event starts, on the next Saturday that is at least a week away.
USUAL_HOUR, SATURDAY = 10, 5
RULE_SETS = (
    (RuleSet.GALACTIC_CONQUEST, OptionLabel(_("Galactic Conquest"), _("1000 points, victory points and draws"))),
    (RuleSet.TOURNAMENT_REGULATIONS, OptionLabel(_("Tournament Regulations"), _("800 points, margin of victory"))),
)


class LocalDateTimeField(forms.Field):
    """A date and a time as the clock on the wall shows them, without an offset."""

    FORMAT = "%Y-%m-%dT%H:%M"
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=FORMAT)

    def prepare_value(self, value: Any) -> Any:
        """Return a datetime as the browser writes it."""
        return value.strftime(self.FORMAT) if isinstance(value, datetime) else value

    def to_python(self, value: Any) -> datetime | None:
        """Return the datetime. Refuses anything else."""
        if value in self.empty_values:
            return None
        if isinstance(value, datetime):
            return value.replace(tzinfo=None)
        try:
            found = datetime.fromisoformat(str(value)).replace(tzinfo=None)
        except ValueError:
            raise forms.ValidationError(_("Write date and time as in 2026-11-28 10:00.")) from None
        if not FIRST_YEAR <= found.year <= LAST_YEAR:
            raise forms.ValidationError(WRONG_YEAR)
        return found


def cut_choices() -> list[tuple[int, str]]:
    """Return how many players can advance to a bracket (E38)."""
    return [(0, gettext("no cut")), *((size, gettext("top %(cut)s") % {"cut": size}) for size in (2, 4, 8, 16, 32))]


def usual_start(zone: str) -> datetime:
    """Return when a new event probably starts, by the clock of its time zone."""
    today = timezone.now().astimezone(ZoneInfo(zone)).date() + timedelta(days=7)
    day = today + timedelta(days=(SATURDAY - today.weekday()) % 7)
    return datetime(day.year, day.month, day.day, USUAL_HOUR)  # noqa: DTZ001 (in the time zone of the form)


class _WhenAndWhere(forms.Form):
    name = ShortText(label=_("Name"), max_length=services.LONGEST_NAME)
    starts_at = LocalDateTimeField(label=_("Starts"), error_messages={"required": services.NO_START})
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=zone_choices, widget=LongSelect,
        error_messages=error_messages(services.UNKNOWN_ZONE),
    )  # fmt: skip
    place = ShortText(label=_("Place"), max_length=services.LONGEST["place"])

    def moment(self, name: str) -> datetime | None:
        """Return a date and time in the time zone that was chosen. The form must be valid."""
        found = self.cleaned_data[name]
        return found and found.replace(tzinfo=ZoneInfo(self.cleaned_data["time_zone"]))


class EventForm(_WhenAndWhere):
    """A new event. `event` is its primary key, so that a form sent twice creates one."""

    event = forms.UUIDField(widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    rule_set = ButtonChoice(label=_("Rules"), choices=RULE_SETS, refusal=_("Choose the rules of the event."))


class SettingsForm(_WhenAndWhere):
    """The settings of an event. Only fields that the user changed count, so that a stale page undoes nothing."""

    about = LongText(label=_("About"), rows=4, max_length=services.LONGEST["about"])
    announcement = ShortText(
        label=_("Announcement"), max_length=services.LONGEST["announcement"],
        help_text=_("The event’s page, the projector and all phones of players show it until you empty it."),
    )  # fmt: skip
    rule_set = ButtonChoice(label=_("Rules"), choices=RULE_SETS, refusal=_("Choose the rules of the event."))
    tier = ButtonChoice(label=_("Tier"), choices=Tier.choices, segments=True, refusal=_("Choose the tier."))
    army_size = Stepper(
        label=_("Army size in points"), min_value=SMALLEST_SIZE, max_value=LARGEST_SIZE, by=POINTS_STEP,
        error_messages=error_messages(WRONG_SIZE),
    )  # fmt: skip
    structure = ButtonChoice(label=_("Structure"), refusal=_("Choose a structure."))
    rounds = Figure(_("Custom rounds"), 0, services.MOST_ROUNDS)
    cut = forms.TypedChoiceField(
        label=_("Custom cut"), required=False, coerce=int, empty_value=0, choices=cut_choices,
    )  # fmt: skip
    registration_limit = Figure(
        _("Most players"), 1, MOST_PLAYERS,
        help_text=_("Leave empty for no limit. More players go on a waiting list that moves up automatically."),
    )  # fmt: skip
    registration_deadline = LocalDateTimeField(label=_("Registration until"), required=False)
    schedule = LongText(
        label=_("Schedule, one line each, as: 10:00 Round 1"), rows=6, max_length=services.LONGEST["schedule"],
        help_text=_("By the clock of the place. A line with a date, as in 2026-11-29, begins another day."),
    )  # fmt: skip
    price = ShortText(
        label=_("Price"), max_length=services.LONGEST["price"], help_text=_("As players see it: 15 €, pay at the door")
    )
    payment_link = ShortText(
        label=_("Link to pay"), max_length=services.LONGEST["payment_link"],
        help_text=_("The address of your own payment page. Mark who has paid under Players."),
    )  # fmt: skip
    lists_required = forms.BooleanField(label=_("Every player submits an army list"), required=False)
    lists_published = ButtonChoice(
        label=_("Publish army lists"), choices=ListsPublished.choices, refusal=_("Choose when lists are published.")
    )
    hands_published = forms.BooleanField(
        label=_("Publish command hands and battle cards when the event ends"), required=False
    )
    other_cards = forms.BooleanField(label=_("Allow unreleased cards"), required=False)
    clubs_apart = forms.BooleanField(label=_("Warn when round 1 pairs two players of one club"), required=False)
    team_size = Figure(
        _("Players in a team"), 2, MOST_IN_TEAM,
        help_text=_("Leave empty for an event without teams. Teammates are not paired while that can be avoided."),
    )  # fmt: skip
    team_best = Figure(
        _("Players who count for a team, the best ones"), 1, MOST_IN_TEAM, help_text=_("Leave empty to count all.")
    )
    trophies = LongText(
        label=_("Trophies you award, one on each line"), rows=2, max_length=services.LONGEST["trophies"],
        help_text=_("You tick them on the pages of players. Everyone sees them once the event is finished."),
    )  # fmt: skip
    voted_trophy = ShortText(
        label=_("Trophy decided by the votes of opponents"), max_length=services.LONGEST["voted_trophy"],
        help_text=_("After their last round all players choose one opponent. The votes are secret."),
    )  # fmt: skip
    table_count = Figure(_("Number of tables"), 1, 999, help_text=_("Leave empty for as many as a round has games."))
    table_names = LongText(
        label=_("Names of tables, one on each line, as: 1–20 Hall A"),
        rows=3,
        max_length=services.LONGEST["table_names"],
    )
    kept_tables = forms.RegexField(
        r"^[\d,; ]*$", label=_("Tables for featured games, as: 1, 2"), required=False,
        max_length=services.LONGEST["kept_tables"],
        help_text=_("For a stream or a feature match. The app puts no other game there."),
        error_messages={"invalid": _("Enter table numbers with commas between them.")},
    )  # fmt: skip
    awarded_points = Stepper(
        label=_("Points defeated for a bye, a no-show or a concession"), min_value=0, max_value=LARGEST_ARMY,
        by=POINTS_STEP,
    )  # fmt: skip
    bye_tokens = Figure(_("Victory tokens for a bye"), 0, services.MOST_TOKENS)
    bye_is_opponent = forms.BooleanField(label=_("A bye counts as an opponent with 0 points"), required=False)
    skips_unpaired_losses = forms.BooleanField(
        label=_("Unpaired losses of an opponent do not count as rounds"), required=False
    )
    bracket_minutes = Figure(
        _("Visible minutes of a bracket round"), 0, services.MOST_BRACKET_MINUTES,
        help_text=_("Leave empty for the hidden clock of the Swiss rounds. Enter 0 for no clock."),
    )  # fmt: skip
    deck_of_2020 = forms.BooleanField(
        label=_("Battle Deck of 2020"), required=False,
        help_text=_("Twelve cards: objectives, deployments and conditions. Players type their names; nobody checks."),
    )  # fmt: skip
    league = forms.ModelChoiceField(
        League.objects.none(), label=_("League"), required=False, empty_label=_("no league")
    )

    #: The rule of a field, shown at its label.
    RULES = {
        "tier": "E2", "army_size": "E7", "registration_limit": "E6", "registration_deadline": "E6",
        "lists_required": "E9", "lists_published": "E10", "hands_published": "E10", "other_cards": "E12",
        "awarded_points": "E30", "bye_is_opponent": "E35", "cut": "E38", "bye_tokens": "E20", "bracket_minutes": "E26",
        "skips_unpaired_losses": "E35", "deck_of_2020": "E8",
        "table_count": "E22",
    }  # fmt: skip

    def __init__(self, event: Event, data: Any = None, *, locked: Iterable[str], leagues: Iterable[League]) -> None:
        super().__init__(data, initial=settings_of(event))
        self.event = event
        for name in (set(self.fields) & set(locked)) | self._other_rules(event):
            del self.fields[name]
        if "league" in self.fields:
            own = [each.pk for each in leagues] + ([event.league_id] if event.league_id else [])
            self.fields["league"].queryset = League.objects.filter(pk__in=own)
            if not own:
                del self.fields["league"]
        if "structure" in self.fields:
            self.fields["structure"].choices = [
                (each.value, structure_title(event.rule_set, each)) for each in CHOICES[event.rule_set]
            ]
        for name, field in self.fields.items():
            field.show_hidden_initial = True
            field.rule = RULE[RuleSet(event.rule_set)] if name in ("structure", "rounds") else self.RULES.get(name, "")

    @staticmethod
    def _other_rules(event: Event) -> set[str]:
        """Return the fields that mean nothing in the event's rule set."""
        if event.rule_set == RuleSet.GALACTIC_CONQUEST:
            return {"tier", "lists_required", "deck_of_2020"}
        return {"awarded_points", "bye_tokens", "bracket_minutes"}

    #: The fields of each section of the page.
    GROUPS = {
        "event": ("announcement", "name", "about", "starts_at", "time_zone", "place", "schedule", "league"),
        "play": ("rule_set", "tier", "army_size"),
        "structure": ("structure", "rounds", "cut"),
        "registration": (
            "registration_limit", "registration_deadline", "price", "payment_link", "team_size", "team_best",
        ),
        "tables": ("table_count", "table_names", "kept_tables"),
        "lists": ("lists_required", "lists_published", "hands_published", "other_cards", "deck_of_2020"),
        "details": (
            "awarded_points", "bye_tokens", "bye_is_opponent", "skips_unpaired_losses", "bracket_minutes",
            "clubs_apart", "trophies", "voted_trophy",
        ),
    }  # fmt: skip

    def groups(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields that can be changed now, by section."""
        return {title: [self[name] for name in names if name in self.fields] for title, names in self.GROUPS.items()}

    def initials(self) -> list[str]:
        """Return the hidden initial values of buttons and steppers, which do not bring their own."""
        own = (name for name, field in self.fields.items() if isinstance(field, ButtonChoice | Stepper))
        return [self[name].as_hidden(only_initial=True) for name in own]

    def changes(self) -> dict[str, Any]:
        """Return what the user changed, as `change_settings` takes it. The form must be valid."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data if name in services.SETTINGS}
        for name in ("starts_at", "registration_deadline"):
            if name in self.fields and {name, "time_zone"} & set(changed):
                changed[name] = self.moment(name)
        for name in {"rounds", "bye_tokens"} & changed.keys():
            changed[name] = changed[name] or 0
        if changed.get("rule_set") == RuleSet.GALACTIC_CONQUEST:
            changed["lists_required"] = True
        if "rule_set" in changed and self.event.army_size == ARMY_SIZE[RuleSet(self.event.rule_set)]:
            changed.setdefault("army_size", ARMY_SIZE[RuleSet(changed["rule_set"])])
        if "rule_set" in changed and changed.get("structure", self.event.structure) not in CHOICES[changed["rule_set"]]:
            changed["structure"] = StructureChoice.STANDARD
        return changed


def settings_of(event: Event) -> dict[str, Any]:
    """Return the settings of an event as `SettingsForm` shows them."""
    found = {name: getattr(event, name) for name in services.SETTINGS}
    for name in ("starts_at", "registration_deadline"):
        local = local_time(event, found[name])
        found[name] = local.moment if local else None
    return {**found, "league": event.league_id, "rounds": event.rounds or None}


class CancelForm(forms.Form):
    """The reason for cancelling an event."""

    reason = LongText(label=_("Reason"), rows=2, max_length=1000, help_text=_("All players read it."))


def usual_zone(user: User) -> str:
    """Return the time zone of the last event that somebody created or led, else that of the site."""
    last = Event.objects.filter(memberships__user=user).order_by("-created_at").values_list("time_zone", flat=True)
    return last.first() or settings.TIME_ZONE
