"""Forms of a campaign's own pages: its texts, its rules and its webhook."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from campaign.models import Campaign, Webhook
from campaign.queries.campaign_rules import rank_tables
from campaign.services.campaigns import LONGEST_ABOUT, LONGEST_HOUSE_RULES, LONGEST_NAME
from core.encryption import decrypt, encrypt
from core.form_fields import POINTS_STEP, LongText, ShortText, Stepper, error_messages
from core.time_zones import TimeZoneField
from rules.core import campaign_rules as rules
from rules.core.card_types import FACTIONS
from rules.core.rulebook import Rulebook
from rules.register.upgrade_slots import faction_name

#: The suggested rules of a new campaign.
SUGGESTED = {
    "combat_potential": rules.STANDARD_RULES.combat_potential,
    "supply_points": rules.STANDARD_RULES.supply_points,
    "length": rules.TRILOGY,
}


class CampaignForm(forms.Form):
    """A new campaign. `campaign` is its primary key, so that a form sent twice creates one."""

    campaign = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(max_length=LONGEST_NAME, required=False, label=_("Name"))
    about = LongText(label=_("About"), rows=4, max_length=2000, help_text=_("When and where you meet."))
    combat_potential = Stepper(
        required=False, min_value=rules.COMBAT_POTENTIAL[0], max_value=rules.COMBAT_POTENTIAL[1], by=POINTS_STEP,
        error_messages=error_messages(_("Enter a Combat Potential from 200 to 5,000.")),
        label=_("Registers start with Combat Potential"),
    )  # fmt: skip
    supply_points = Stepper(
        required=False, min_value=rules.SUPPLY_POINTS[0], max_value=rules.SUPPLY_POINTS[1],
        error_messages=error_messages(_("Enter Supply Points from 0 to 50.")),
        label=_("Registers start with Supply Points"),
    )  # fmt: skip
    length = forms.IntegerField(
        required=False, min_value=rules.LENGTH[0], max_value=rules.LENGTH[1], label=_("Length in Story Arcs"),
        help_text=_("The rulebook suggests 3. Leave empty for an open-ended campaign."),
    )  # fmt: skip
    unreleased = forms.BooleanField(required=False, label=_("Allow unreleased cards"))

    def as_campaign_rules(self) -> rules.CampaignRules:
        """Return the entered campaign rules; an empty number means the default. The form must be valid."""
        names = ("combat_potential", "supply_points", "length", "unreleased")
        entered = {name: self.cleaned_data[name] for name in names}
        return rules.CampaignRules(**{name: value for name, value in entered.items() if value is not None})


class DetailsForm(forms.Form):
    """The texts of a campaign that an organizer can change. `version` is `details_version` when the form was drawn."""

    version = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    name = ShortText(label=_("Name"), max_length=LONGEST_NAME)
    about = LongText(rows=4, max_length=LONGEST_ABOUT, label=_("About"), help_text=_("When and where you meet."))
    time_zone = TimeZoneField(required=False, help_text=_("For the times of your battles."))
    house_rules = LongText(
        rows=10, max_length=LONGEST_HOUSE_RULES, label=_("Own house rules"),
        help_text=_("What your group has agreed on. Musterbook shows this text and checks nothing in it."),
    )  # fmt: skip


#: The switches by group, as the page shows them.
GROUPS = {
    _("The Register"): ("above_potential", "corps_owed", "last_gain", "requested_twice", "commended_slot"),
    _("The battle and its rewards"): (
        "standing_orders", "turning_point_agenda", "shield", "draw", "ended_together", "conceded_mission",
        "conceding_rival",
    ),
    _("Casualties and Setbacks"): (
        "tunnel_vision_check", "tunnel_vision_without_agenda", "trait_and_hits", "dedicated", "rolled_again",
        "second_of_the_arc", "selfless_warden",
    ),
    _("Numbers of cards"): ("failure_is_not_an_option", "protect_your_allies", "loss_reward_dice"),
}  # fmt: skip
NAMED = ("factions", "story_arcs", "battle_forces")


class CampaignRulesForm(forms.Form):
    """Limits and switches of the campaign rules; fields that are not sent keep their value in `campaign_rules`."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    combat_potential = forms.IntegerField(min_value=rules.COMBAT_POTENTIAL[0], max_value=rules.COMBAT_POTENTIAL[1])
    supply_points = forms.IntegerField(min_value=rules.SUPPLY_POINTS[0], max_value=rules.SUPPLY_POINTS[1])
    length = forms.IntegerField(required=False, min_value=rules.LENGTH[0], max_value=rules.LENGTH[1])
    unreleased = forms.BooleanField(required=False)

    def __init__(self, *args: Any, book: Rulebook, campaign_rules: rules.CampaignRules, **words: Any) -> None:
        super().__init__(*args, **words)
        self.book, self.campaign_rules = book, campaign_rules
        for name in NAMED:
            choices = [(value, label) for value, label, _note in self._listed(name)]
            self.fields[name] = forms.MultipleChoiceField(choices=choices, required=False)
        self.fields["rank_table"] = forms.ChoiceField(choices=rank_tables(book), required=False)
        for switch in rules.SWITCHES:
            choices = [(value, value) for value in switch.values]
            self.fields[switch.name] = forms.ChoiceField(choices=choices, required=False)

    def as_campaign_rules(self) -> rules.CampaignRules:
        """Return the entered campaign rules. The form must be valid."""
        cleaned = self.cleaned_data
        named = {name: tuple(cleaned[name]) for name in NAMED}
        numbers = {name: cleaned[name] for name in ("combat_potential", "supply_points", "length", "unreleased")}
        table = cleaned["rank_table"] if "rank_table" in self.data else self.campaign_rules.rank_table
        house = rules.HouseRules(
            **{name: cleaned[name] or getattr(self.campaign_rules.house, name) for name in rules.BY_NAME}
        )
        return rules.CampaignRules(**named, **numbers, rank_table=table, house=house)

    @property
    def rank_table_options(self) -> list[dict[str, Any]]:
        """Return the rank limits as `components/choice.html` takes them."""
        chosen = self._entered("rank_table", self.campaign_rules.rank_table)
        return [{"value": value, "label": label, "checked": value == chosen} for value, label in rank_tables(self.book)]

    def number(self, name: str) -> dict[str, Any]:
        """Return a numeric limit as `components/stepper.html` takes it."""
        field = self.fields[name]
        return {
            "value": self._entered(name, getattr(self.campaign_rules, name)),
            "min": field.min_value,
            "max": field.max_value,
            "violations": self._violations(name),
        }

    def ticks(self, name: str) -> list[dict[str, Any]]:
        """Return the choices of a limit as rows to tick."""
        chosen = self.data.getlist(name) if self.is_bound else getattr(self.campaign_rules, name)
        return [
            {"value": value, "label": label, "note": note, "checked": value in chosen}
            for value, label, note in self._listed(name)
        ]

    @property
    def unreleased_checked(self) -> bool:
        """Return whether the box for unreleased cards is ticked."""
        return "unreleased" in self.data if self.is_bound else self.campaign_rules.unreleased

    def groups(self) -> Iterator[dict[str, Any]]:
        """Yield the switches by group; a group is open if something in it differs from the rulebook."""
        for title, names in GROUPS.items():
            switches = [self._switch(rules.BY_NAME[name]) for name in names]
            own = sum(switch["own"] for switch in switches)
            yield {"title": title, "switches": switches, "own": own}

    def _switch(self, switch: rules.Switch) -> dict[str, Any]:
        now = getattr(self.campaign_rules.house, switch.name)
        chosen = self._entered(switch.name, now) or now
        return {
            "name": switch.name,
            "title": switch.title,
            "rule": switch.rule,
            "printed": switch.printed,
            "own": now != switch.default,
            "words": switch.words(now),
            "usual": switch.readings[0].words,
            "options": [
                {
                    "value": reading.value,
                    "label": reading.words,
                    "note": gettext("Musterbook default") if reading.value == switch.default else "",
                    "checked": reading.value == chosen,
                }
                for reading in switch.readings
            ],
            "violations": self._violations(switch.name),
        }

    def _listed(self, name: str) -> list[tuple[str, str, str]]:
        """Return the value, label and note of each choice of a limit."""
        if name == "factions":
            return [(faction, faction_name(faction), "") for faction in FACTIONS]
        if name == "story_arcs":
            arcs = self.book.story_arcs.items()
            return [(slug, arc.name, "") for slug, arc in arcs if not (arc.own or arc.retired)]
        states = [item for item in self.book.battle_forces.items() if not item[1].retired]
        return [(slug, state.name, faction_name(state.faction)) for slug, state in states]

    def _entered(self, name: str, kept: Any) -> Any:
        return self.data.get(name, "") if self.is_bound else kept

    def _violations(self, name: str) -> list[dict[str, str]]:
        return [{"rule": "", "sentence": str(text)} for text in self.errors.get(name, ())]


