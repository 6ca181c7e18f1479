"""Rewards: what they are given for, and what each clause of the vocabulary (section 8) asks and does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import clauses as c
from .army import army_rank
from .building import join_by_reward
from .dice import FACES
from .effects import (
    CombatPotentialRaised,
    CommendationOwed,
    DiceRolled,
    KeywordGained,
    KeywordLost,
    Noted,
    SetbackRemoved,
    SupplyPointsGained,
)
from .equipment import faction_name, spoken
from .force import everyone
from .language import gettext, gettext_noop, kept, ngettext
from .refusal import refuse
from .report import Report
from .script import (
    Choose,
    ChooseSeveral,
    Confirm,
    Option,
    Pool,
    Question,
    Roll,
    Scene,
    Script,
    happen,
    unit_option,
)
from .setbacks import aftermath, gain, trait_gained
from .wording import reward_words, unit_label


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a reward is given for.

    `rule` and `name` say so in the ledger; `progressions` is how often the Agenda progressed in this battle;
    `withheld` when Tunnel Vision takes SP and XP of it (R27); `chosen` the units chosen so far in it.
    """

    report: Report
    rule: str
    name: str
    progressions: int = 0
    withheld: bool = False
    chosen: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class InHand:
    """The unit that clauses speak of, and whether it had Setbacks when it was chosen."""

    key: str
    had_setbacks: bool


def take_in_hand(scene: Scene, key: str) -> InHand:
    """A unit that was chosen, as it is now."""
    return InHand(key, bool(scene.force.dossiers[key].setbacks))


def held(hand: InHand | None) -> str:
    """The key of the unit that a clause speaks of. Raises UnknownClause where there is none."""
    if hand is None:
        raise c.UnknownClause("a clause that needs a unit stands where no unit was chosen")
    return hand.key


def among(scene: Scene, report: Report, source: str) -> list[str]:
    """The units a reward may choose from; casualties of this sequence are gone already (section 8)."""
    keys = list(scene.force.dossiers)
    match source:
        case "fielded":
            return [key for key in keys if key in report.fielded]
        case "defeated":
            return [key for key in keys if key in report.defeated]
        case "undefeated":
            return [key for key in keys if key in report.fielded and key not in report.defeated]
        case "non_paragon":
            return [key for key in keys if key != scene.force.paragon]
    return keys


def holds(scene: Scene, occasion: Occasion, clause: c.When, hand: InHand | None) -> bool:
    """Whether a condition is so, of the battle or of the unit in hand."""
    report = occasion.report
    match clause.word:
        case "won":
            return report.won
        case "lost":
            return report.lost
        case "unit_has_setbacks":
            return hand is not None and hand.had_setbacks
        case "unit_had_no_setbacks":
            return hand is not None and not hand.had_setbacks
        case "paragon_not_defeated":
            return scene.force.paragon not in report.defeated
        case "no_marked_unit_defeated":
            return not set(report.marked) & set(report.defeated)
    return clause.keyword in scene.force.dossiers[held(hand)].keywords


