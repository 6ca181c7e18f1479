"""Build a Register: the points of units and upgrades, which upgrades fit, how units join (R3 to R8)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rules.core.campaign_rules import STARTING_COMBAT_POTENTIAL, STARTING_SUPPLY_POINTS, allows
from rules.core.card_types import FACTIONS, MERCENARY, UPGRADE_TYPES, StoryArc, Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse
from rules.register import effects as e, upgrade_slots as slots
from rules.register.state import Dossier, RegisterState, apply

NO_FACTION = Fault("R3", gettext_noop("Choose a Faction."))

UNKNOWN_UNIT = Fault("R5", gettext_noop("This unit card does not exist. Choose another one."))
UNKNOWN_UPGRADE = Fault("R8", gettext_noop("This upgrade card does not exist. Choose another one."))
PARAGON_STAYS = Fault("R6", gettext_noop("The Paragon never leaves the Register."))
NOT_ON_REGISTER = Fault("R19", gettext_noop("This unit is not on the Register."))

MINIMUM_COMMANDERS = 1


def open_register(
    *, combat_potential: int = STARTING_COMBAT_POTENTIAL, supply_points: int = STARTING_SUPPLY_POINTS
) -> list[e.Effect]:
    """Open a new Register with points of Combat Potential and SP, and Reputation 0 (R1)."""
    opened = e.RegisterOpened(combat_potential=combat_potential, supply_points=supply_points, reputation=0, rule="R1")
    return [opened]


def factions_open(book: Rulebook) -> list[str]:
    """Return the Factions that the campaign rules allow a new Register (R3)."""
    return [faction for faction in FACTIONS if allows(book.campaign_rules.factions, faction)]


def ranks_lacking(book: Rulebook, faction: str) -> dict[str, str]:
    """Return the ranks of which no unit may join a new Register of this Faction, which cannot be built without (R4),
    each with the earliest release of such a unit ("2026-08-14", "Q4 2026"); empty if none is announced.
    """
    opened = RegisterState(faction=faction, combat_potential=book.campaign_rules.combat_potential)

    def joining(cards: Rulebook, rank: str) -> Iterator[Unit]:
        fitting = (card for card in cards.units.values() if card.rank == rank and not card.retired)
        return (card for card in fitting if may_add_unit(cards, opened, card, (), left=opened.combat_potential))

    lacking = [rank for rank in ("commander", "corps") if not any(joining(book, rank))]
    if not lacking:
        return {}
    early = book.under(replace(book.campaign_rules, unreleased=True), book.adopted_arcs)
    return {rank: min((card.release for card in joining(early, rank)), default="") for rank in lacking}


def choose_faction(book: Rulebook, state: RegisterState, faction: str) -> list[e.Effect]:
    """Set the Faction. Refuses one the campaign does not have, and a change that leaves units without it (R3)."""
    if faction not in (choice := factions_open(book)):
        raise refuse("R3", gettext("Choose a Faction: {names}.", names=", ".join(choice)), "faction")
    if state.dossiers and faction != state.faction:
        raise refuse("R3", gettext("The Faction is fixed by the units already on the Register."))
    return [e.FactionChosen(faction=faction, rule="R3")]


def begin_story_arc(book: Rulebook, story_arc: str) -> list[e.Effect]:
    """Begin any Story Arc that is offered, even the former one again (R10, R49). Refuses any other."""
    if story_arc not in book.arcs_offered:
        raise refuse("R49", gettext("Choose a Story Arc from the list."), "story_arc")
    return [e.StoryArcBegun(story_arc=story_arc, rule="R49")]


def next_story_arc(book: Rulebook, state: RegisterState, story_arc: str) -> list[e.Effect]:
    """Continue a complete saga, as the campaign is longer now. Refuses any other saga, or without arcs left (R49)."""
    if not state.saga_complete:
        text = gettext("You can choose the next Story Arc when the current one has ended.")
        raise refuse("R49", text, "story_arc")
    if not has_arcs_left(book, state.arcs_ended):
        text = gettext("This Register has played its last Story Arc: {arcs}.", arcs=arcs_words(state.arcs_ended))
        raise refuse("R49", text, "story_arc")
    return begin_story_arc(book, story_arc)


def has_arcs_left(book: Rulebook, ended: int) -> bool:
    """Return whether another Story Arc may begin when so many have ended (R49)."""
    return book.campaign_rules.length is None or ended < book.campaign_rules.length


def next_arcs(book: Rulebook, state: RegisterState) -> list[StoryArc]:
    """Return the Story Arcs that can continue a complete campaign (R49); empty if it cannot continue."""
    goes_on = state.saga_complete and has_arcs_left(book, state.arcs_ended)
    return list(book.arcs_offered.values()) if goes_on else []


def arcs_words(number: int) -> str:
    """Return a number of Story Arcs, in words."""
    return ngettext("{number} Story Arc", "{number} Story Arcs", number)


NO_NAME = gettext_noop("Enter a name for the Register.")


def name_register(name: str) -> list[e.Effect]:
    """Name the Register. Refuses an empty or overlong name (R10)."""
    name = checked_name(name, "R10", gettext(NO_NAME), "name")
    return [e.RegisterNamed(name=name, rule="R10")]


def commission(book: Rulebook, state: RegisterState) -> list[e.Effect]:
    """Finish building. Refuses a Register without commander, two corps units, Faction, arc or name (R3, R4, R10)."""
    raise_if_any(commission_violations(book, state))
    return [e.RegisterCommissioned(rule="R4")]


def discard(state: RegisterState) -> list[e.Effect]:
    """Discard an unfinished Register. Refuses one that is commissioned (R10)."""
    if state.commissioned:
        raise refuse("R10", gettext("A finished Register cannot be deleted."))
    return [e.RegisterDiscarded(rule="R10")]


def commission_violations(book: Rulebook, state: RegisterState) -> Iterator[Violation]:
    """Yield everything that a Register lacks before it can be commissioned."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    if ranks.count("commander") < MINIMUM_COMMANDERS:
        yield Violation("R4", gettext("A Register needs at least 1 commander. Add one."))
    if ranks.count("corps") < MINIMUM_CORPS:
        text = gettext(
            "A Register needs at least {minimum_corps} corps units. Add corps units.", minimum_corps=MINIMUM_CORPS
        )
        yield Violation("R4", text)
    if not state.faction:
        text = gettext("Mercenaries need a Register with a Faction. Add a unit that has one first.")
        yield Violation("R3", text)
    if not state.story_arc:
        yield Violation("R10", gettext("Choose a Story Arc."), "story_arc")
    if not state.name:
        yield Violation("R10", gettext(NO_NAME), "name")


