"""An army of the core rules (Army Building) without a Register.

Violations cite a section of the core rules; `notes` names the rules on cards and sheets that cannot be checked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from rules.battle import army as army_rules
from rules.battle.battle_deck import deck_violations
from rules.battle.command_hand import STANDING_ORDERS, Commanded, Fielded, hand_violations
from rules.core.card_types import MERCENARY, Unit, Upgrade, keyword_name
from rules.core.rulebook import BattleForce, RankLimits, Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import KeywordValue, Value
from rules.core.violations import Fault, Violation
from rules.register import upgrade_slots as slots
from rules.register.building import UNKNOWN_UNIT, UNKNOWN_UPGRADE
from rules.register.labels import unit_label
from rules.register.state import RegisterState

FACTIONS = gettext_noop("Core: Factions")
POINTS = gettext_noop("Core: Points")
RANKS = gettext_noop("Core: Ranks")
UPGRADES = gettext_noop("Core: Upgrades")
COMMAND_HAND = gettext_noop("Core: Command Hand")
BATTLE_FORCE = gettext_noop("Core: Battle Force")
UNKNOWN_BATTLE_FORCE = Fault(BATTLE_FORCE, gettext_noop("This battle force does not exist. Choose another one."))

SPECIAL_ISSUE = "Special Issue"
LOADOUT = "Loadout"
#: Keywords that change Army Building, whose effects the catalogue does not record.
OF_ARMY_BUILDING = frozenset({
    "Allies of Convenience", "Associate", "Detachment", "Entourage", "Field Commander", "Flexible Response",
    "Heavy Weapon Team", "Mercenary",
})  # fmt: skip


class PlainUnit(Value):
    """One unit, by slugs: its card, its upgrades, its counterpart and the counterpart's upgrades. `loadout` are
    upgrades set aside by the keyword Loadout. They are listed apart and cost no points (E8).
    """

    card: str
    upgrades: tuple[str, ...] = ()
    counterpart: str = ""
    counterpart_upgrades: tuple[str, ...] = ()
    loadout: tuple[str, ...] = ()


class PlainArmy(KeywordValue):
    """An army by slugs; `size` in points, 0 if unknown; `command_cards` without Standing Orders. `typed_deck` are the
    names of the battle cards of 2020, which no catalogue has: objectives, deployments and conditions (E8).
    """

    faction: str = ""
    battle_force: str = ""
    size: int = 0
    title: str = ""
    units: tuple[PlainUnit, ...] = ()
    command_cards: tuple[str, ...] = ()
    battle_cards: tuple[str, ...] = ()
    typed_deck: tuple[tuple[str, ...], ...] = ()


class _KnownCard(Value):
    """A card with those of its upgrades that the catalogue has. `about` is the place of its unit in the army."""

    about: str
    card: Unit
    upgrades: tuple[Upgrade, ...]
    is_counterpart: bool = False

    @property
    def cards(self) -> tuple[Unit | Upgrade, ...]:
        return (self.card, *self.upgrades)


def plain_army_violations(book: Rulebook, army: PlainArmy) -> Iterator[Violation]:
    """Yield every violation that makes an army illegal by the core rules; none for a legal one. The `about` of a
    violation is the place of a unit in `army.units`, or the slug of a card.
    """
    cards = list(_known(book, army))
    battle_force, faction = book.battle_forces.get(army.battle_force), faction_of(book, army)
    yield from _unknown_violations(book, army)
    yield from _faction_violations(cards, battle_force, faction)
    yield from _points_violations(army, points(book, army))
    yield from _rank_violations(book, army, cards)
    if battle_force:
        yield from _listing_violations(book, battle_force, cards)
    for known in cards:
        yield from _card_violations(book, known, battle_force, faction)
        yield from _upgrade_violations(book, known, battle_force, faction)
    yield from _loadout_violations(book, army)
    yield from army_rules.copies_violations([card for known in cards for card in known.cards], UPGRADES)
    if army.command_cards:
        commanded = _commanded(book, army, cards, faction)
        for violation in hand_violations(book, commanded, [*army.command_cards, STANDING_ORDERS]):
            yield replace(violation, rule=COMMAND_HAND)
    if army.battle_cards:
        game = army_rules.card_format(army.size or points(book, army))
        yield from deck_violations(book, army.battle_cards, game=game, faction=faction)


def points(book: Rulebook, army: PlainArmy) -> int:
    """Return the points of all cards of an army in the current catalogue; unknown cards count nothing."""
    return sum(known.card.points + sum(card.points for card in known.upgrades) for known in _known(book, army))


def loadout_points(book: Rulebook, army: PlainArmy) -> int:
    """Return the points of all loadouts of an army, which are no part of its total (E8)."""
    return sum(card.points for unit in army.units for card in _upgrades(book, unit.loadout))


def fielded(book: Rulebook, army: PlainArmy) -> Commanded:
    """Return an army as the cards of its Command Hand need it."""
    return _commanded(book, army, list(_known(book, army)), faction_of(book, army))


def faction_of(book: Rulebook, army: PlainArmy) -> str:
    """Return an army's Faction: the one it names, else its battle force's, else the one its units share, or none."""
    battle_force = book.battle_forces.get(army.battle_force)
    if army.faction or battle_force:
        return army.faction or (battle_force.faction if battle_force else "")
    there = {known.card.faction for known in _known(book, army)} - {MERCENARY}
    return there.pop() if len(there) == 1 else ""


def mercenary_forces(book: Rulebook) -> str:
    """Return the names of the battle forces without a Faction, such as the Shadow Collective, as one text."""
    forces = {each.name for each in book.battle_forces.values() if each.faction == MERCENARY and not each.retired}
    return ", ".join(sorted(forces))


def notes(book: Rulebook, army: PlainArmy) -> list[str]:
    """Return a sentence for each rule on cards and sheets that cannot be checked, since the catalogue lacks it."""
    found = [
        gettext("{card}: {keyword} affects army building. Check its card.", card=known.card.name, keyword=keyword)
        for known in _known(book, army)
        for keyword in known.card.keywords
        if keyword_name(keyword) in OF_ARMY_BUILDING
    ]
    if battle_force := book.battle_forces.get(army.battle_force):
        text = gettext("{battle_force} has its own rules. Check its sheet.", battle_force=battle_force.name)
        found = [text, *found]
    return list(dict.fromkeys(found))


def _known(book: Rulebook, army: PlainArmy) -> Iterator[_KnownCard]:
    for place, unit in enumerate(army.units):
        if unit.card in book.units:
            yield _KnownCard(str(place), book.units[unit.card], _upgrades(book, unit.upgrades))
        if unit.counterpart in book.counterparts:
            card = book.counterparts[unit.counterpart].card
            yield _KnownCard(str(place), card, _upgrades(book, unit.counterpart_upgrades), is_counterpart=True)


def _upgrades(book: Rulebook, slugs: tuple[str, ...]) -> tuple[Upgrade, ...]:
    return tuple(book.upgrades[slug] for slug in slugs if slug in book.upgrades)


def _not_in_battle_force(card: Unit | Upgrade, battle_force: BattleForce, about: str) -> Violation:
    text = gettext("{card} is not in {battle_force}.", card=card.full_name, battle_force=battle_force.name)
    return Violation(BATTLE_FORCE, text, about)


def _unknown_violations(book: Rulebook, army: PlainArmy) -> Iterator[Violation]:
    if army.battle_force and army.battle_force not in book.battle_forces:
        yield UNKNOWN_BATTLE_FORCE(army.battle_force)
    for place, unit in enumerate(army.units):
        if unit.card not in book.units:
            yield UNKNOWN_UNIT(str(place), rule=FACTIONS)
        for slug in (*unit.upgrades, *unit.counterpart_upgrades, *unit.loadout):
            if slug not in book.upgrades:
                yield UNKNOWN_UPGRADE(str(place), rule=UPGRADES)
        if unit.counterpart:
            counterpart = book.counterparts.get(unit.counterpart)
            if counterpart is None or unit.card not in counterpart.parents:
                yield Violation(FACTIONS, gettext("This counterpart does not belong to this unit."), str(place))


def _faction_violations(cards: list[_KnownCard], battle_force: BattleForce | None, faction: str) -> Iterator[Violation]:
    if battle_force and battle_force.faction != faction:
        text = gettext(
            "{battle_force} is only for the Faction {faction}.",
            battle_force=battle_force.name,
            faction=slots.faction_name(battle_force.faction),
        )
        yield Violation(FACTIONS, text, "faction")
    elif not faction:
        if there := sorted({known.card.faction for known in cards} - {MERCENARY}):
            text = gettext("All units of an army must share one Faction. These are {names}.", names=", ".join(there))
        else:
            text = gettext("All units of an army must share one Faction. These have none.")
        yield Violation(FACTIONS, text, "faction")
    elif faction == MERCENARY and not battle_force:
        text = gettext("Mercenaries need a Faction that hires them, or a battle force.")
        yield Violation(FACTIONS, text, "faction")


def _points_violations(army: PlainArmy, there: int) -> Iterator[Violation]:
    if army.size and there > army.size:
        text = gettext("The cards cost {there} points, but only {size} are allowed.", there=there, size=army.size)
        yield Violation(POINTS, text)


def rank_limits(book: Rulebook, army: PlainArmy) -> RankLimits | None:
    """Return the rank limits of an army of the core rules: of its battle force, else the smallest table for its size.

    An army larger than all tables has those of the largest.
    """
    size = army.size or points(book, army)
    if army.battle_force in book.battle_forces:
        return book.battle_forces[army.battle_force].ranks.get(army_rules.card_format(size))
    tables = sorted(book.rank_limits, key=lambda table: table.max_points)
    return next((table for table in tables if size <= table.max_points), tables[-1] if tables else None)


def _rank_violations(book: Rulebook, army: PlainArmy, cards: list[_KnownCard]) -> Iterator[Violation]:
    limits = rank_limits(book, army)
    ranks = Counter(
        army_rules.army_rank(book, known.card, army.battle_force) for known in cards if not known.is_counterpart
    )
    if limits:
        for sentence in army_rules.outside_limits(limits, ranks, ranks):
            yield Violation(RANKS, sentence)


def _listing_violations(book: Rulebook, battle_force: BattleForce, cards: list[_KnownCard]) -> Iterator[Violation]:
    copies = Counter(known.card.slug for known in cards)
    for slug, listing in battle_force.units.items():
        name, there = book.units[slug].full_name, copies[slug]
        if there < listing.least:
            text = gettext(
                "At least {least} {name} (the army has {there}).", least=listing.least, name=name, there=there
            )
            yield Violation(BATTLE_FORCE, text)
        if listing.most is not None and there > listing.most:
            text = gettext("At most {most} {name} (the army has {there}).", most=listing.most, name=name, there=there)
            yield Violation(BATTLE_FORCE, text)


def _card_violations(
    book: Rulebook, known: _KnownCard, battle_force: BattleForce | None, faction: str
) -> Iterator[Violation]:
    card = known.card
    for violation in slots.availability_violations(book, card):
        yield replace(violation, rule=FACTIONS, about=known.about)
    issue = next((word for word in card.keywords if word.startswith(f"{SPECIAL_ISSUE}:")), "")
    if battle_force:
        if card.slug not in battle_force.units and card.slug not in battle_force.counterparts:
            yield _not_in_battle_force(card, battle_force, known.about)
    elif issue:
        name = issue.partition(":")[2].strip()
        text = gettext("{card} can join only the battle force {name}.", card=card.full_name, name=name)
        yield Violation(BATTLE_FORCE, text, known.about)
    elif faction and not known.is_counterpart and not slots.shares_faction(card, faction):
        text = gettext(
            "{card} cannot join an army of the Faction {faction}.",
            card=card.full_name,
            faction=slots.faction_name(faction),
        )
        yield Violation(FACTIONS, text, known.about)


def _upgrade_violations(
    book: Rulebook, known: _KnownCard, battle_force: BattleForce | None, faction: str
) -> Iterator[Violation]:
    unit, about = known.card, known.about
    found = [violation for card in known.upgrades for violation in slots.availability_violations(book, card)]
    bearer = slots.Bearer(unit, faction, unit.faction, unit.affiliation)
    for violation in dict.fromkeys([*found, *slots.equip_violations(bearer, [], known.upgrades)]):
        yield replace(violation, rule=UPGRADES, about=about)
    for wanted in slots.missing_compulsory(unit, known.upgrades):
        text = gettext("{unit} needs {wanted}.", unit=unit.name, wanted=slots.compulsory_name(wanted))
        yield Violation(UPGRADES, text, about)
    if battle_force is None:
        return
    for card in known.upgrades:
        if card.slug in battle_force.barred or (card.unique and card.slug not in battle_force.unique_upgrades):
            yield _not_in_battle_force(card, battle_force, about)


def _loadout_violations(book: Rulebook, army: PlainArmy) -> Iterator[Violation]:
    for place, unit in enumerate(army.units):
        card = book.units.get(unit.card)
        if unit.loadout and card and LOADOUT not in map(keyword_name, card.keywords):
            text = gettext("{unit} does not have the keyword Loadout.", unit=card.full_name)
            yield Violation(UPGRADES, text, str(place))


def _commanded(book: Rulebook, army: PlainArmy, cards: list[_KnownCard], faction: str) -> Commanded:
    battle_force = book.battle_forces.get(army.battle_force)
    units = (
        Fielded(slots.Bearer(known.card, faction, known.card.faction, known.card.affiliation), known.upgrades)
        for known in cards
    )
    return Commanded(faction=faction, units=tuple(units), battle_force=battle_force.name if battle_force else "")


def as_plain(
    book: Rulebook, state: RegisterState, army: army_rules.Army, size: int, hand: tuple[str, ...] = ()
) -> PlainArmy:
    """Return an army as the core rules need it: cards and `size` points, without reinforcements (R20). `hand` are the
    slugs of its Command Hand, for those who may see it; Paragon Command Cards are left out.
    """
    gear: defaultdict[str, list[str]] = defaultdict(list)
    for lent in army.lent:
        if lent.asset == army_rules.SPECIAL_EQUIPMENT:
            gear[lent.bearer] += [card.slug for card in lent.upgrades]
    units = [
        PlainUnit(state.dossiers[key].card, (*upgrades, *gear[key]))
        for key, upgrades in army.fielded.items()
        if key in state.dossiers
    ]
    units += [
        PlainUnit(lent.unit.slug, (*(card.slug for card in lent.upgrades), *gear[lent.key]))
        for lent in army.lent
        if lent.unit
    ]
    return PlainArmy(
        faction=state.faction,
        battle_force=army.battle_force,
        size=size,
        title=state.name,
        units=tuple(units),
        command_cards=tuple(slug for slug in hand if slug in book.commands and slug != STANDING_ORDERS),
        battle_cards=army.battle_deck,
    )


def differences(
    book: Rulebook, state: RegisterState, army: army_rules.Army, setup: army_rules.BattleSetup
) -> Iterator[str]:
    """Yield a sentence for each part of a Register's army that the core rules check leaves out."""
    fielded = [state.dossiers[key] for key in army.fielded if key in state.dossiers]
    extra = sum(book.setbacks[slug].army_points_each for unit in fielded for slug in unit.setbacks)
    if extra:
        yield gettext("The {extra} points that Setbacks add are not counted.", extra=extra)
    if setup.reinforcements:
        yield gettext(
            "The {reinforcements} points of reinforcements are not counted.", reinforcements=setup.reinforcements
        )
    for unit in fielded:
        for slug in unit.commendations:
            if book.commendations[slug].upgrade_slots:
                name = book.commendations[slug].name
                yield gettext(
                    "{unit} lacks the slot that {name} gives.", unit=unit_label(book, state, unit.key), name=name
                )
    if any(lent.asset == army_rules.SPECIAL_EQUIPMENT and not lent.bearer for lent in army.lent):
        yield gettext("Special equipment without a unit is not counted.")
    if army.agenda:
        yield gettext("The Agenda is not counted.")