def number(occasion: Occasion, count: int | str) -> int:
    """How many: a number, one for each progression, or what the report says (0 where it says nothing)."""
    if isinstance(count, int):
        return count
    return occasion.progressions if count == c.PROGRESSIONS else occasion.report.asks.get(count, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinUnit(Question):
    """Which unit a reward brings. Answer: {"card": slug, "upgrades": [slugs], "name": text}."""

    cards: tuple[Option, ...]

    def check(self, answer: Any) -> dict[str, Any]:
        """Card, upgrades and name. Refuses cards that are not offered and answers of another shape."""
        if not isinstance(answer, Mapping) or answer.get("card") not in [card.value for card in self.cards]:
            raise refuse(
                self.rule,
                gettext("Choose one of these: {names}.", names=", ".join(card.label for card in self.cards)),
            )
        upgrades, name = answer.get("upgrades", []), answer.get("name", "")
        if (
            not isinstance(upgrades, list)
            or not isinstance(name, str)
            or any(not isinstance(slug, str) for slug in upgrades)
        ):
            raise refuse(self.rule, gettext("Give the unit its upgrades and, if you like, a name."))
        return {"card": answer["card"], "upgrades": upgrades, "name": name}


def resolve(
    scene: Scene, occasion: Occasion, reward: tuple[c.Clause, ...], hand: InHand | None = None
) -> Script[None]:
    """Resolve `reward` clause by clause, in order. Asks what its clauses leave open; refuses wrong answers."""
    for clause in reward:
        if hand and hand.key not in scene.force.dossiers:
            return  # the unit became a casualty on the way
        yield from _RESOLVE[type(clause)](scene, occasion, clause, hand)


def _supply_points(
    scene: Scene, occasion: Occasion, clause: c.GainSupplyPoints, hand: InHand | None
) -> Script[None]:
    if occasion.withheld:
        yield Noted(rule="R27", why=gettext_noop("Tunnel Vision: no SP from the Agenda"))
    else:
        yield SupplyPointsGained(amount=clause.amount, rule=occasion.rule, why=occasion.name)


def _combat_potential(
    scene: Scene, occasion: Occasion, clause: c.GainCombatPotential, hand: InHand | None
) -> Script[None]:
    yield CombatPotentialRaised(amount=clause.amount, rule=occasion.rule, why=occasion.name)


def _trait(scene: Scene, occasion: Occasion, clause: c.GainTrait, hand: InHand | None) -> Script[None]:
    yield trait_gained(scene.book.defining_traits[clause.trait], rule=occasion.rule)


def _add_unit(scene: Scene, occasion: Occasion, clause: c.AddUnit, hand: InHand | None) -> Script[None]:
    cards = [
        card
        for card in scene.book.units.values()
        if card.name in clause.one_of and not card.unique and not card.retired
        and (scene.book.terms.unreleased or not card.unreleased)
    ]  # fmt: skip
    if not cards:
        yield Noted(
            rule=occasion.rule,
            why=kept(
                gettext_noop("{occasion}: none of its units is in the catalogue"), occasion=occasion.name
            ),
        )
        return
    answer: dict[str, Any] = yield JoinUnit(
        rule=occasion.rule,
        text=gettext("{occasion}: which unit joins?", occasion=occasion.name),
        cards=tuple(
            Option(
                card.slug,
                card.full_name,
                gettext("{faction}, {points} points", faction=faction_name(card.faction), points=card.points),
            )
            for card in cards
        ),
    )
    card, upgrades, name = answer["card"], answer["upgrades"], answer["name"]
    yield from happen(
        join_by_reward(scene.book, scene.force, card, upgrades=upgrades, name=name, rule=occasion.rule)
    )


def _experience(
    scene: Scene, occasion: Occasion, clause: c.GainExperience, hand: InHand | None
) -> Script[None]:
    if occasion.withheld:
        yield Noted(
            unit=held(hand), rule="R27", why=gettext_noop("Tunnel Vision: no Experience from the Agenda")
        )
    else:
        yield from gain(scene, held(hand), clause.amount, rule=occasion.rule, why=occasion.name)


def _remove_setbacks(
    scene: Scene, occasion: Occasion, clause: c.RemoveSetbacks, hand: InHand | None
) -> Script[None]:
    key = held(hand)
    there = len(scene.force.dossiers[key].setbacks)
    count = there if clause.count is None else min(clause.count, there)
    for _ in range(count):
        slug = yield from choose_setback(scene, key, rule=occasion.rule, all_go=count == there)
        yield SetbackRemoved(unit=key, setback=slug, rule=occasion.rule, why=occasion.name)


def choose_setback(scene: Scene, key: str, *, rule: str, all_go: bool = False) -> Script[str]:
    """The Setback that goes: asked for only if the unit has different ones and not all of them go."""
    kinds = sorted(set(scene.force.dossiers[key].setbacks))
    if len(kinds) == 1 or all_go:
        return kinds[0]
    chosen: str = yield Choose(
        rule=rule,
        text=gettext("Which Setback of {unit} goes?", unit=unit_label(scene.book, scene.force, key)),
        about=key,
        kind="setback",
        options=tuple(
            Option(slug, scene.book.setbacks[slug].name, scene.book.setbacks[slug].effect) for slug in kinds
        ),
    )
    return chosen


def _setback(scene: Scene, occasion: Occasion, clause: c.GainSetback, hand: InHand | None) -> Script[None]:
    yield from aftermath(scene, [held(hand)])


def _keyword(scene: Scene, occasion: Occasion, clause: c.GainKeyword, hand: InHand | None) -> Script[None]:
    yield KeywordGained(unit=held(hand), keyword=clause.keyword, rule=occasion.rule, why=occasion.name)


def _lose_keyword(
    scene: Scene, occasion: Occasion, clause: c.LoseKeyword, hand: InHand | None
) -> Script[None]:
    if clause.keyword in scene.force.dossiers[held(hand)].keywords:
        yield KeywordLost(unit=held(hand), keyword=clause.keyword, rule=occasion.rule, why=occasion.name)


def _commendation(
    scene: Scene, occasion: Occasion, clause: c.AwardCommendation, hand: InHand | None
) -> Script[None]:
    yield CommendationOwed(unit=held(hand), rule=occasion.rule, why=occasion.name)


def _per_progression(
    scene: Scene, occasion: Occasion, clause: c.PerProgression, hand: InHand | None
) -> Script[None]:
    for _ in range(occasion.progressions):
        yield from resolve(scene, occasion, clause.then, hand)


def _choose_units(
    scene: Scene, occasion: Occasion, clause: c.ChooseUnits, hand: InHand | None
) -> Script[None]:
    taken: set[str] = set()
    for _ in range(clause.count):
        keys = [key for key in among(scene, occasion.report, clause.source) if key not in taken]
        if clause.distinct:
            keys = [key for key in keys if key not in occasion.chosen]
        if not keys:
            return
        key = yield _which_unit(
            scene, occasion, keys, clause.each, gettext("nobody (more)") if clause.optional else ""
        )
        if key is None:
            return
        taken.add(key)
        occasion.chosen.add(key)
        yield from resolve(scene, occasion, clause.each, take_in_hand(scene, key))


def _which_unit(
    scene: Scene, occasion: Occasion, keys: list[str], each: tuple[c.Clause, ...], decline: str = ""
) -> Choose:
    return Choose(
        rule=occasion.rule,
        text=gettext(
            "{occasion}: which unit? ({reward})",
            occasion=occasion.name,
            reward=reward_words(scene.book, each),
        ),
        kind="unit",
        options=tuple(unit_option(scene.book, scene.force, key) for key in keys),
        decline=decline,
    )


def _choose_one(scene: Scene, occasion: Occasion, clause: c.ChooseOne, hand: InHand | None) -> Script[None]:
    options = tuple(
        Option(str(place), reward_words(scene.book, option)) for place, option in enumerate(clause.options)
    )
    who = unit_label(scene.book, scene.force, hand.key) if hand else occasion.name
    chosen: str = yield Choose(
        rule=occasion.rule,
        text=gettext("{who}: choose one", who=who),
        about=hand.key if hand else "",
        kind="option",
        options=options,
    )
    yield from resolve(scene, occasion, clause.options[int(chosen)], hand)


def _may(scene: Scene, occasion: Occasion, clause: c.May, hand: InHand | None) -> Script[None]:
    only_removes = all(isinstance(part, c.RemoveSetbacks) for part in clause.then)
    if only_removes and not scene.force.dossiers[held(hand)].setbacks:
        return
    words = reward_words(scene.book, clause.then)
    who = unit_label(scene.book, scene.force, hand.key) if hand else occasion.name
    about = hand.key if hand else ""
    if (yield Confirm(rule=occasion.rule, text=f"{who}: {words}?", about=about, kind="may")):
        yield from resolve(scene, occasion, clause.then, hand)


def _when(scene: Scene, occasion: Occasion, clause: c.When, hand: InHand | None) -> Script[None]:
    if holds(scene, occasion, clause, hand):
        yield from resolve(scene, occasion, clause.then, hand)


def _roll(scene: Scene, occasion: Occasion, clause: c.RollDice, hand: InHand | None) -> Script[None]:
    count = number(occasion, clause.count)
    if not count:
        return
    pool = Pool("reward", clause.die, count, occasion.name)
    faces = (
        yield Roll(
            rule=occasion.rule,
            text=gettext("{occasion}: roll {count}", occasion=occasion.name, count=count),
            pools=(pool,),
        )
    )["reward"]
    yield DiceRolled(die=clause.die, faces=faces, rule=occasion.rule, why=occasion.name)
    per_face = dict(clause.per_face)
    for face in FACES:
        for _ in range(faces.count(face)):
            yield from resolve(scene, occasion, per_face.get(face, ()), hand)


def _draw_order_tokens(
    scene: Scene, occasion: Occasion, clause: c.DrawOrderTokens, hand: InHand | None
) -> Script[None]:
    """Ranks are the army's (R18), also of units that stayed at home: its battle force says where they would stand."""
    units, built_as = everyone(scene.force), occasion.report.battle_force
    ranks_of = {
        key: army_rank(scene.book, scene.book.units[unit.card], built_as) for key, unit in units.items()
    }
    tokens = Counter(ranks_of[key] for key in occasion.report.fielded)
    count = min(number(occasion, clause.count), tokens.total())
    if not count:
        return
    ranks: tuple[str, ...] = yield ChooseSeveral(
        rule=occasion.rule,
        text=ngettext(
            "{occasion}: draw {number} order token",
            "{occasion}: draw {number} order tokens",
            count,
            occasion=occasion.name,
        ),
        kind="ranks",
        bag=dict(tokens),
        labels={rank: spoken(rank) for rank in tokens},
        count=count,
    )
    taken: set[str] = set()
    for rank in ranks:
        keys = [key for key in scene.force.dossiers if ranks_of[key] == rank and key not in taken]
        if keys:
            key = keys[0] if len(keys) == 1 else (yield _which_unit(scene, occasion, keys, clause.each))
            taken.add(key)
            yield from resolve(scene, occasion, clause.each, take_in_hand(scene, key))


def _marked_units(
    scene: Scene, occasion: Occasion, clause: c.MarkedUnits, hand: InHand | None
) -> Script[None]:
    for key in occasion.report.marked:
        spared = key not in occasion.report.defeated
        if key in scene.force.dossiers and (spared or not clause.undefeated_only):
            yield from resolve(scene, occasion, clause.then, take_in_hand(scene, key))


def _paragon(scene: Scene, occasion: Occasion, clause: c.Paragon, hand: InHand | None) -> Script[None]:
    yield from resolve(scene, occasion, clause.then, take_in_hand(scene, scene.force.paragon))


_RESOLVE: Mapping[type[c.Clause], Callable[[Scene, Occasion, Any, InHand | None], Script[None]]] = {
    c.GainSupplyPoints: _supply_points,
    c.GainCombatPotential: _combat_potential,
    c.GainTrait: _trait,
    c.AddUnit: _add_unit,
    c.GainExperience: _experience,
    c.RemoveSetbacks: _remove_setbacks,
    c.GainSetback: _setback,
    c.GainKeyword: _keyword,
    c.LoseKeyword: _lose_keyword,
    c.AwardCommendation: _commendation,
    c.PerProgression: _per_progression,
    c.ChooseUnits: _choose_units,
    c.ChooseOne: _choose_one,
    c.May: _may,
    c.When: _when,
    c.RollDice: _roll,
    c.DrawOrderTokens: _draw_order_tokens,
    c.MarkedUnits: _marked_units,
    c.Paragon: _paragon,
}