MINIMUM_CORPS = 2


def dossier_points(book: Rulebook, dossier: Dossier) -> int:
    """Return the points of a unit card and its upgrade cards in the current catalogue (R2)."""
    return book.units[dossier.card].points + sum(book.upgrades[slug].points for slug in dossier.upgrades)


def combat_potential_spent(book: Rulebook, state: RegisterState) -> int:
    """Return the points of all cards on all Dossiers (R2)."""
    return sum(dossier_points(book, dossier) for dossier in state.dossiers.values())


def combat_potential_left(book: Rulebook, state: RegisterState) -> int:
    """Return the points of Combat Potential left; below 0 after a points update has pushed it over (R2)."""
    return state.combat_potential - combat_potential_spent(book, state)


def corps_owed(book: Rulebook, state: RegisterState) -> int:
    """Return how many corps units the Register falls short of (R4)."""
    corps = sum(book.units[dossier.card].rank == "corps" for dossier in state.dossiers.values())
    return max(0, MINIMUM_CORPS - corps)


def affordable_corps(book: Rulebook, state: RegisterState) -> list[Unit]:
    """Return the corps units, bare, that this Register may take and that fit the Combat Potential left (R4)."""
    left = combat_potential_left(book, state)
    return [
        card
        for card in book.units.values()
        if card.rank == "corps" and card.points <= left and not any(_joining_violations(book, state, card))
    ]


def must_add_corps(book: Rulebook, state: RegisterState) -> bool:
    """Return whether a commissioned Register lacks corps units and can afford one; else it is excused (R4)."""
    return state.commissioned and corps_owed(book, state) > 0 and bool(affordable_corps(book, state))


