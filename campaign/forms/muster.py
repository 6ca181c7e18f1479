"""Mustering: from ticks and choices to an army (R19 to R23), and back to the form.

Posted are `unit` (keys of Dossiers), `upgrade` ("key/slug"; those of units that stay behind are kept for the
form), `asset` ("medevac.1": the first one held), `agenda`, and for each asset that brings something
`lent-ASSET-unit`, `lent-ASSET-upgrade` (several) and `lent-ASSET-bearer`; `battle_force`; `rank_reason`; for Command
Hand and Battle Deck see `campaign.forms.cards`. `drawn-assets` and `drawn-hand` are the words of `drawn_as` for the
fields on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.facts import army_of
from campaign.forms.cards import DeckForm, HandForm
from campaign.forms.drawn import drawn_as
from campaign.forms.lending import LendingForm
from campaign.forms.refusals import said
from campaign.models import Side
from campaign.plain import plain_check
from registers.sheet import in_order
from rules import army as rules
from rules.army import BATTLE_DECK, Lent, army_problems, rank_warnings
from rules.building import fielding_warnings
from rules.equipment import spoken
from rules.force import Dossier, Force
from rules.language import gettext, ngettext
from rules.refusal import Problem
from rules.rulebook import RankLimits, Rulebook
from rules.wording import unit_label

EVERYTHING = "everything"
COMMAND_HAND = "R24"
#: Letters of why ranks may be outside the limits, as many as its field takes.
LONGEST_REASON = 200


@dataclass(slots=True)
class MusterForm:
    """The army of a side as it is being put together. `said` is what was posted, or None for the first look."""

    book: Rulebook
    force: Force
    side: Side
    terms: rules.BattleTerms
    limits: RankLimits | None
    hand: HandForm
    said: QueryDict | None = None
    problems: tuple[Problem, ...] = ()

    # --- The army --------------------------------------------------------------------------------------------

    @property
    def army(self) -> rules.Army:
        """The army as entered; for the first look the one that was mustered, else the Paragon alone."""
        if self.said is None:
            if self.side.mustered:
                return army_of(self.book, self.side.army)
            return rules.Army(fielded=self._with_all_upgrades([self.force.paragon]))
        if self.said.get("reckon") == EVERYTHING:
            fielded = self._with_all_upgrades([dossier.key for dossier in in_order(self.force)])
        else:
            keys = [*dict.fromkeys([self.force.paragon, *self.said.getlist("unit")])]
            ticked = self._ticked()
            fielded = {
                key: tuple(slug for slug in self._upgrades(key) if (key, slug) in ticked)
                for key in keys
                if key
            }
        return rules.Army(
            fielded=fielded,
            assets=self._assets(),
            lent=self._lent(),
            agenda=self.said.get("agenda", ""),
            battle_force=self.said.get("battle_force", ""),
            battle_deck=self._deck.cards,
            rank_reason=self.said.get("rank_reason", "").strip()[:LONGEST_REASON],
        )

    @property
    def _deck(self) -> DeckForm:
        kept = tuple(self.side.army.get("battle_deck", ()))
        return DeckForm(self.book, self.force.faction, self.terms.size, self.said, kept)

    def _with_all_upgrades(self, keys: list[str]) -> dict[str, tuple[str, ...]]:
        return {key: self._upgrades(key) for key in keys if key}

    def _upgrades(self, key: str) -> tuple[str, ...]:
        return self.force.dossiers[key].upgrades if key in self.force.dossiers else ()

    def _ticked(self) -> set[tuple[str, str]]:
        """Upgrades that are ticked, of units that stay behind too. All of them at the first look."""
        if self.said is None or self.said.get("reckon") == EVERYTHING:
            fielded = self.army.fielded if self.side.mustered and self.said is None else {}
            return {
                (key, slug)
                for key, dossier in self.force.dossiers.items()
                for slug in fielded.get(key, dossier.upgrades)
            }
        return {
            (key, slug) for key, _, slug in (text.partition("/") for text in self.said.getlist("upgrade"))
        }

    # --- Assets ----------------------------------------------------------------------------------------------

    def _held(self) -> dict[str, str]:
        """The assets of the Register, each with a token of its own, for one may be held twice (R43)."""
        seen: Counter[str] = Counter()
        held = {}
        for slug in self.force.assets:
            seen[slug] += 1
            held[f"{slug}.{seen[slug]}"] = slug
        return held

    def _used(self) -> list[str]:
        """The tokens of the assets that are used."""
        if self.said is not None:
            posted = self.said.getlist("asset")
            return [token for token in self._held() if token in posted]
        mustered = Counter(self.side.army.get("assets", ())) if self.side.mustered else Counter()
        return [
            token for token, slug in self._held().items() if int(token.rpartition(".")[2]) <= mustered[slug]
        ]

    def _assets(self) -> tuple[str, ...]:
        held = self._held()
        return tuple(held[token] for token in self._used())

    def _lent(self) -> tuple[Lent, ...]:
        return tuple(filter(None, (self._lending(token).lent for token in self._used())))

    def _lending(self, token: str) -> LendingForm:
        held = self._held()
        key = f"L{list(held).index(token) + 1}"
        return LendingForm(self.book, self.force, token, key, held[token], self.said, self._kept(token))

    def _kept(self, token: str) -> Lent | None:
        """What was mustered with this asset, for the first look at a mustered army."""
        if self.said is not None or not self.side.mustered:
            return None
        slug, _, number = token.rpartition(".")
        brought = [lent for lent in army_of(self.book, self.side.army).lent if lent.asset == slug]
        return brought[int(number) - 1] if int(number) <= len(brought) else None

    def empty_handed(self) -> list[Problem]:
        """Assets that are used up for nothing, because it is not said what they bring (R21)."""
        return [
            Problem(
                "R21",
                gettext("Choose what {asset} brings, or keep it.", asset=self.book.assets[form.asset].name),
                form.asset,
            )
            for form in map(self._lending, self._used())
            if form.brings_something and form.lent is None
        ]

    def unsaid(self) -> list[Problem]:
        """An Agenda about which nothing was said, where one may be brought; none is a choice too (R23)."""
        if self._said_of_agenda() is not None or not self._may_bring_agenda():
            return []
        return [Problem("R23", gettext("Choose an Agenda, or none."), "agenda")]

    def _may_bring_agenda(self) -> bool:
        return not self.terms.own_turning_point and bool(rules.open_agendas(self.book, self.force))

    def _said_of_agenda(self) -> str | None:
        """The Agenda that was chosen, "" for none, or None as long as nothing was."""
        if self.said is not None:
            return self.said.get("agenda")
        return str(self.side.army.get("agenda", "")) if self.side.mustered else None

    # --- What is shown ---------------------------------------------------------------------------------------

    def context(self) -> dict[str, Any]:
        """What the template takes: the tally and the whole form."""
        army = self.army
        tally = self._tally(army)
        assets, hand = list(self._asset_rows(army)), self.hand.context(army, self.problems)
        drawn = {
            "assets": drawn_as(assets),
            "hand": drawn_as(hand and hand["groups"], hand and hand["standing"]),
        }
        unsaid = [problem for problem in self.unsaid() if problem in self.problems]
        shown = [*tally["problems"], *said(unsaid)]
        return {
            "tally": tally,
            "units": list(self._unit_rows(army)),
            "assets": assets,
            "agendas": list(self._agendas(army)),
            "battle_forces": list(self._battle_forces(army)),
            "hand": hand,
            "drawn": drawn,
            "redrawn": {part: self._said_drawn(part) != word for part, word in drawn.items()},
            "deck": self._deck.context(army_problems(self.book, self.force, army, self.terms)),
            "plain": plain_check(self.book, self.force, army, self.terms),
            "own_turning_point": self.terms.own_turning_point,
            "no_agenda": self._said_of_agenda() == "" or not self._may_bring_agenda(),
            "agenda_problems": said(unsaid),
            "rank_reason": army.rank_reason,
            # The tally says what is wrong with the army; this is for what only the service knows.
            "problems": [problem for problem in said(self._elsewhere()) if problem not in shown],
        }

    def _said_drawn(self, part: str) -> str:
        return self.said.get(f"drawn-{part}", "") if self.said is not None else ""

    def _elsewhere(self) -> list[Problem]:
        """What was refused and is not told beside the cards of hand and deck."""
        return [problem for problem in self.problems if problem.rule not in (COMMAND_HAND, BATTLE_DECK)]

    def _tally(self, army: rules.Army) -> dict[str, Any]:
        found = [*army_problems(self.book, self.force, army, self.terms), *self.empty_handed()]
        limits = self.limits
        if army.battle_force:
            limits = rules.rank_limits_for(self.book, self.terms.size, army.battle_force)
        warnings = rank_warnings(self.book, self.force, army, limits) if limits else []
        return {
            "points": rules.army_points(self.book, self.force, army),
            "allowed": self.terms.size + self.terms.reinforcements,
            "reinforcements": self.terms.reinforcements,
            "units": len(army.fielded) + sum(1 for lent in army.lent if lent.unit),
            "problems": said(problem for problem in found if problem.rule != BATTLE_DECK),
            "rank_warnings": warnings,
            "limits": limits,
        }

    def _unit_rows(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        ticked = self._ticked()
        for dossier in in_order(self.force):
            unit = self.book.units[dossier.card]
            yield {
                "key": dossier.key,
                "label": unit_label(self.book, self.force, dossier.key),
                "card": unit.full_name if dossier.name else "",
                "rank": unit.rank,
                "rank_name": spoken(unit.rank),
                "points": unit.points,
                "fielded": dossier.key in army.fielded,
                "is_paragon": dossier.key == self.force.paragon,
                "setbacks": list(self._setbacks(dossier)),
                "upgrades": [
                    {"slug": slug, "name": (card := self.book.upgrades[slug]).full_name, "points": card.points,
                     "type": card.type, "ticked": (dossier.key, slug) in ticked}
                    for slug in dossier.upgrades
                ],
                "warnings": self._warnings(dossier, army),
            }  # fmt: skip

    def _setbacks(self, dossier: Dossier) -> Iterator[str]:
        for slug in dict.fromkeys(dossier.setbacks):
            setback, times = self.book.setbacks[slug], dossier.setbacks.count(slug)
            extra = (
                ngettext(", +{number} point", ", +{number} points", setback.army_points_each * times)
                if setback.army_points_each
                else ""
            )
            yield f"{setback.name}{f' ×{times}' if times > 1 else ''}{extra}"

    def _warnings(self, dossier: Dossier, army: rules.Army) -> list[str]:
        """Compulsory upgrades that the unit has not, or would leave behind (R7)."""
        taken = replace(dossier, upgrades=army.fielded.get(dossier.key, dossier.upgrades))
        return list(fielding_warnings(self.book, taken))

    def _asset_rows(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        used = self._used()
        bearers = self._bearers(army)
        for token, slug in self._held().items():
            card = self.book.assets[slug]
            barred = self.terms.own_turning_point and card.not_in_own_turning_point
            yield {
                "token": token,
                "name": card.name,
                "effect": card.effect,
                "used": token in used,
                "why": gettext("not in your own Turning Point Mission (R21)") if barred else "",
                "lending": self._lending(token).context(army, bearers)
                if token in used and not barred
                else None,
            }

    def _bearers(self, army: rules.Army) -> list[tuple[str, str]]:
        """Units of the army, lent ones included, that may bear special equipment or be exempted."""
        own = [
            (key, unit_label(self.book, self.force, key))
            for key in army.fielded
            if key in self.force.dossiers
        ]
        return own + [(lent.key, lent.unit.full_name) for lent in army.lent if lent.unit]

    def _battle_forces(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        for force in rules.open_battle_forces(self.book, self.force.faction):
            yield {"value": force.slug, "label": force.name, "chosen": army.battle_force == force.slug}

    def _agendas(self, army: rules.Army) -> Iterator[dict[str, Any]]:
        for agenda in rules.open_agendas(self.book, self.force):
            yield {
                "value": agenda.slug, "label": agenda.name, "note": agenda.tally,
                "checked": army.agenda == agenda.slug,
                "done": self.force.agendas.get(agenda.slug, 0), "total": agenda.progressions_to_complete,
            }  # fmt: skip
