"""An army for a battle (R17 to R23): its contents, its points, and the cards it may be chosen from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.battle.battle_deck import deck_violations
from rules.battle.report import Lent
from rules.core.campaign_rules import allows
from rules.core.card_types import RANKS, Agenda, StoryArc, Unit, Upgrade
from rules.core.rulebook import BattleForce, RankLimits, Rulebook
from rules.core.translation import gettext
from rules.core.values import KeywordValue
from rules.core.violations import Violation
from rules.register import upgrade_slots as slots
from rules.register.building import NOT_ON_REGISTER, above_potential, must_let_go
from rules.register.state import RegisterState

POINTS_PER_REPUTATION = 50
LARGEST_RECON = 800
#: Army sizes in points. The rulebook sets no limits (R18); these catch typing errors in forms.
SMALLEST_SIZE, LARGEST_SIZE = 100, 3000
AGENDAS_TO_MAY = 2
AGENDAS_TO_MUST = 3

CONTINGENCY_PLAN = "contingency-plan"


class Army(KeywordValue):
    """The army of one Register: fielded Dossiers with the upgrades they use, assets used, and what the assets lend.

    `agenda` is the one it brings, which is chosen after the armies (R23); empty for none. `battle_force` is the one it
    is built as, or empty; `battle_deck` the cards of its Battle Deck, if recorded; `rank_reason` why its ranks may be
    outside the limits, which warn and do not block (R18).
    """

    fielded: Mapping[str, tuple[str, ...]]
    assets: tuple[str, ...] = ()
    lent: tuple[Lent, ...] = ()
    agenda: str = ""
    battle_force: str = ""
    battle_deck: tuple[str, ...] = ()
    rank_reason: str = ""


class BattleSetup(KeywordValue):
    """The agreement of both players: the size in points, extra points (R20), whose Turning Point it is (R22).

    `turning_point` says whether the battle is a Turning Point Mission, `own_turning_point` whether it is this side's.
    """

    size: int
    reinforcements: int = 0
    own_turning_point: bool = False
    turning_point: bool = False


def reinforcements(own_reputation: int, opposing_reputation: int) -> int:
    """Return the extra army points: 50 for each point of Reputation the opposing Register is ahead (R20)."""
    return max(0, opposing_reputation - own_reputation) * POINTS_PER_REPUTATION


def unit_points(book: Rulebook, state: RegisterState, key: str, upgrades: Sequence[str]) -> int:
    """Return the army points of a fielded Dossier: its cards, and 15 for each Downtrodden Setback (R19)."""
    dossier = state.dossiers[key]
    cards = book.units[dossier.card].points + sum(book.upgrades[slug].points for slug in upgrades)
    return cards + sum(book.setbacks[slug].army_points_each for slug in dossier.setbacks)


def lent_points(lent: Lent) -> int:
    """Return the army points of a lent unit or upgrade: the unit, if it is one, and its upgrades (R19)."""
    return (lent.unit.points if lent.unit else 0) + sum(card.points for card in lent.upgrades)


def army_points(book: Rulebook, state: RegisterState, army: Army) -> int:
    """Return the army points of all fielded and lent units (R19). Units that are not on the Register count nothing."""
    own = sum(
        unit_points(book, state, key, [slug for slug in upgrades if slug in book.upgrades])
        for key, upgrades in army.fielded.items()
        if key in state.dossiers
    )
    return own + sum(lent_points(lent) for lent in army.lent)


def completed_agendas(arc: StoryArc, state: RegisterState) -> int:
    """Return how many Agendas of its current arc a Register has completed, including retired ones."""
    return sum(is_complete(agenda, state) for agenda in (*arc.agendas, *arc.agendas_of_before))


def is_complete(agenda: Agenda, state: RegisterState) -> bool:
    """Return whether an Agenda has all its progressions."""
    return state.agendas.get(agenda.slug, 0) >= agenda.progressions_to_complete


def may_play_turning_point(book: Rulebook, state: RegisterState) -> bool:
    """Return whether a Register has completed enough Agendas for its Turning Point Mission (R22)."""
    return completed_agendas(book.story_arcs[state.story_arc], state) >= AGENDAS_TO_MAY


def must_play_turning_point(book: Rulebook, state: RegisterState) -> bool:
    """Return whether a Register has completed all the Agendas it can and must play its Turning Point Mission (R22)."""
    return completed_agendas(book.story_arcs[state.story_arc], state) >= AGENDAS_TO_MUST


def open_agendas(book: Rulebook, state: RegisterState) -> list[Agenda]:
    """Return the Agendas a Register may bring: those of its current arc that are not complete (R23)."""
    arc = book.story_arcs.get(state.story_arc)
    return [agenda for agenda in arc.agendas if not is_complete(agenda, state)] if arc else []


def may_bring_agenda(book: Rulebook, state: RegisterState, setup: BattleSetup) -> bool:
    """Return whether a Register may bring an Agenda: not in its own Turning Point Mission, by house rules in none
    (`turning_point_agenda`), and only if one of its arc is not complete (R22, R23).
    """
    return not _without_agenda(book, setup) and bool(open_agendas(book, state))


def _without_agenda(book: Rulebook, setup: BattleSetup) -> bool:
    nobody = book.house.turning_point_agenda == "nobody"
    return setup.own_turning_point or (setup.turning_point and nobody)


def open_battle_forces(book: Rulebook, faction: str) -> list[BattleForce]:
    """Return the battle forces that an army of a Faction may be built as."""
    return [
        state
        for slug, state in book.battle_forces.items()
        if state.faction == faction and not state.retired and allows(book.campaign_rules.battle_forces, slug)
    ]


def rank_limits_for(book: Rulebook, size: int, battle_force: str = "") -> RankLimits | None:
    """Return the rank limits for a game of `size` points: those of a battle force (a slug), if named, or the table that
    the campaign rules pick, or Recon's up to 800 points and Standard's above (R18).
    """
    if battle_force in book.battle_forces:
        return book.battle_forces[battle_force].ranks.get(card_format(size))
    wanted = book.campaign_rules.rank_table or card_format(size)
    return next((table for table in book.rank_limits if table.format == wanted), None)


def game_type(size: int) -> str:
    """Return the type of game: Recon up to 800 points, standard above (R18)."""
    return gettext("Recon") if size <= LARGEST_RECON else gettext("standard")


def card_format(size: int) -> str:
    """Return the format of battle cards and battle forces for a game of `size` points: "recon" or "standard" (R18)."""
    return "recon" if size <= LARGEST_RECON else "standard"


def army_rank(book: Rulebook, card: Unit, battle_force: str) -> str:
    """Return a unit's rank in an army: the rank that its battle force lists, else the printed one."""
    listed = book.battle_forces[battle_force].units if battle_force in book.battle_forces else {}
    return listed[card.slug].rank if card.slug in listed else card.rank