def fielding_warnings(book: Rulebook, dossier: Dossier) -> tuple[str, ...]:
    """Return the compulsory upgrades that the unit does not have yet, in words (R7, R53)."""
    name = dossier.name or book.units[dossier.card].name
    return tuple(
        gettext("{name} needs {wanted}. Add it under Upgrades.", name=name, wanted=slots.compulsory_name(wanted))
        if number == 1
        else gettext(
            "{name} needs {number} {type} upgrades. Add them under Upgrades.",
            name=name,
            number=number,
            type=slots.spoken(wanted),
        )
        for wanted, number in Counter(missing_upgrades(book, dossier)).items()
    )


def missing_upgrades(book: Rulebook, dossier: Dossier) -> tuple[str, ...]:
    """Return the missing compulsory upgrades of a unit on a Register, one entry each (R7, R53)."""
    unit, cards = book.units[dossier.card], [book.upgrades[slug] for slug in dossier.upgrades]
    there = sum(card.type == slots.HEAVY_WEAPON for card in slots.beyond_compulsory(unit, cards))
    heavy = max(0, slots.flexible_response(book, dossier) - there)
    return (*slots.missing_compulsory(unit, cards), *[slots.HEAVY_WEAPON] * heavy)


def add_unit(
    book: Rulebook, state: RegisterState, card_slug: str, *, upgrades: Sequence[str] = (), name: str = ""
) -> list[e.Effect]:
    """Add a unit with the upgrades it may join with. The first commander becomes the Paragon (R6). Refuses unique or
    unavailable cards (R5), the wrong Faction (R3), unfit upgrades (R7, R8), a missing name (R7), too many points (R2),
    and anything but a corps unit while corps units are due (R4).
    """
    card, cards = the_unit(book, card_slug), [the_upgrade(book, slug) for slug in upgrades]
    key = str(state.next_key)
    rule = "R11" if state.commissioned else "R10"
    joined = e.UnitAdded(unit=key, card=card.slug, name=name.strip(), rule=rule)
    after = apply(state, joined)
    raise_if_any(
        [
            *_joining_violations(book, state, card),
            *_joining_upgrade_violations(book, after, key, cards),
            *joining_name_violations(card, name),
            *_points_violations(book, state, card.points + sum(upgrade.points for upgrade in cards)),
            *_corps_first_violations(book, state, card, cards),
        ]
    )
    return [
        joined,
        *_settle(state, card, key),
        *(e.UpgradeAdded(unit=key, upgrade=each.slug, rule="R7") for each in cards),
    ]


def without_unit(state: RegisterState, key: str) -> RegisterState:
    """Return a Register being built without one unit, so that `add_unit` can add it again under the same key (R10)."""
    the_dossier(state, key)
    return replace(
        state,
        dossiers={other: dossier for other, dossier in state.dossiers.items() if other != key},
        paragon="" if state.paragon == key else state.paragon,
        next_key=int(key),
    )


def changed_unit_violations(
    book: Rulebook, before: RegisterState, after: RegisterState, key: str
) -> Iterator[Violation]:
    """Yield why a unit cannot have all of its upgrades together, or why a change takes too many points (R2, R8)."""
    dossier = after.dossiers[key]
    yield from slots.equip_violations(
        slots.bearer(book, after, dossier), [], [book.upgrades[slug] for slug in dossier.upgrades]
    )
    left = combat_potential_left(book, after)
    if left < 0 and left < combat_potential_left(book, before):
        yield Violation("R2", gettext("{above}. Choose cheaper upgrades.", above=above_potential(book, after)))


def missing_choice_violations(
    book: Rulebook, state: RegisterState, card_slug: str, upgrades: Sequence[str]
) -> Iterator[Violation]:
    """Yield a violation for each compulsory upgrade that a joining unit lacks although one would fit (R7). `add_unit`
    accepts such a unit, as R7 allows to add them later. Forms use this to ask for them at once.
    """
    card, cards = the_unit(book, card_slug), [the_upgrade(book, slug) for slug in upgrades]
    left = combat_potential_left(book, state)
    for wanted in slots.missing_compulsory(card, cards):
        if any(
            may_join_with(book, state, card, [*cards, each], left=left)
            for each in book.upgrades.values()
            if wanted in (each.type, each.name) and not each.retired and each not in cards
        ):
            words = slots.compulsory_name(wanted)
            text = gettext("{unit} needs {wanted}. Choose one below.", unit=card.name, wanted=words)
            yield Violation("R7", text, "upgrades")


