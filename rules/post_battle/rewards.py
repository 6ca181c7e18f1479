"""The occasion of a reward, and how its effects depend on it: which units, how many, whether (section 8)."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from rules.battle.army import army_rank
from rules.battle.report import Report
from rules.core import reward_effects as c
from rules.core.card_types import Unit, Upgrade
from rules.core.dice import FACES
from rules.core.translation import gettext, gettext_noop, kept, ngettext
from rules.core.values import Value
from rules.core.violations import RuleViolation, not_offered, refuse
from rules.post_battle import dialogue
from rules.post_battle.setbacks import aftermath, gain, trait_gained
from rules.register import effects as e
from rules.register.building import join_by_reward, upgrade_violations
from rules.register.labels import reward_words, unit_label
from rules.register.state import Dossier, everyone
from rules.register.upgrade_slots import faction_name, spoken


class Occasion(Value):
    """The occasion of a reward. `rule` and `name` are its words in the ledger; `progressions` is how often the Agenda
    progressed in this battle; `withheld` means that Tunnel Vision takes its SP and XP (R27); `chosen` are the units
    chosen so far in it.
    """

    report: Report
    rule: str
    name: str
    progressions: int = 0
    withheld: bool = False
    chosen: set[str] = field(default_factory=set)


class _At(Value):
    """The place of an effect: in a reward, for the last chosen unit, with whether that unit had Setbacks then."""

    context: dialogue.Context
    occasion: Occasion
    unit: str = ""
    had_setbacks: bool = False

    @property
    def key(self) -> str:
        """The unit that the effect concerns. Raises UnknownClause if there is none."""
        if not self.unit:
            raise c.UnknownClause("a clause that needs a unit stands where no unit was chosen")
        return self.unit

    @property
    def dossier(self) -> Dossier:
        return self.context.state.dossiers[self.key]

    @property
    def who(self) -> str:
        """The unit or the occasion, in words."""
        return unit_label(self.context.book, self.context.state, self.unit) if self.unit else self.occasion.name

    @property
    def source(self) -> dict[str, str]:
        """The rule and words of an effect of the reward, for the ledger."""
        return {"rule": self.occasion.rule, "why": self.occasion.name}


def _among(context: dialogue.Context, report: Report, source: str) -> list[str]:
    """Return the units a reward may choose from; casualties of this sequence are gone already (section 8)."""
    keys = list(context.state.dossiers)
    match source:
        case "fielded":
            return [key for key in keys if key in report.fielded]
        case "defeated":
            return [key for key in keys if key in report.defeated]
        case "undefeated":
            return [key for key in keys if key in report.fielded and key not in report.defeated]
        case "non_paragon":
            return [key for key in keys if key != context.state.paragon]
    return keys


def _holds(at: _At, clause: c.When) -> bool:
    report = at.occasion.report
    match clause.word:
        case "won":
            return report.won
        case "lost":
            return report.lost
        case "unit_has_setbacks":
            return at.had_setbacks
        case "unit_had_no_setbacks":
            return bool(at.unit) and not at.had_setbacks
        case "paragon_not_defeated":
            return at.context.state.paragon not in report.defeated
        case "no_marked_unit_defeated":
            return not set(report.marked) & set(report.defeated)
    return clause.keyword in at.dossier.keywords


def _number(occasion: Occasion, count: int | str) -> int:
    """Return a count: a number, one for each progression, or the reported number (0 if none is reported)."""
    if isinstance(count, int):
        return count
    return occasion.progressions if count == c.PROGRESSIONS else occasion.report.asks.get(count, 0)


class JoinUnit(dialogue.Question):
    """The choice of a unit that a reward brings. Answer: {"card": slug, "upgrades": [slugs], "name": text}."""

    cards: tuple[dialogue.Option, ...]

    def check(self, answer: Any) -> dict[str, Any]:
        """Return card, upgrades and name. Refuses cards that are not offered and answers of another shape."""
        if not isinstance(answer, Mapping) or answer.get("card") not in [card.value for card in self.cards]:
            raise RuleViolation([not_offered(self.rule, [card.label for card in self.cards])])
        upgrades, name = answer.get("upgrades", []), answer.get("name", "")
        if (
            not isinstance(upgrades, list)
            or not isinstance(name, str)
            or any(not isinstance(slug, str) for slug in upgrades)
        ):
            raise refuse(self.rule, gettext("Give the unit its upgrades and, if you like, a name."))
        return {"card": answer["card"], "upgrades": upgrades, "name": name}


def resolve(context: dialogue.Context, occasion: Occasion, reward: tuple[c.Clause, ...]) -> dialogue.Dialogue[None]:
    """Resolve `reward` effect by effect, in order. Asks the player for open choices; refuses wrong answers."""
    yield from _resolve(_At(context, occasion), reward)


def _resolve(at: _At, reward: tuple[c.Clause, ...]) -> dialogue.Dialogue[None]:
    for clause in reward:
        if at.unit and at.unit not in at.context.state.dossiers:
            return  # the unit became a casualty in between
        yield from _RESOLVE[type(clause)](at, clause)


def _resolve_for(at: _At, key: str, reward: tuple[c.Clause, ...]) -> dialogue.Dialogue[None]:
    setbacks = at.context.state.dossiers[key].setbacks
    yield from _resolve(_At(at.context, at.occasion, key, bool(setbacks)), reward)


def _supply_points(at: _At, clause: c.GainSupplyPoints) -> dialogue.Dialogue[None]:
    if at.occasion.withheld:
        yield e.Noted(rule="R27", why=gettext_noop("Tunnel Vision: no SP from the Agenda"))
    else:
        yield e.SupplyPointsGained(amount=clause.amount, **at.source)


def _opponent_loses(at: _At, clause: c.OpponentLosesSupplyPoints) -> dialogue.Dialogue[None]:
    """Note what the opponent's own step 2 takes from its Register (`turning_point_rewards`)."""
    opponent, amount = at.occasion.report.opponent, str(clause.amount)
    if at.occasion.report.opponent_is_guest:
        why = kept(gettext_noop("no SP taken: {opponent} brought no Register"), opponent=opponent)
    else:
        why = kept(gettext_noop("up to {amount} SP taken from {opponent}"), opponent=opponent, amount=amount)
    yield e.Noted(rule=at.occasion.rule, why=why)