REQUEST_ASSISTANCE = "request-assistance"
HEROIC_INTERVENTION = "heroic-intervention"
BRING_UNITS = (REQUEST_ASSISTANCE, HEROIC_INTERVENTION)
SPECIAL_EQUIPMENT = "requisition-special-equipment"
EXTRAORDINARY_USE = "authorized-extraordinary-use"


def asset_violations(book: Rulebook, state: RegisterState, army: Army, setup: BattleSetup) -> Iterator[Violation]:
    """Yield assets that the Register lacks or may not use in this battle, and more lent than they bring (R21)."""
    for slug in Counter(army.assets) - Counter(state.assets):
        yield Violation("R21", gettext("{name} is not on the Register.", name=_asset_name(book, slug)), slug)
    for slug in dict.fromkeys(army.assets):
        if setup.own_turning_point and slug in book.assets and book.assets[slug].not_in_own_turning_point:
            text = gettext(
                "{asset} cannot be used in your own Turning Point Mission. Untick it.", asset=book.assets[slug].name
            )
            yield Violation("R21", text, slug)
    for slug in Counter(lent.asset for lent in army.lent) - Counter(army.assets):
        text = gettext("{asset} brings more than you have in use. Remove some.", asset=_asset_name(book, slug))
        yield Violation("R21", text, slug)


