"""Convert the army and report of a side between plain values and the types of the rules.

A side's `army`: {"fielded": {unit: [upgrades]}, "assets": [slugs], "agenda": slug, "lent": [LENT], "battle_force":
slug, "battle_deck": [slugs], "rank_reason": text} with LENT = {"asset": slug, "key": "L1", "unit": slug, "upgrades":
[slugs], "bearer": unit}. It has no "agenda" until the side has chosen one, or "" for none
(`campaign.battles.services.agendas`). Its Command Hand is not in it: that is secret (`campaign.battles.pages.table`).
Units are the keys of Dossiers. A side's `report` holds the fields of `Facts`.
"""

from collections.abc import Mapping, Set
from dataclasses import asdict, field, replace
from typing import Any

from campaign.battles.models import Battle, Side, Tally
from registers.ledger import session
from rules.battle.army import Army
from rules.battle.report import Lent, Report, result_for
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.core.violations import RuleViolation
from rules.register.building import UNKNOWN_UNIT, UNKNOWN_UPGRADE

#: Fields of `Facts` that are lists of units.
OF_UNITS = ("defeated", "contesting", "marked")


class Facts(KeywordValue):
    """The report of one Register's side (section 5). `agenda` is the one in play at the end; `confirmed` and `claims`
    are texts of conditions that the player confirms; VP are victory points. In-game gains are XP by unit, and SP.
    """

    defeated: list[str] = field(default_factory=list)
    contesting: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    agenda: str = ""
    contingency_switched: bool = False
    tokens: int = 0
    secondary_vp: int = 0
    confirmed: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    asks: dict[str, int] = field(default_factory=dict)
    conceded: bool = False
    in_game_experience: dict[str, int] = field(default_factory=dict)
    in_game_supply: int = 0

    def as_data(self) -> dict[str, Any]:
        """Return the facts as JSON values."""
        return asdict(self)

    @property
    def empty(self) -> bool:
        """Whether nothing was entered. The Agenda does not count: it comes from the army."""
        return replace(self, agenda="") == Facts()


def facts_at_table(side: Side, tally: Tally) -> Facts:
    """Return the facts that were marked at the table, as initial values of the report."""
    return Facts(
        defeated=tally.defeated,
        contesting=tally.contesting,
        marked=tally.marked,
        agenda=side.army.get("agenda", ""),
        tokens=tally.tokens,
    )


def army_without(data: Mapping[str, Any], units: Set[str]) -> dict[str, Any]:
    """Return an army without these units and anything lent to them. Assets that were used stay used."""
    return {
        **data,
        "fielded": {key: cards for key, cards in data.get("fielded", {}).items() if key not in units},
        "lent": [item for item in data.get("lent", ()) if item.get("bearer") not in units],
    }


def report_without(data: Mapping[str, Any], units: Set[str]) -> dict[str, Any]:
    """Return a report without these units."""
    lists = {name: [key for key in data[name] if key not in units] for name in OF_UNITS if name in data}
    gains = {key: xp for key, xp in data.get("in_game_experience", {}).items() if key not in units}
    return {**data, **lists, **({"in_game_experience": gains} if "in_game_experience" in data else {})}


def army_data(army: Army) -> dict[str, Any]:
    """Return an army as JSON values, without its Agenda, which is chosen later (R23)."""
    return {
        "fielded": {key: list(upgrades) for key, upgrades in army.fielded.items()},
        "assets": list(army.assets),
        "lent": [
            {
                "asset": lent.asset,
                "key": lent.key,
                "unit": lent.unit.slug if lent.unit else "",
                "upgrades": [card.slug for card in lent.upgrades],
                "bearer": lent.bearer,
            }
            for lent in army.lent
        ],
        "battle_force": army.battle_force,
        "battle_deck": list(army.battle_deck),
        "rank_reason": army.rank_reason,
    }


def army_of(book: Rulebook, data: Mapping[str, Any]) -> Army:
    """Return the army that `data` describes. Refuses cards that do not exist (R21)."""
    return Army(
        fielded={key: tuple(upgrades) for key, upgrades in data.get("fielded", {}).items()},
        assets=tuple(data.get("assets", ())),
        agenda=data.get("agenda", ""),
        lent=tuple(_lent(book, item) for item in data.get("lent", ())),
        battle_force=data.get("battle_force", ""),
        battle_deck=tuple(data.get("battle_deck", ())),
        rank_reason=data.get("rank_reason", ""),
    )


def _lent(book: Rulebook, item: Mapping[str, Any]) -> Lent:
    unit, upgrades = item.get("unit", ""), item.get("upgrades", ())
    if unit and unit not in book.units:
        raise RuleViolation([UNKNOWN_UNIT(unit, rule="R21")])
    for slug in upgrades:
        if slug not in book.upgrades:
            raise RuleViolation([UNKNOWN_UPGRADE(slug, rule="R21")])
    return Lent(
        asset=item["asset"],
        key=item.get("key", ""),
        unit=book.units[unit] if unit else None,
        upgrades=tuple(book.upgrades[slug] for slug in upgrades),
        bearer=item.get("bearer", ""),
    )


def book_of(side: Side) -> Rulebook:
    """Return the catalogue under the campaign rules of the side's battle; before it begins, under today's. The side has
    its Register and its battle loaded. Raises ValueError for a guest's side.
    """
    return session.rulebook_for(side.own_register, side.battle.campaign_rules)


def report_of(book: Rulebook, battle: Battle, side: Side, other: Side) -> Report:
    """Return the facts of a battle that the rules need, seen from `side`."""
    facts = Facts(**side.report)
    army = army_of(book, side.army)
    return Report(
        battle=str(battle.pk),
        opponent=other.name,
        opponent_is_guest=other.is_guest,
        opponent_conceded=bool(other.report.get("conceded")),
        result=result_for(side.colour, battle.winner),
        conceded=facts.conceded,
        fielded=army.fielded,
        lent=army.lent,
        assets=army.assets,
        battle_force=army.battle_force,
        agenda=facts.agenda,
        contingency_switched=facts.contingency_switched,
        tokens=facts.tokens,
        secondary_vp=facts.secondary_vp,
        opponent_secondary_vp=other.report.get("secondary_vp", 0),
        confirmed=frozenset(facts.confirmed),
        claims=frozenset(facts.claims),
        asks=facts.asks,
        marked=tuple(facts.marked),
        defeated=tuple(facts.defeated),
        contesting=tuple(facts.contesting),
        in_game_experience=facts.in_game_experience,
        in_game_supply=facts.in_game_supply,
        turning_point=book.story_arcs[mission].turning_point if (mission := battle.turning_point_id) else None,
        owns_turning_point=battle.owner == side.colour,
    )