def upgrade_words(wanted: str) -> str:
    """Return a compulsory upgrade in words: its type ("Doctrine") or the name of its card (R7)."""
    return slots.spoken(wanted).capitalize() if wanted in UPGRADE_TYPES else wanted


def may_add_unit(book: Rulebook, state: RegisterState, card: Unit, upgrades: Sequence[Upgrade], *, left: int) -> bool:
    """Return whether `add_unit` would add it under some name; callers with many compute `left` once."""
    foreign = state.faction and not slots.shares_faction(card, state.faction)
    if left < 0 or card.points > left or foreign or any(_joining_violations(book, state, card)):
        return False
    return may_join_with(book, state, card, upgrades, left=left)


def may_join_with(book: Rulebook, state: RegisterState, card: Unit, upgrades: Sequence[Upgrade], *, left: int) -> bool:
    """Return whether a unit may be added with upgrades, if it is known that it may be added without them."""
    if upgrades and not (
        card.points + sum(upgrade.points for upgrade in upgrades) <= left
        and slots.may_equip(slots.bearer(book, state, Dossier("", card.slug)), upgrades)
        and not any(allowance_violations(card, upgrades))
        and not any(any(slots.card_ban_violations(book, upgrade)) for upgrade in upgrades)
    ):
        return False
    return not any(_corps_first_violations(book, state, card, upgrades))


def may_grow(book: Rulebook, state: RegisterState) -> bool:
    """Return whether an edit could change more than names: a unit fits, an upgrade is due, or a unit must go (R11)."""
    left = combat_potential_left(book, state)
    return (
        must_let_go(book, state)
        or any(_upgrade_fits(book, state, each) for each in state.dossiers.values())
        or any(may_add_unit(book, state, card, (), left=left) for card in book.units.values())
    )


def _upgrade_fits(book: Rulebook, state: RegisterState, dossier: Dossier) -> bool:
    """Return whether an edit could add an upgrade to a unit (R8)."""
    due = {*missing_upgrades(book, dossier), *commendation_slots_left(book, dossier)}
    unit, have = slots.bearer(book, state, dossier), [book.upgrades[slug] for slug in dossier.upgrades]
    return bool(due) and any(
        (card.type in due or card.name in due)
        and slots.meets_restrictions(unit, card, (*have, card))  # without the texts of the violations
        and not any(upgrade_violations(book, state, dossier, card))
        for card in book.upgrades.values()
    )


def join_by_reward(
    book: Rulebook, state: RegisterState, card_slug: str, *, upgrades: Sequence[str] = (), name: str = "", rule: str
) -> list[e.Effect]:
    """Add a unit that a reward of `rule` brings: above CP if need be, of any Faction, without a name (section 8). It
    takes Faction and affiliation of the Paragon. Its upgrades have to fit, as for any unit that joins. Refuses unique
    or unavailable cards (R5), unfit upgrades (R7, R8) and their points (R2, R4).
    """
    card, cards = the_unit(book, card_slug), [the_upgrade(book, slug) for slug in upgrades]
    key = str(state.next_key)
    paragon = state.dossiers.get(state.paragon)
    joined = e.UnitAdded(
        unit=key,
        card=card.slug,
        name=name.strip(),
        faction=(book.units[paragon.card].faction if paragon else "") or state.faction,
        affiliation=book.units[paragon.card].affiliation if paragon else "",
        rule=rule,
    )
    after = apply(state, joined)
    points = sum(upgrade.points for upgrade in cards)
    raise_if_any(
        [
            *slots.card_ban_violations(book, card),
            *_joining_upgrade_violations(book, after, key, cards),
            *long_name_violations(name),
            *(_points_violations(book, after, points) if cards else ()),
            *([_corps_first()] if cards and _corps_come_first(book, after) else ()),
        ]
    )
    return [joined, *(e.UpgradeAdded(unit=key, upgrade=each.slug, rule="R7") for each in cards)]


