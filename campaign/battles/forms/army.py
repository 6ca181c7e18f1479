"""The army form of a battle: from checkboxes and choices to an army (R19 to R22, R24), and back.

Fields are `unit` (keys of Dossiers), `upgrade` ("key/slug"; those of units that stay behind are kept for the form),
`asset` ("medevac.1": the first one held), and for each asset that brings something `lent-ASSET-unit`,
`lent-ASSET-upgrade` (several) and `lent-ASSET-bearer`; `battle_force`; `rank_reason`; `hand` (slugs, several; empty
fields are ignored), `standing` (which Standing Orders) and `deck`. `drawn-assets` and `drawn-hand` are the `drawn_as`
tokens of the fields on the page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from campaign.battles.forms.actions import RecalculatedForm
from campaign.battles.models import Side
from campaign.battles.pages.armies import plain_check
from campaign.battles.pages.table import HandView
from campaign.battles.report_data import army_of, book_of
from core.form_errors import BrokenRule, add_violations, as_context, errors_as_context
from core.form_fields import Several, ShortText, Version, entered
from registers.pages.sheet import in_order
from rules.battle import army as rules, command_hand
from rules.battle.battle_deck import BATTLE_DECK, OF_EACH, TYPES, choosable, plural
from rules.core.card_types import RANKS, BattleCard, CommandCard, ParagonCommandCard, Unit, Upgrade
from rules.core.rulebook import RankLimits, Rulebook
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation
from rules.register.building import fielding_warnings
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import (
    Bearer,
    availability_violations,
    bearer,
    equip_violations,
    lent_bearer,
    shares_faction,
    spoken,
)

EVERYTHING = "everything"
COMMAND_HAND = "R24"
#: Parts of the page that are redrawn when their options change.
DRAWN = ("assets", "hand")
#: Maximum length, in characters, of the reason for breaking rank limits; the same as its database field.
LONGEST_REASON = 200


class ArmyForm(RecalculatedForm):
    """The army of a side as it is chosen: initially the saved one, the whole Register if legal, or only the Paragon."""

    unit = Several()
    upgrade = Several()
    asset = Several()
    battle_force = forms.Field(label=_("Battle force"), required=False, widget=forms.Select)
    rank_reason = ShortText(label=_("Reason for breaking the rank limits"), max_length=LONGEST_REASON, rule="R18")
    version = Version(required=False)

    def __init__(
        self,
        side: Side,
        state: RegisterState,
        setup: rules.BattleSetup,
        limits: RankLimits | None,
        hand: "HandForm",
        data: Any = None,
    ) -> None:
        super().__init__(data)
        self.side, self.state, self.setup, self.limits, self.hand = side, state, setup, limits, hand
        self.book = book = book_of(side)
        self.deck = DeckForm(book, state.faction, setup.size, data, side.army.get("battle_deck", ()))
        self.fields |= {f"drawn-{part}": forms.Field(required=False) for part in DRAWN}
        open_forces = rules.open_battle_forces(book, state.faction)
        choices = [("", gettext("none")), *((each.slug, each.name) for each in open_forces)]
        self.fields["battle_force"].widget.choices = choices
        self.fielded = replace(army_of(book, side.army), agenda="") if side.army_chosen else None
        if not self.is_bound:
            self.initial = {"battle_force": self.army.battle_force, "rank_reason": self.army.rank_reason}

    def clean(self) -> None:
        """Refuse an army that is submitted without the units and upgrades of its assets."""
        if not self.cleaned_data["reckon"]:
            add_violations(self, RuleViolation(self.empty_handed()))

    def add_refusal(self, refusal: RuleViolation) -> None:
        """Show violations of the rules; the tally lists most of them already."""
        for violation in refusal.violations:
            self.add_error(None, BrokenRule(violation))

    @cached_property
    def army(self) -> rules.Army:
        """The army as entered."""
        if not self.is_bound:
            return self.fielded or self._first_proposal()
        cleaned = entered(self)
        if cleaned["reckon"] == EVERYTHING:
            fielded = self._everyone()
        else:
            ticked = self._ticked()
            units = self._with_all_upgrades([self.state.paragon, *cleaned["unit"]])
            fielded = {
                key: tuple(slug for slug in upgrades if (key, slug) in ticked) for key, upgrades in units.items()
            }
        used = self._used()
        return rules.Army(
            fielded=fielded,
            assets=tuple(self.lendings[token].asset for token in used),
            lent=tuple(filter(None, (self.lendings[token].lent for token in used))),
            battle_force=cleaned["battle_force"] or "",
            battle_deck=self.deck.cards,
            rank_reason=cleaned.get("rank_reason", ""),
        )

    def _first_proposal(self) -> rules.Army:
        everyone = rules.Army(fielded=self._everyone())
        if not any(rules.army_violations(self.book, self.state, everyone, self.setup)):
            return everyone
        return rules.Army(fielded=self._with_all_upgrades([self.state.paragon]))

    def _everyone(self) -> dict[str, tuple[str, ...]]:
        return self._with_all_upgrades([dossier.key for dossier in in_order(self.state)])

    def _with_all_upgrades(self, keys: list[str]) -> dict[str, tuple[str, ...]]:
        dossiers = self.state.dossiers
        return {key: dossiers[key].upgrades if key in dossiers else () for key in keys if key}

    def _ticked(self) -> set[tuple[str, str]]:
        """Return the ticked upgrades, including those of units that stay behind. Initially all are ticked."""
        if self.is_bound and entered(self)["reckon"] != EVERYTHING:
            pairs = (text.partition("/") for text in entered(self)["upgrade"])
            return {(key, slug) for key, _slash, slug in pairs}
        fielded = self.fielded.fielded if self.fielded and not self.is_bound else {}
        return {
            (key, slug) for key, dossier in self.state.dossiers.items() for slug in fielded.get(key, dossier.upgrades)
        }

    @cached_property
    def lendings(self) -> "dict[str, LendingForm]":
        """The assets of the Register, each by its own token, because one may be held twice (R43)."""
        lent = self.fielded.lent if self.fielded else ()
        seen: Counter[str] = Counter()
        found = {}
        for place, slug in enumerate(self.state.assets, 1):
            brought = [each for each in lent if each.asset == slug][seen[slug] :]
            seen[slug] += 1
            token = f"{slug}.{seen[slug]}"
            found[token] = LendingForm(self, token, f"L{place}", slug, next(iter(brought), None))
        return found

    def _used(self) -> list[str]:
        if self.is_bound:
            return [token for token in self.lendings if token in entered(self)["asset"]]
        used = Counter(self.fielded.assets if self.fielded else ())
        return [token for token in self.lendings if int(token.rpartition(".")[2]) <= used[token.rpartition(".")[0]]]

    def empty_handed(self) -> Iterator[Violation]:
        """Yield violations for assets that would be used up for nothing, because no unit or upgrade is chosen (R21)."""
        for form in map(self.lendings.__getitem__, self._used()):
            if form.asset in BRINGS and form.lent is None:
                name = self.book.assets[form.asset].name
                text = gettext("Choose what %(asset)s brings, or untick it.")
                yield Violation("R21", text % {"asset": name}, form.asset)

    def context(self) -> dict[str, Any]:
        """Return the template context: the tally and the whole form."""
        army, refused = self.army, errors_as_context(self)
        tally = self._tally(army)
        assets, hand = list(self._asset_rows(army)), self.hand.context(army, refused)
        drawn = {"assets": drawn_as(assets), "hand": drawn_as(hand and hand["groups"], hand and hand["standing"])}
        # The tally, the hand and the deck show their own violations.
        shown = {violation["sentence"] for violation in tally["violations"]}
        return {
            "form": self,
            "tally": tally,
            "units": list(self._unit_rows(army)),
            "assets": assets,
            "hand": hand,
            "drawn": drawn,
            "redrawn": {part: self[f"drawn-{part}"].data != word for part, word in drawn.items()},
            "deck": self.deck.context(rules.army_violations(self.book, self.state, army, self.setup)),
            "plain": plain_check(self.book, self.state, army, self.setup),
            "violations": [
                violation
                for violation in refused
                if violation["rule"] not in (COMMAND_HAND, BATTLE_DECK) and violation["sentence"] not in shown
            ],
        }

    def _tally(self, army: rules.Army) -> dict[str, Any]:
        found = [*rules.army_violations(self.book, self.state, army, self.setup), *self.empty_handed()]
        limits = self.limits
        if army.battle_force:
            limits = rules.rank_limits_for(self.book, self.setup.size, army.battle_force)
        warnings = rules.rank_warnings(self.book, self.state, army, limits) if limits else []
        return {
            "points": rules.army_points(self.book, self.state, army),
            "allowed": self.setup.size + self.setup.reinforcements,
            "reinforcements": self.setup.reinforcements,
            "units": len(army.fielded) + sum(1 for lent in army.lent if lent.unit),
            "violations": as_context(violation for violation in found if violation.rule != BATTLE_DECK),
            "rank_warnings": warnings,
            "limits": limits,
        }

    def _unit_rows(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        ticked = self._ticked()
        for dossier in in_order(self.state):
            unit = self.book.units[dossier.card]
            taken = replace(dossier, upgrades=army.fielded.get(dossier.key, dossier.upgrades))
            yield {
                "key": dossier.key,
                "label": unit_label(self.book, self.state, dossier.key),
                "card": unit.full_name if dossier.name else "",
                "rank": unit.rank,
                "rank_name": spoken(unit.rank),
                "points": unit.points,
                "fielded": dossier.key in army.fielded,
                "is_paragon": dossier.key == self.state.paragon,
                "setbacks": list(self._setbacks(dossier)),
                "upgrades": [
                    {"slug": slug, "name": (card := self.book.upgrades[slug]).full_name, "points": card.points,
                     "type": card.type, "ticked": (dossier.key, slug) in ticked}
                    for slug in dossier.upgrades
                ],
                # Compulsory upgrades that it lacks or would leave behind (R7).
                "warnings": list(fielding_warnings(self.book, taken)),
            }  # fmt: skip

    def _setbacks(self, dossier: Dossier) -> Iterator[str]:
        for slug in dict.fromkeys(dossier.setbacks):
            setback, times = self.book.setbacks[slug], dossier.setbacks.count(slug)
            points = setback.army_points_each * times
            extra = (
                ngettext(", +%(number)s point", ", +%(number)s points", points) % {"number": points} if points else ""
            )
            yield f"{setback.name}{f' ×{times}' if times > 1 else ''}{extra}"

    def _asset_rows(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        used = self._used()
        bearers = self._bearers(army)
        for token, form in self.lendings.items():
            card = self.book.assets[form.asset]
            barred = self.setup.own_turning_point and card.not_in_own_turning_point
            lends = token in used and not barred
            yield {
                "token": token,
                "name": card.name,
                "effect": card.effect,
                "used": token in used,
                "why": gettext("not in your own Turning Point Mission (R21)") if barred else "",
                "lending": form.context(army, bearers) if lends else None,
            }

    def _bearers(self, army: rules.Army) -> list[tuple[str, str]]:
        """Return the units of the army, lent ones included, that may carry special equipment or be exempted."""
        keys = [key for key in army.fielded if key in self.state.dossiers]
        own = [(key, unit_label(self.book, self.state, key)) for key in keys]
        return own + [(lent.key, lent.unit.full_name) for lent in army.lent if lent.unit]


Card = CommandCard | ParagonCommandCard | BattleCard

#: The order in which cards of the hand are offered.
GROUPS = (_("unlocked by the Paragon"), _("for your units"), _("for everybody"))


class HandForm(forms.Form):
    """The Command Hand (R24); `hand` is the recorded one. A user who may `enter` a hand but not `see` it (an organizer
    for an absent player) enters a new one unseen.
    """

    hand = Several()
    standing = forms.Field(required=False)

    def __init__(
        self, book: Rulebook, state: RegisterState, hand: HandView | None, data: Any, *, enter: bool, see: bool
    ) -> None:
        super().__init__(data)
        self.book, self.state, self.enter, self.see = book, state, enter, see
        self.kept = tuple(card.slug for card in hand.cards or ()) if hand else ()
        self.recorded = hand.size if hand and not see else 0

    @property
    def cards(self) -> tuple[str, ...]:
        """The hand as entered, or else the recorded one; empty for none."""
        if not self.is_bound:
            return self.kept
        cleaned = entered(self)
        return (*cleaned["hand"], cleaned["standing"] or command_hand.STANDING_ORDERS) if cleaned["hand"] else ()

    @property
    def entry(self) -> tuple[str, ...] | None:
        """The hand for `choose_army`: None leaves the recorded one unchanged."""
        if "hand" not in self.data or not self.enter:
            return None
        return self.cards if self.cards or self.see else None

    def context(self, army: rules.Army, refused: Iterable[dict[str, str]]) -> dict[str, Any] | None:
        """Return the template context, or None if the user may not enter a hand. `refused` is about the whole army."""
        if not self.enter:
            return None
        seen = command_hand.commanded(self.book, self.state, army)
        offered, chosen = command_hand.playable(self.book, seen), list(self.cards)
        # An unfinished hand shows only wrong cards. Missing cards are reported on submission.
        found = command_hand.hand_violations(self.book, seen, chosen) if chosen else ()
        wrong = as_context(item for item in found if not item.about.startswith("pips-"))
        standing = [card for card in offered if card.pips == command_hand.PIPS_OF_STANDING_ORDERS]
        return {
            "groups": [
                {"pips": pips, "slots": list(_slots(
                    f"hand-{pips}", self._of(pips, chosen), self._labelled(offered, pips), wanted
                ))}
                for pips, wanted in command_hand.PIPS.items() if pips != command_hand.PIPS_OF_STANDING_ORDERS
            ],
            "standing": [
                {"value": card.slug, "label": card.name, "chosen": card.slug in chosen} for card in standing
            ] if len(standing) > 1 else [],
            "count": len(chosen),
            "recorded": self.recorded,
            "violations": [violation for violation in refused if violation["rule"] == COMMAND_HAND] or wrong,
        }  # fmt: skip

    def _of(self, pips: int, chosen: Sequence[str]) -> list[Card]:
        found = (self.book.commands.get(slug) or self.book.command_cards.get(slug) for slug in chosen)
        return [card for card in found if card and card.pips == pips]

    def _labelled(self, offered: Iterable[CommandCard | ParagonCommandCard], pips: int) -> "list[_Option]":
        options = (_option(card) for card in offered if card.pips == pips)
        return sorted(options, key=lambda option: GROUPS.index(option.group))


class DeckForm(forms.Form):
    """The Battle Deck of an army for a game of `size` points; `kept` is the saved one."""

    deck = Several()
    reckon = forms.Field(required=False)

    def __init__(self, book: Rulebook, faction: str, size: int, data: Any, kept: Iterable[str]) -> None:
        super().__init__(data)
        self.book, self.faction, self.size, self.kept = book, faction, size, tuple(kept)

    @property
    def cards(self) -> tuple[str, ...]:
        """The deck as entered, or else the saved one; empty for none. `reckon` "deck" takes all available cards."""
        if not self.is_bound:
            return self.kept
        cleaned = entered(self)
        if cleaned["reckon"] == "deck" and self.one_of_a_kind:
            return tuple(card.slug for card in self._offered())
        return tuple(cleaned["deck"])

    @property
    def one_of_a_kind(self) -> bool:
        """Whether there are no more cards than a deck holds, as in Recon."""
        return len(self._offered()) == OF_EACH * len(TYPES)

    def _offered(self) -> list[BattleCard]:
        return choosable(self.book, game=rules.card_format(self.size), faction=self.faction)

    def context(self, violations: Iterable[Violation]) -> dict[str, Any]:
        """Return the template context; `violations` are those of the whole army."""
        offered, chosen = self._offered(), self.cards
        known = [self.book.battle_cards[slug] for slug in chosen if slug in self.book.battle_cards]
        return {
            "groups": [
                {"name": plural(kind), "slots": _slots(
                    f"deck-{kind}",
                    [card for card in known if card.type == kind],
                    [_Option(card.slug, card.name, card.faction) for card in offered if card.type == kind],
                    OF_EACH,
                )}
                for kind in TYPES
            ],
            "count": len(chosen),
            "one_of_a_kind": self.one_of_a_kind,
            "violations": as_context(each for each in violations if each.rule == BATTLE_DECK) if chosen else [],
        }  # fmt: skip


class _Option(Value):
    """A card in a field; options with the same `group` are shown together."""

    value: str
    label: str
    group: str = ""


def _option(card: CommandCard | ParagonCommandCard) -> _Option:
    if isinstance(card, ParagonCommandCard):
        return _Option(card.slug, card.name, GROUPS[0])
    what = command_hand.needs(card) or card.battle_force or (gettext("by its units") if card.extra_requirements else "")
    if what:
        return _Option(card.slug, f"{card.name} ({what})", GROUPS[1])
    return _Option(card.slug, card.name, GROUPS[2])


def _slots(name: str, chosen: Sequence[Card], offered: Sequence[_Option], wanted: int) -> Iterator[dict[str, Any]]:
    """Yield `wanted` fields, or more, one for each chosen card. A card that is not offered keeps its field."""
    known = {option.value for option in offered}
    for place in range(max(wanted, len(chosen))):
        here = chosen[place] if place < len(chosen) else None
        options, slug = list(offered), here.slug if here else ""
        if here and here.slug not in known:
            options.insert(0, _Option(here.slug, here.name, gettext("no longer possible")))
        yield {
            "id": f"id_{name}-{place + 1}",
            "number": place + 1,
            "groups": [
                {"name": group, "options": [
                    {"value": option.value, "label": option.label, "chosen": option.value == slug}
                    for option in found
                ]}
                for group, found in groupby(options, lambda option: option.group)
            ],
        }  # fmt: skip


BRINGS_A_UNIT = (rules.REQUEST_ASSISTANCE, rules.HEROIC_INTERVENTION)
BRINGS = (*BRINGS_A_UNIT, rules.SPECIAL_EQUIPMENT, rules.EXTRAORDINARY_USE)


class LendingForm(forms.Form):
    """The unit or upgrades that one asset brings. `token` distinguishes it from another of its kind, `key` is that of
    the unit it lends, `kept` the saved choice.
    """

    unit = forms.Field(required=False)
    upgrade = Several()
    bearer = forms.Field(required=False)

    def __init__(self, army: ArmyForm, token: str, key: str, asset: str, kept: rules.Lent | None) -> None:
        super().__init__(army.data if army.is_bound else None, prefix=f"lent-{token}")
        self.book, self.state, self.token, self.key, self.asset = army.book, army.state, token, key, asset
        #: The unit that the upgrades were chosen for.
        self.fields["for"] = forms.Field(required=False)
        if kept:
            unit = kept.unit.slug if kept.unit else ""
            upgrades = [card.slug for card in kept.upgrades]
            self.initial = {"unit": unit, "for": unit, "upgrade": upgrades, "bearer": kept.bearer}

    @property
    def lent_unit(self) -> Unit | None:
        """The chosen unit."""
        return self.book.units.get(self._chosen("unit")) if self.asset in BRINGS_A_UNIT else None

    @property
    def upgrades(self) -> tuple[Upgrade, ...]:
        """The chosen upgrades. Upgrades chosen for another unit are dropped."""
        if (unit := self.lent_unit) and self._chosen("for") != unit.slug:
            return ()
        known = self.book.upgrades
        return tuple(known[slug] for slug in self._chosen("upgrade") or () if slug in known)

    @property
    def lent_to(self) -> str:
        """The unit of the army that carries the special equipment, or is exempted."""
        return self._chosen("bearer") or ""

    def _chosen(self, name: str) -> Any:
        return entered(self)[name] if self.is_bound else self.initial.get(name)

    @property
    def lent(self) -> rules.Lent | None:
        """The choice for this asset; None if nothing is chosen yet or it brings nothing."""
        if self.asset in BRINGS_A_UNIT:
            return rules.Lent(self.asset, self.key, self.lent_unit, self.upgrades) if self.lent_unit else None
        if self.asset == rules.SPECIAL_EQUIPMENT and self.upgrades:
            return rules.Lent(self.asset, upgrades=self.upgrades, bearer=self.lent_to)
        if self.asset == rules.EXTRAORDINARY_USE and self.lent_to:
            return rules.Lent(self.asset, bearer=self.lent_to)
        return None

    def context(self, army: rules.Army, units: list[tuple[str, str]]) -> dict[str, Any] | None:
        """Return the template context, or None for an asset that brings nothing."""
        if self.asset not in BRINGS:
            return None
        shown: dict[str, Any] = {"token": self.token}
        if self.asset in BRINGS_A_UNIT:
            slots = list(self._slots(self.lent_unit)) if self.lent_unit else []
            return shown | {"units": _grouped(self._units(), self.lent_unit), "unit": self.lent_unit, "slots": slots}
        shown["bearers"] = [
            {"value": key, "label": name, "chosen": key == self.lent_to} for key, name in units if key != self.key
        ]
        if self.asset == rules.SPECIAL_EQUIPMENT:
            shown["equipment"] = _grouped(self._equipment(army), next(iter(self.upgrades), None))
        return shown

    def _units(self) -> Iterator[Unit]:
        wants_commander = self.asset == rules.HEROIC_INTERVENTION
        for unit in self.book.units.values():
            if (
                unit.unique
                and (unit.rank == "commander") is wants_commander
                and shares_faction(unit, self.state.faction)
                and not [*availability_violations(self.book, unit)]
            ):
                yield unit

    def _slots(self, unit: Unit) -> Iterator[dict[str, Any]]:
        """Yield one choice for each slot of the unit, including slots that its chosen upgrades give."""
        chosen = list(self.upgrades)
        slots = sorted([*unit.upgrade_slots, *(slot for card in chosen for slot in card.grants_slots)])
        mine = lent_bearer(self.state, unit)
        for slot in slots:
            here = next((card for card in chosen if card.type == slot), None)
            if here:
                chosen.remove(here)
            roomy = replace(mine, added_slots=(slot,))
            cards = [card for card in self.book.upgrades.values() if card.type == slot and self._fits(roomy, card)]
            yield {"type": slot, "name": spoken(slot), "options": _options(cards, here)}

    def _equipment(self, army: rules.Army) -> Iterator[Upgrade]:
        """Yield the unique upgrades that the bearer can equip; if none is chosen yet, those that any unit can."""
        mine = self._bearer(army)
        for card in self.book.upgrades.values():
            if (
                card.unique
                and not [*availability_violations(self.book, card)]
                and (mine is None or self._fits(mine, card))
            ):
                yield card

    def _bearer(self, army: rules.Army) -> Bearer | None:
        if self.lent_to in self.state.dossiers:
            return bearer(self.book, self.state, self.state.dossiers[self.lent_to])
        lent = next((lent for lent in army.lent if lent.unit and lent.key == self.lent_to), None)
        return lent_bearer(self.state, lent.unit) if lent and lent.unit else None

    def _fits(self, unit: Bearer, card: Upgrade) -> bool:
        return not [*equip_violations(unit, [], [card]), *availability_violations(self.book, card)]


def _options(cards: Iterable[Unit | Upgrade], chosen: Unit | Upgrade | None) -> list[dict[str, Any]]:
    slug = chosen.slug if chosen else ""
    return [
        {"value": card.slug, "label": f"{card.full_name}, {card.points}", "chosen": card.slug == slug}
        for card in sorted(cards, key=lambda card: card.full_name)
    ]


def _grouped(cards: Iterable[Unit | Upgrade], chosen: Unit | Upgrade | None) -> list[dict[str, Any]]:
    """Return options by rank or upgrade type, in the order of the printed tables."""

    def kind(card: Unit | Upgrade) -> str:
        return card.rank if isinstance(card, Unit) else card.type

    def order(card: Unit | Upgrade) -> tuple[int, str]:
        return (RANKS.index(card.rank) if isinstance(card, Unit) else 0, kind(card))

    groups = groupby(sorted(cards, key=order), kind)
    return [{"name": spoken(name).capitalize(), "options": _options(found, chosen)} for name, found in groups]


#: Keys for the user's choices in a field's context; all other keys describe the options.
_CHOICES = frozenset({"chosen", "used"})


def drawn_as(*fields: Any) -> str:
    """Return a token of the options in fields (as templates take them), whatever is chosen among them."""
    return blake2b(repr(_offered(fields)).encode(), digest_size=8).hexdigest()


def _offered(part: Any) -> Any:
    match part:
        case dict():
            return {key: _offered(value) for key, value in part.items() if key not in _CHOICES}
        case list() | tuple():
            return [_offered(each) for each in part]
        case Unit():
            return part.slug
    return part