def _asset_name(book: Rulebook, slug: str) -> str:
    return book.assets[slug].name if slug in book.assets else slug


def lent_violations(book: Rulebook, state: RegisterState, army: Army, lent: Lent) -> Iterator[Violation]:
    """Yield what is wrong with a unit or an upgrade that an asset brings into the army (R21)."""
    if lent.asset in BRING_UNITS:
        yield from _lent_unit_violations(book, state, lent)
    elif lent.asset == SPECIAL_EQUIPMENT:
        yield from _equipment_violations(book, state, army, lent)
    elif lent.asset != EXTRAORDINARY_USE:
        yield Violation("R21", gettext("{asset} does not bring anything into an army.", asset=lent.asset), lent.asset)
    elif (
        lent.unit
        or lent.upgrades
        or lent.bearer not in (*army.fielded, *(other.key for other in army.lent if other.unit))
    ):
        text = gettext("Authorized Extraordinary Use exempts one unit of the army. Choose it.")
        yield Violation("R21", text, lent.asset)


def _lent_unit_violations(book: Rulebook, state: RegisterState, lent: Lent) -> Iterator[Violation]:
    unit, commander = lent.unit, lent.asset == HEROIC_INTERVENTION
    if unit is None:
        yield Violation("R21", gettext("Choose the unit that this asset brings."), lent.asset)
        return
    if not unit.unique or (unit.rank == "commander") is not commander:
        wanted = gettext("a unique commander") if commander else gettext("a unique unit that is not a commander")
        text = gettext(
            "This asset brings {wanted}, and {unit} is not one. Choose another unit.",
            wanted=wanted,
            unit=unit.full_name,
        )
        yield Violation("R21", text, lent.asset)
    if not slots.shares_faction(unit, state.faction):
        text = gettext(
            "{unit} cannot join this army of the Faction {faction}.",
            unit=unit.full_name,
            faction=slots.faction_name(state.faction),
        )
        yield Violation("R21", text, lent.asset)
    yield from slots.availability_violations(book, unit)
    for card in lent.upgrades:
        yield from slots.availability_violations(book, card)
    if lent.upgrades:
        yield from slots.equip_violations(slots.lent_bearer(state, unit), [], lent.upgrades)


def _equipment_violations(book: Rulebook, state: RegisterState, army: Army, lent: Lent) -> Iterator[Violation]:
    if lent.unit or len(lent.upgrades) != 1 or not lent.upgrades[0].unique:
        yield Violation(
            "R21", gettext("Requisition Special Equipment brings one unique upgrade. Choose it."), lent.asset
        )
        return
    [card] = lent.upgrades
    yield from slots.availability_violations(book, card)
    if not lent.bearer:
        return
    more = [
        upgrade
        for other in army.lent
        if other is not lent and other.asset == SPECIAL_EQUIPMENT and other.bearer == lent.bearer
        for upgrade in other.upgrades
    ]
    if lent.bearer in army.fielded and lent.bearer in state.dossiers:
        have = [book.upgrades[slug] for slug in army.fielded[lent.bearer] if slug in book.upgrades]
        yield from slots.equip_violations(
            slots.bearer(book, state, state.dossiers[lent.bearer]), [*have, *more], [card]
        )
        return
    other = next((other for other in army.lent if other.unit and other.key == lent.bearer), None)
    if other and other.unit:
        yield from slots.equip_violations(slots.lent_bearer(state, other.unit), [*other.upgrades, *more], [card])
    else:
        yield Violation("R21", gettext("Choose a unit of the army for {card}.", card=card.full_name), lent.asset)