def add_upgrade(book: Rulebook, state: RegisterState, key: str, upgrade_slug: str) -> list[e.Effect]:
    """Add an upgrade by an edit: into a slot that a Commendation gave, or a compulsory one (R8). Refuses one that does
    not fit the unit (R8), Register (R5) or CP (R2), and any while corps units are due (R4).
    """
    dossier, card = the_dossier(state, key), the_upgrade(book, upgrade_slug)
    raise_if_any([*_edit_right_violations(book, state, dossier, card), *upgrade_violations(book, state, dossier, card)])
    missing = missing_upgrades(book, dossier)
    earned = card.type not in missing and card.name not in missing
    return [e.UpgradeAdded(unit=key, upgrade=card.slug, by_commendation=earned, rule="R8")]


def upgrade_violations(book: Rulebook, state: RegisterState, dossier: Dossier, card: Upgrade) -> Iterator[Violation]:
    """Yield why a unit on the Register cannot get one more upgrade, on any occasion (R2, R4, R5, R8)."""
    have = [book.upgrades[slug] for slug in dossier.upgrades]
    yield from slots.card_ban_violations(book, card)
    yield from slots.equip_violations(slots.bearer(book, state, dossier), have, [card])
    yield from _points_violations(book, state, card.points)
    if _corps_come_first(book, state):
        yield _corps_first()


def let_go(book: Rulebook, state: RegisterState, key: str) -> list[e.Effect]:
    """Remove a unit from a Register above its CP, else refuse (R2, `above_potential`). Refuses the Paragon (R6)."""
    the_dossier(state, key)
    if not must_let_go(book, state):
        text = gettext(
            "Units can be dismissed only if the campaign rules allow it and the Register is above its Combat Potential."
        )
        raise refuse("R2", text, key)
    if key == state.paragon:
        raise RuleViolation([PARAGON_STAYS(key)])
    return [e.UnitReassigned(unit=key, rule="R2", why=gettext_noop("dismissed"))]


def must_let_go(book: Rulebook, state: RegisterState) -> bool:
    """Return whether units must leave before the Register can start a battle (R2, `above_potential`)."""
    return book.house.above_potential == "units_go" and combat_potential_left(book, state) < 0


def above_potential(book: Rulebook, state: RegisterState) -> str:
    """Return by how many points a Register is above its Combat Potential, in words (R2)."""
    return ngettext(
        "The Register is {number} point above its Combat Potential",
        "The Register is {number} points above its Combat Potential",
        -combat_potential_left(book, state),
    )


def name_unit(state: RegisterState, key: str, name: str) -> list[e.Effect]:
    """Give a unit its Dossier name (R9). Refuses an unknown unit and an empty or overlong name."""
    the_dossier(state, key)
    name = checked_name(name, "R9", gettext("Enter a name for the unit."), key)
    return [e.UnitNamed(unit=key, name=name, rule="R9")]


def check_in_barracks(state: RegisterState) -> None:
    """Refuse to edit a Register in a battle, which only step 8 may edit (R11), or a discarded one (R10)."""
    if state.discarded:
        raise refuse("R10", gettext("This draft was deleted and cannot be changed."))
    if state.in_field:
        text = gettext("The Register is in a battle. You can edit it in step 8 of its Post-Battle Sequence.")
        raise refuse("R11", text)


def the_dossier(state: RegisterState, key: str) -> Dossier:
    """Return the Dossier with that key. Refuses a unit that is not (or no longer) on the Register (R19)."""
    if key not in state.dossiers:
        raise RuleViolation([NOT_ON_REGISTER(key)])
    return state.dossiers[key]


def _joining_violations(book: Rulebook, state: RegisterState, card: Unit) -> Iterator[Violation]:
    yield from slots.card_ban_violations(book, card)
    yield from _faction_violations(book, state, card)