def _add_unit(at: _At, clause: c.AddUnit) -> dialogue.Dialogue[None]:
    context, rule, occasion = at.context, at.occasion.rule, at.occasion.name
    cards = [
        card
        for card in context.book.units.values()
        if card.name in clause.one_of and not card.unique and not card.retired
        and (context.book.campaign_rules.unreleased or context.book.is_released(card))
    ]  # fmt: skip
    if not cards:
        why = kept(gettext_noop("{occasion}: none of its units is in the catalogue"), occasion=occasion)
        yield e.Noted(rule=rule, why=why)
        return
    answer: dict[str, Any] = yield JoinUnit(
        rule=rule,
        text=gettext("{occasion}: which unit joins?", occasion=occasion),
        cards=tuple(dialogue.Option(card.slug, card.full_name, _hint(card)) for card in cards),
    )
    card, upgrades, name = answer["card"], answer["upgrades"], answer["name"]
    yield from join_by_reward(context.book, context.state, card, upgrades=upgrades, name=name, rule=rule)


def _asset(at: _At, clause: c.GainAsset) -> dialogue.Dialogue[None]:
    """Add a Strategic Asset that is not retired, unless the Register holds as many of it as it may (R43)."""
    asset = at.context.book.assets[clause.asset]
    if asset.retired or at.context.state.assets.count(asset.slug) >= at.context.book.held_at_most(asset):
        why = kept(gettext_noop("{asset}: the Register already has the maximum"), asset=asset.name)
        yield e.Noted(rule="R43", why=why)
    else:
        yield e.AssetGained(asset=asset.slug, **at.source)


def _upgrade(at: _At, clause: c.GainUpgrade) -> dialogue.Dialogue[None]:
    """Ask which upgrade the unit gains, of those that fit it, its Register and its CP (R2, R4, R5, R8)."""
    book, state = at.context.book, at.context.state
    cards = [
        card
        for card in book.upgrades.values()
        if (not clause.types or card.type in clause.types)
        and not any(upgrade_violations(book, state, at.dossier, card))
    ]
    if not cards:
        yield e.Noted(unit=at.key, rule="R8", why=gettext_noop("no upgrade fits"))
        return
    chosen: str = yield dialogue.Choose(
        rule=at.occasion.rule,
        text=gettext("{unit}: which upgrade?", unit=at.who),
        about=at.key,
        kind="upgrade",
        options=tuple(
            dialogue.Option(card.slug, card.full_name, _upgrade_hint(card))
            for card in sorted(cards, key=lambda card: (card.type, card.full_name))
        ),
    )
    yield e.UpgradeAdded(unit=at.key, upgrade=chosen, rule=at.occasion.rule, why=at.occasion.name)