def army_violations(book: Rulebook, state: RegisterState, army: Army, setup: BattleSetup) -> Iterator[Violation]:
    """Yield every violation that makes an army illegal; none for a legal one."""
    yield from _roster_violations(book, state, army)
    yield from _points_violations(book, state, army, setup)
    yield from copies_violations(_fielded_cards(book, state, army), "R19")
    yield from asset_violations(book, state, army, setup)
    for lent in army.lent:
        yield from lent_violations(book, state, army, lent)
    yield from agenda_violations(book, state, army.agenda, setup)
    if army.battle_force and army.battle_force not in [each.slug for each in open_battle_forces(book, state.faction)]:
        text = gettext("Choose a battle force of the Register’s Faction, or none.")
        yield Violation("R18", text, "battle_force")
    if army.battle_deck:
        yield from deck_violations(book, army.battle_deck, game=card_format(setup.size), faction=state.faction)


def _roster_violations(book: Rulebook, state: RegisterState, army: Army) -> Iterator[Violation]:
    if must_let_go(book, state):
        yield Violation("R2", gettext("{above}. Dismiss units first.", above=above_potential(book, state)))
    if state.paragon not in army.fielded:
        yield Violation("R19", gettext("The Paragon is always part of the army. Add it."), state.paragon)
    for key, upgrades in army.fielded.items():
        if key not in state.dossiers:
            yield NOT_ON_REGISTER(key)
            continue
        dossier = state.dossiers[key]
        name = dossier.name or book.units[dossier.card].name
        if Counter(upgrades) - Counter(dossier.upgrades):
            yield Violation("R19", gettext("{name} can use only upgrades of its own Dossier.", name=name), key)
        elif upgrades and not slots.fits(
            slots.all_slots(slots.bearer(book, state, dossier)), [book.upgrades[slug] for slug in upgrades]
        ):
            text = gettext(
                "{name} fields an upgrade without the one that gives it its slot. Choose both or neither.", name=name
            )
            yield Violation("R8", text, key)


def _points_violations(book: Rulebook, state: RegisterState, army: Army, setup: BattleSetup) -> Iterator[Violation]:
    points, allowed = army_points(book, state, army), setup.size + setup.reinforcements
    if points > allowed:
        text = gettext(
            "The army has {points} points, but only {allowed} are allowed. Remove units or upgrades.",
            points=points,
            allowed=allowed,
        )
        yield Violation("R19", text)
        if setup.reinforcements:
            text = gettext(
                "The limit includes {reinforcements} points of reinforcements.", reinforcements=setup.reinforcements
            )
            yield Violation("R20", text)


def copies_violations(cards: Iterable[Unit | Upgrade], rule: str) -> Iterator[Violation]:
    """Yield violations of copies over all cards: a unique card once, limited upgrades as often as printed (R19)."""
    limits: dict[str, int] = {}
    copies: Counter[str] = Counter()
    for card in cards:
        limit = 1 if card.unique else card.army_limit if isinstance(card, Upgrade) else None
        if limit:
            name = card.full_name if isinstance(card, Unit) and card.unique_by_title else card.name
            copies[name] += 1
            limits[name] = min(limit, limits.get(name, limit))
    for name, number in copies.items():
        if number > limits[name]:
            text = gettext(
                "An army can have {name} at most {limits}, but this one has it {number}.",
                name=name,
                limits=_times(limits[name]),
                number=_times(number),
            )
            yield Violation(rule, text)


def _fielded_cards(book: Rulebook, state: RegisterState, army: Army) -> Iterator[Unit | Upgrade]:
    for key, upgrades in army.fielded.items():
        if key in state.dossiers:
            yield book.units[state.dossiers[key].card]
            yield from (book.upgrades[slug] for slug in upgrades if slug in book.upgrades)
    for lent in army.lent:
        if lent.unit:
            yield lent.unit
        yield from lent.upgrades