def _faction_violations(book: Rulebook, state: RegisterState, card: Unit) -> Iterator[Violation]:
    """Yield Faction violations of the whole Register (R3); units from rewards took the Paragon's Faction."""
    faction = state.faction or (card.faction if card.faction != MERCENARY else "")
    printed = [book.units[dossier.card] for dossier in state.dossiers.values() if not dossier.faction]
    if faction:
        if not state.faction and not allows(book.campaign_rules.factions, faction):
            text = gettext(
                "This campaign does not allow the Faction {faction}. Choose another one.",
                faction=slots.faction_name(faction),
            )
            yield Violation("R3", text, card.slug)
        for unit in (card, *printed):
            if not slots.shares_faction(unit, faction):
                yield slots.wrong_faction(unit, faction, unit.slug)
    elif not set.intersection(*(set(unit.hireable_by) for unit in (*printed, card))):
        text = gettext("No Faction can hire {card} together with the other units.", card=card.full_name)
        yield Violation("R3", text, card.slug)


def _joining_upgrade_violations(
    book: Rulebook, after: RegisterState, key: str, cards: Sequence[Upgrade]
) -> Iterator[Violation]:
    dossier = after.dossiers[key]
    unit = book.units[dossier.card]
    yield from allowance_violations(unit, cards)
    for card in cards:
        yield from slots.card_ban_violations(book, card)
    if cards:
        yield from slots.equip_violations(slots.bearer(book, after, dossier), [], cards)


def _points_violations(book: Rulebook, state: RegisterState, points: int) -> Iterator[Violation]:
    left = combat_potential_left(book, state)
    if left < 0:
        yield Violation(
            "R2", gettext("{above}. Nothing can be added until it fits again.", above=above_potential(book, state))
        )
    elif points > left:
        text = ngettext(
            "This costs {number} point. The most that can be spent is {left}.",
            "This costs {number} points. The most that can be spent is {left}.",
            points,
            left=left,
        )
        yield Violation("R2", text)


def _corps_first_violations(
    book: Rulebook, state: RegisterState, card: Unit, upgrades: Sequence[Upgrade]
) -> Iterator[Violation]:
    """Yield a violation for any purchase but corps units while they are due and affordable, upgrades included (R4)."""
    if not _corps_come_first(book, state):
        return
    if card.rank != "corps":
        yield _corps_first()
    elif upgrades:
        bare = apply(state, e.UnitAdded(unit=str(state.next_key), card=card.slug, rule="R4"))
        if must_add_corps(book, bare):
            yield _corps_first()


def _corps_come_first(book: Rulebook, state: RegisterState) -> bool:
    """Return whether corps units must be bought first (R4, `corps_owed`)."""
    return book.house.corps_owed == "first" and must_add_corps(book, state)


def _corps_first() -> Violation:
    sentence = gettext_noop("Add corps units first, until there are {minimum_corps}.")
    return Violation("R4", gettext(sentence, minimum_corps=MINIMUM_CORPS))


def _edit_right_violations(
    book: Rulebook, state: RegisterState, dossier: Dossier, card: Upgrade
) -> Iterator[Violation]:
    """Yield a violation for an edit that neither fills a Commendation's slot nor is compulsory (R8)."""
    missing = missing_upgrades(book, dossier)
    if card.type in missing or card.name in missing:
        return
    if card.type not in commendation_slots_left(book, dossier):
        text = gettext(
            "{card} can be added only by an Aid Request, or into a slot from a Commendation.", card=card.full_name
        )
        yield Violation("R8", text, card.slug)


def commendation_slots_left(book: Rulebook, dossier: Dossier) -> Counter[str]:
    """Return types of upgrade that an edit may still add, because a Commendation gave a slot for one (R8).

    None if only Aid Requests fill these slots (`commended_slot`).
    """
    if book.house.commended_slot == "aid_request":
        return Counter()
    filled = Counter(book.upgrades[slug].type for slug in dossier.by_commendation)
    return Counter(slots.commended_slots(book, dossier)) - filled


def _settle(state: RegisterState, card: Unit, key: str) -> Iterator[e.Effect]:
    if not state.faction and card.faction != MERCENARY:
        yield e.FactionChosen(faction=card.faction, rule="R3")
    if not state.paragon and card.rank == "commander":
        yield e.ParagonChosen(unit=key, rule="R6")


def the_unit(book: Rulebook, slug: str) -> Unit:
    """Return the unit card. Refuses an unknown slug (R5)."""
    if slug not in book.units:
        raise RuleViolation([UNKNOWN_UNIT(slug)])
    return book.units[slug]