def _upgrade_hint(card: Upgrade) -> str:
    return ngettext("{type}, {number} point", "{type}, {number} points", card.points, type=spoken(card.type))


def _hint(card: Unit) -> str:
    return gettext("{faction}, {points} points", faction=faction_name(card.faction), points=card.points)


def _experience(at: _At, clause: c.GainExperience) -> dialogue.Dialogue[None]:
    if at.occasion.withheld:
        why = gettext_noop("Tunnel Vision: no Experience from the Agenda")
        yield e.Noted(unit=at.key, rule="R27", why=why)
    else:
        yield from gain(at.context, at.key, clause.amount, **at.source)


def _remove_setbacks(at: _At, clause: c.RemoveSetbacks) -> dialogue.Dialogue[None]:
    there = len(at.dossier.setbacks)
    count = there if clause.count is None else min(clause.count, there)
    for _ in range(count):
        slug = yield from choose_setback(at.context, at.key, rule=at.occasion.rule, all_go=count == there)
        yield e.SetbackRemoved(unit=at.key, setback=slug, **at.source)


def choose_setback(context: dialogue.Context, key: str, *, rule: str, all_go: bool = False) -> dialogue.Dialogue[str]:
    """Return the Setback to remove; the player is asked only if the unit has different ones and some of them stay."""
    kinds = [context.book.setbacks[slug] for slug in sorted(set(context.state.dossiers[key].setbacks))]
    if len(kinds) == 1 or all_go:
        return kinds[0].slug
    chosen: str = yield dialogue.Choose(
        rule=rule,
        text=gettext("Which Setback does {unit} lose?", unit=unit_label(context.book, context.state, key)),
        about=key,
        kind="setback",
        options=tuple(dialogue.Option(setback.slug, setback.name, setback.effect) for setback in kinds),
    )
    return chosen


def _lose_keyword(at: _At, clause: c.LoseKeyword) -> dialogue.Dialogue[None]:
    if clause.keyword in at.dossier.keywords:
        yield e.KeywordLost(unit=at.key, keyword=clause.keyword, **at.source)


def _choose_units(at: _At, clause: c.ChooseUnits) -> dialogue.Dialogue[None]:
    taken: set[str] = set()
    for _ in range(clause.count):
        keys = [key for key in _among(at.context, at.occasion.report, clause.source) if key not in taken]
        if clause.distinct:
            keys = [key for key in keys if key not in at.occasion.chosen]
        if not keys:
            return
        key = yield _which_unit(at, keys, clause.each, gettext("no more units") if clause.optional else "")
        if key is None:
            return
        taken.add(key)
        at.occasion.chosen.add(key)
        yield from _resolve_for(at, key, clause.each)


def _which_unit(at: _At, keys: list[str], each: tuple[c.Clause, ...], decline: str = "") -> dialogue.Choose:
    occasion, reward = at.occasion, reward_words(at.context.book, each)
    return dialogue.Choose(
        rule=occasion.rule,
        text=gettext("{occasion}: which unit? ({reward})", occasion=occasion.name, reward=reward),
        kind="unit",
        options=tuple(dialogue.unit_option(at.context.book, at.context.state, key) for key in keys),
        decline=decline,
    )


def _choose_one(at: _At, clause: c.ChooseOne) -> dialogue.Dialogue[None]:
    words = (reward_words(at.context.book, option) for option in clause.options)
    chosen: str = yield dialogue.Choose(
        rule=at.occasion.rule,
        text=gettext("{who}: choose one", who=at.who),
        about=at.unit,
        kind="option",
        options=tuple(dialogue.Option(str(place), label) for place, label in enumerate(words)),
    )
    yield from _resolve(at, clause.options[int(chosen)])