class WebhookForm(forms.Form):
    """The webhook of a campaign. The address is never filled in, because it is a secret.

    A valid address is kept encrypted (`kept`) if another field is refused, so that neither the page nor the browser's
    history shows it. An invalid one is shown as it was typed, to be corrected.
    """

    address = forms.CharField(
        max_length=300, required=False, label=_("Webhook URL"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "inputmode": "url"}
        ),
    )  # fmt: skip
    kept = forms.CharField(max_length=1000, required=False, widget=forms.HiddenInput)
    kinds = forms.MultipleChoiceField(
        required=False, label=_("What to send"), choices=list(Webhook.KINDS.items()),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        self.campaign = campaign
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        """Use the kept address if none is typed."""
        words = super().clean() or {}
        if not words.get("address") and (decrypted := decrypt(words.get("kept", ""))):
            campaign, _space, address = decrypted.partition(" ")
            words["address"] = address if campaign == str(self.campaign.pk) else ""
        return words

    def keep_address(self) -> None:
        """Keep a valid address encrypted, for the page that says what else is refused."""
        if (address := self.cleaned_data.get("address")) and "address" not in self.errors:
            # Encrypted with its campaign, so that it cannot be set in another one.
            self.data = {
                "kept": encrypt(f"{self.campaign.pk} {address}"), "kinds": self.cleaned_data.get("kinds", [])
            }  # fmt: skip