def the_upgrade(book: Rulebook, slug: str) -> Upgrade:
    """Return the upgrade card. Refuses an unknown slug (R8)."""
    if slug not in book.upgrades:
        raise RuleViolation([UNKNOWN_UPGRADE(slug)])
    return book.upgrades[slug]


LONGEST_NAME = 80


def joining_allowance(unit: Unit) -> str:
    """Return how many upgrades a unit may join with, in words; empty if its bar has no slot for any (R7)."""
    if unit.rank in ("commander", "operative"):
        what = gettext("2 upgrades") if unit.upgrade_slots else ""
    else:
        what = _one_of_each(slot for slot in _allowed_types(unit) if slot in unit.upgrade_slots)
    return gettext("Up to {what}, plus required ones.", what=what) if what else ""


def allowance_violations(unit: Unit, cards: Sequence[Upgrade]) -> Iterator[Violation]:
    """Yield violations of number and types of `cards` that a unit joins with (R7); compulsory ones are free."""
    chosen = slots.beyond_compulsory(unit, cards)
    if unit.rank in ("commander", "operative"):
        yield from _bar_violations(unit, chosen, cards)
        if len(chosen) > 2:
            text = gettext("{unit} can join with up to 2 upgrades, plus required ones. Remove some.", unit=unit.name)
            yield Violation("R7", text, unit.slug)
        return
    allowed = _allowed_types(unit)
    for card in chosen:
        if card.type not in allowed:
            words = _one_of_each(allowed)
            text = gettext(
                "{unit} can join with {words} upgrade, but not with {card}.",
                unit=unit.name,
                words=words,
                card=card.full_name,
            )
            yield Violation("R7", text, card.slug)
    if unit.unit_class == "vehicle":
        yield from _bar_violations(unit, [card for card in chosen if card.type in allowed], cards)
    for slot in allowed:
        if sum(card.type == slot for card in chosen) > 1:
            text = gettext(
                "{unit} can join with at most 1 {slot} upgrade. Remove one.", unit=unit.name, slot=slots.spoken(slot)
            )
            yield Violation("R7", text, unit.slug)


def _bar_violations(unit: Unit, chosen: Iterable[Upgrade], cards: Sequence[Upgrade]) -> Iterator[Violation]:
    for card in chosen:
        if card.type not in unit.upgrade_slots and not any(card.type in each.grants_slots for each in cards):
            text = gettext("{unit} has no {slot} slot.", unit=unit.name, slot=slots.spoken(card.type))
            yield Violation("R7", text, card.slug)


def _allowed_types(unit: Unit) -> tuple[str, ...]:
    """Return the types of which a unit that is neither commander nor operative may join with one each (R7)."""
    return ("heavy-weapon", "personnel") if unit.unit_class == "trooper" else ("hardpoint",)


def _one_of_each(types: Iterable[str]) -> str:
    return gettext(" and ").join(gettext("1 {slot}", slot=slots.spoken(slot)) for slot in types)


def joining_name_violations(card: Unit, name: str) -> Iterator[Violation]:
    """Yield what is wrong with the name that a unit joins with; commanders and operatives need one (R7)."""
    if card.rank in ("commander", "operative") and not name.strip():
        text = gettext("{card} needs a name. Enter one.", card=card.name)
        yield Violation("R7", text, "name")
    yield from long_name_violations(name)


def long_name_violations(
    name: str, rule: str = "R7", about: str = "name", longest: int = LONGEST_NAME
) -> Iterator[Violation]:
    """Yield a violation for a name that is too long or unreadable (R7)."""
    if len(name.strip()) > longest or not name.strip().isprintable():
        text = gettext("Shorten the name to {longest_name} characters or fewer.", longest_name=longest)
        yield Violation(rule, text, about)


def checked_name(name: str, rule: str, empty: str, about: str) -> str:
    """Return a name without blanks around it. Refuses an empty name, in the words of `empty`, and a long one."""
    if not (name := name.strip()):
        raise refuse(rule, empty, about)
    raise_if_any(long_name_violations(name, rule, about))
    return name
