"""The Command Hand and the Battle Deck in the form of an army: a field for each card, as many as there may be.

Posted are `hand` (slugs, several; empty fields count nothing), `standing` (which Standing Orders) and `deck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from campaign.forms.refusals import said
from rules.army import BATTLE_DECK, OF_EACH, TYPES, Army, card_format, choosable, plural
from rules.cards import BattleCard, CommandCard, ParagonCommandCard
from rules.command_hand import (
    PIPS,
    PIPS_OF_STANDING_ORDERS,
    STANDING_ORDERS,
    commanded,
    hand_problems,
    needs,
    playable,
)
from rules.force import Force
from rules.language import gettext
from rules.refusal import Problem
from rules.rulebook import Rulebook

Card = CommandCard | ParagonCommandCard | BattleCard

#: In which order cards of the hand are offered.
GROUPS = (
    gettext_lazy("unlocked by the Paragon"),
    gettext_lazy("for your units"),
    gettext_lazy("for everybody"),
)


@dataclass(slots=True)
class HandForm:
    """The Command Hand (R24). `kept` is the recorded one, `recorded` its size.

    Who may `enter` a hand and not `see` it (an organiser for an absent player) writes a new one without being
    shown the old.
    """

    book: Rulebook
    force: Force
    said: QueryDict | None
    kept: tuple[str, ...] = ()
    recorded: int = 0
    enter: bool = True
    see: bool = True

    @property
    def cards(self) -> tuple[str, ...]:
        """The hand as entered, or as it is recorded; empty for none."""
        if self.said is None:
            return self.kept
        chosen = tuple(slug for slug in self.said.getlist("hand") if slug)
        return (*chosen, self.said.get("standing", STANDING_ORDERS)) if chosen else ()

    @property
    def entry(self) -> tuple[str, ...] | None:
        """The hand for `mustering.muster`: None leaves the recorded one as it is."""
        if self.said is None or "hand" not in self.said or not self.enter:
            return None
        return self.cards if self.cards or self.see else None

    def context(self, army: Army, problems: Iterable[Problem]) -> dict[str, Any] | None:
        """What the template takes; nothing for whom it is closed. `problems` are what a service refused."""
        if not self.enter:
            return None
        seen = commanded(self.book, self.force, army)
        offered, chosen = playable(self.book, seen), list(self.cards)
        refused = [problem for problem in problems if problem.rule == "R24"]
        # While it is being put together only wrong cards are told of; that some are missing, when it is sent.
        found = hand_problems(self.book, seen, chosen) if chosen else ()
        wrong = refused or [item for item in found if not item.about.startswith("pips-")]
        standing = [card for card in offered if card.pips == PIPS_OF_STANDING_ORDERS]
        return {
            "groups": [
                {"pips": pips, "slots": list(_slots(
                    f"hand-{pips}", self._of(pips, chosen), self._labelled(offered, pips), wanted
                ))}
                for pips, wanted in PIPS.items() if pips != PIPS_OF_STANDING_ORDERS
            ],
            "standing": [
                {"value": card.slug, "label": card.name, "chosen": card.slug in chosen} for card in standing
            ] if len(standing) > 1 else [],
            "count": len(chosen),
            "recorded": 0 if self.see else self.recorded,
            "problems": said(wrong),
        }  # fmt: skip

    def _of(self, pips: int, chosen: Sequence[str]) -> list[Card]:
        found = (self.book.commands.get(slug) or self.book.command_cards.get(slug) for slug in chosen)
        return [card for card in found if card and card.pips == pips]

    def _labelled(self, offered: Iterable[CommandCard | ParagonCommandCard], pips: int) -> list[_Option]:
        options = (_option(card) for card in offered if card.pips == pips)
        return sorted(options, key=lambda option: GROUPS.index(option.group))


@dataclass(slots=True)
class DeckForm:
    """The Battle Deck of an army for a game of `size` points."""

    book: Rulebook
    faction: str
    size: int
    said: QueryDict | None
    kept: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The deck as entered, or as it is kept; empty for none. `reckon` "deck" takes all cards there are."""
        if self.said is None:
            return self.kept
        if self.said.get("reckon") == "deck" and self.one_of_a_kind:
            return tuple(card.slug for card in self._offered())
        return tuple(slug for slug in self.said.getlist("deck") if slug)

    @property
    def one_of_a_kind(self) -> bool:
        """Whether there are no more cards than a deck holds, as in Recon."""
        return len(self._offered()) == OF_EACH * len(TYPES)

    def _offered(self) -> list[BattleCard]:
        return choosable(self.book, game=card_format(self.size), faction=self.faction)

    def context(self, problems: Iterable[Problem]) -> dict[str, Any]:
        """What the template takes; `problems` are those of the whole army."""
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
            "problems": said(problem for problem in problems if problem.rule == BATTLE_DECK) if chosen else [],
        }  # fmt: skip


# --- Fields for cards ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Option:
    """A card in a field; options of one `group` stand together."""

    value: str
    label: str
    group: str = ""


def _option(card: CommandCard | ParagonCommandCard) -> _Option:
    if isinstance(card, ParagonCommandCard):
        return _Option(card.slug, card.name, GROUPS[0])
    what = needs(card) or card.battle_force or (gettext("by its units") if card.extra_requirements else "")
    if what:
        return _Option(card.slug, f"{card.name} ({what})", GROUPS[1])
    return _Option(card.slug, card.name, GROUPS[2])


def _slots(
    name: str, chosen: Sequence[Card], offered: Sequence[_Option], wanted: int
) -> Iterator[dict[str, Any]]:
    """`wanted` fields, or as many as are chosen if that is more; a chosen card that is not offered stays in its own."""
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