def _times(number: int) -> str:
    return {1: gettext("once"), 2: gettext("twice")}.get(number) or gettext("{number} times", number=number)


def agenda_violations(book: Rulebook, state: RegisterState, agenda: str, setup: BattleSetup) -> Iterator[Violation]:
    """Yield why a Register may not bring `agenda` (a slug, or "" for none, which is always allowed; R22, R23)."""
    if not agenda:
        return
    if setup.own_turning_point:
        yield Violation("R22", gettext("The owner of a Turning Point Mission cannot bring an Agenda."), "agenda")
    elif _without_agenda(book, setup):
        text = gettext("In this campaign nobody brings an Agenda to a Turning Point Mission.")
        yield Violation("R22", text, "agenda")
    if agenda not in [item.slug for item in open_agendas(book, state)]:
        text = gettext("Choose an Agenda of the current Story Arc that is not complete.")
        yield Violation("R23", text, "agenda")


def turning_point_violations(
    book: Rulebook, blue: RegisterState | None, red: RegisterState | None, owner: str
) -> Iterator[Violation]:
    """Yield why the Turning Point Mission of `owner` ("blue", "red" or "") may not be played; a guest is None (R22)."""
    sides = {"blue": blue, "red": red}
    if not owner:
        for side in filter(None, sides.values()):
            if must_play_turning_point(book, side):
                text = gettext(
                    "{side} has completed all its Agendas, so a Turning Point Mission must be played.", side=side.name
                )
                yield Violation("R22", text)
        return
    state = sides[owner]
    if state is None or not may_play_turning_point(book, state):
        text = gettext("A Turning Point Mission needs 2 completed Agendas of its Story Arc.")
        yield Violation("R22", text, "turning_point")
    if owner != "blue":
        text = gettext("The owner of a Turning Point Mission must be the Blue Player. Change the colors.")
        yield Violation("R22", text, "turning_point")
    other = sides["red" if owner == "blue" else "blue"]
    if other and must_play_turning_point(book, other) and not (state and may_play_turning_point(book, state)):
        text = gettext("{other} must play its own Turning Point Mission.", other=other.name)
        yield Violation("R22", text, "turning_point")


def rank_warnings(book: Rulebook, state: RegisterState, army: Army, limits: RankLimits) -> list[str]:
    """Return ranks outside the limits. They warn and do not block; one exempted unit does not count (R18, R21)."""
    exempt = {lent.bearer for lent in army.lent if lent.asset == EXTRAORDINARY_USE}
    cards = {key: book.units[state.dossiers[key].card] for key in army.fielded if key in state.dossiers}
    cards |= {lent.key: lent.unit for lent in army.lent if lent.unit}
    ranks = {key: army_rank(book, card, army.battle_force) for key, card in cards.items()}
    counted = (rank for key, rank in ranks.items() if key not in exempt)
    return list(outside_limits(limits, Counter(ranks.values()), Counter(counted)))


def outside_limits(limits: RankLimits, there: Counter[str], counted: Counter[str]) -> Iterator[str]:
    """Yield a sentence for each limit that is broken; `counted` are the units that count against a maximum (R18)."""
    for rank in RANKS:
        least, most = limits.limits[rank]
        if there[rank] < least:
            yield gettext(
                "{limits}: at least {least} {rank} (the army has {there}).",
                limits=limits.name,
                least=least,
                rank=slots.spoken(rank),
                there=there[rank],
            )
        if counted[rank] > most:
            yield gettext(
                "{limits}: at most {most} {rank} (the army has {counted}).",
                limits=limits.name,
                most=most,
                rank=slots.spoken(rank),
                counted=counted[rank],
            )
    both = counted["commander"] + counted["operative"]
    if limits.together is not None and both > limits.together:
        yield gettext(
            "{limits}: at most {together} commanders and operatives in total (the army has {both}).",
            limits=limits.name,
            together=limits.together,
            both=both,
        )