def _may(at: _At, clause: c.May) -> dialogue.Dialogue[None]:
    only_removes = all(isinstance(part, c.RemoveSetbacks) for part in clause.then)
    if only_removes and not at.dossier.setbacks:
        return
    text = f"{at.who}: {reward_words(at.context.book, clause.then)}?"
    if (yield dialogue.Confirm(rule=at.occasion.rule, text=text, about=at.unit, kind="may")):
        yield from _resolve(at, clause.then)


def _when(at: _At, clause: c.When) -> dialogue.Dialogue[None]:
    if _holds(at, clause):
        yield from _resolve(at, clause.then)


def _roll(at: _At, clause: c.RollDice) -> dialogue.Dialogue[None]:
    count, occasion = _number(at.occasion, clause.count), at.occasion.name
    if not count:
        return
    faces = yield from dialogue.roll(
        dialogue.Pool("reward", clause.die, count, occasion),
        rule=at.occasion.rule,
        text=gettext("{occasion}: roll {count}", occasion=occasion, count=count),
        why=occasion,
    )
    per_face = dict(clause.per_face)
    for face in FACES:
        for _ in range(faces.count(face)):
            yield from _resolve(at, per_face.get(face, ()))


def _draw_order_tokens(at: _At, clause: c.DrawOrderTokens) -> dialogue.Dialogue[None]:
    """Draw tokens of the army's ranks (R18), even for units not in it, which have the ranks of its battle force."""
    context, occasion = at.context, at.occasion
    ranks_of = {
        key: army_rank(context.book, context.book.units[unit.card], occasion.report.battle_force)
        for key, unit in everyone(context.state).items()
    }
    tokens = Counter(ranks_of[key] for key in occasion.report.fielded)
    if not (count := min(_number(occasion, clause.count), tokens.total())):
        return
    ranks: tuple[str, ...] = yield dialogue.ChooseSeveral(
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
    yield e.OrderTokensDrawn(ranks=ranks, **at.source)
    taken: set[str] = set()
    for rank in ranks:
        keys = [key for key in context.state.dossiers if ranks_of[key] == rank and key not in taken]
        if keys:
            key = keys[0] if len(keys) == 1 else (yield _which_unit(at, keys, clause.each))
            taken.add(key)
            yield from _resolve_for(at, key, clause.each)


def _marked_units(at: _At, clause: c.MarkedUnits) -> dialogue.Dialogue[None]:
    for key in at.occasion.report.marked:
        spared = key not in at.occasion.report.defeated
        if key in at.context.state.dossiers and (spared or not clause.undefeated_only):
            yield from _resolve_for(at, key, clause.then)


_RESOLVE: Mapping[type[c.Clause], Callable[[_At, Any], dialogue.Dialogue[None] | list[e.Effect]]] = {
    c.GainSupplyPoints: _supply_points,
    c.OpponentLosesSupplyPoints: _opponent_loses,
    c.GainCombatPotential: lambda at, clause: [e.CombatPotentialRaised(amount=clause.amount, **at.source)],
    c.GainReputation: lambda at, clause: [e.ReputationGained(amount=clause.amount, **at.source)],
    c.GainAsset: _asset,
    c.GainUpgrade: _upgrade,
    c.GainTrait: lambda at, clause: [
        trait_gained(at.context.book.defining_traits[clause.trait], rule=at.occasion.rule)
    ],
    c.AddUnit: _add_unit,
    c.GainExperience: _experience,
    c.RemoveSetbacks: _remove_setbacks,
    c.GainSetback: lambda at, clause: aftermath(at.context, [at.key]),
    c.GainKeyword: lambda at, clause: [e.KeywordGained(unit=at.key, keyword=clause.keyword, **at.source)],
    c.LoseKeyword: _lose_keyword,
    c.AwardCommendation: lambda at, clause: [e.CommendationOwed(unit=at.key, **at.source)],
    c.PerProgression: lambda at, clause: _resolve(at, clause.then * at.occasion.progressions),
    c.ChooseUnits: _choose_units,
    c.ChooseOne: _choose_one,
    c.May: _may,
    c.When: _when,
    c.RollDice: _roll,
    c.DrawOrderTokens: _draw_order_tokens,
    c.MarkedUnits: _marked_units,
    c.Paragon: lambda at, clause: _resolve_for(at, at.context.state.paragon, clause.then),
}
