"""What an army may not hold, and what is only a warning (R18 to R23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from .army import (
    Army,
    BattleTerms,
    army_points,
    army_rank,
    card_format,
    may_play_turning_point,
    must_play_turning_point,
    open_agendas,
    open_battle_forces,
)
from .assets import EXTRAORDINARY_USE, asset_problems, lent_problems
from .battle_deck import deck_problems
from .building import above_potential, must_let_go
from .cards import RANKS, Unit, Upgrade
from .equipment import all_slots, bearer, fits, spoken
from .force import Force
from .language import gettext
from .refusal import Problem, refuse_any
from .rulebook import RankLimits, Rulebook


def check_army(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> None:
    """Refuse an army that breaks R19, R21 or R23, naming everything that is wrong."""
    refuse_any(army_problems(book, force, army, terms))


def army_problems(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> Iterator[Problem]:
    """Everything that makes an army illegal; empty for a legal one."""
    yield from _roster_problems(book, force, army)
    yield from _points_problems(book, force, army, terms)
    yield from copies_problems(_fielded_cards(book, force, army), "R19")
    yield from asset_problems(book, force, army, terms)
    for lent in army.lent:
        yield from lent_problems(book, force, army, lent)
    yield from _agenda_problems(book, force, army.agenda, terms)
    yield from _battle_force_problems(book, force, army.battle_force)
    if army.battle_deck:
        yield from deck_problems(book, army.battle_deck, game=card_format(terms.size), faction=force.faction)


def _roster_problems(book: Rulebook, force: Force, army: Army) -> Iterator[Problem]:
    if must_let_go(book, force):
        yield Problem("R2", gettext("{above}: let units go first.", above=above_potential(book, force)))
    if force.paragon not in army.fielded:
        yield Problem("R19", gettext("The Paragon is always among the units of an army."), force.paragon)
    for key, upgrades in army.fielded.items():
        if key not in force.dossiers:
            yield Problem("R19", gettext("This unit is not on the Register."), key)
            continue
        dossier = force.dossiers[key]
        name = dossier.name or book.units[dossier.card].name
        if Counter(upgrades) - Counter(dossier.upgrades):
            yield Problem("R19", gettext("{name} can take only upgrades of its own Dossier.", name=name), key)
        elif upgrades and not fits(
            all_slots(bearer(book, force, dossier)), [book.upgrades[slug] for slug in upgrades]
        ):
            yield Problem(
                "R8", gettext("{name} leaves behind an upgrade that gives a slot to another.", name=name), key
            )


def _points_problems(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> Iterator[Problem]:
    points, allowed = army_points(book, force, army), terms.size + terms.reinforcements
    if points > allowed:
        yield Problem(
            "R19",
            gettext("The army has {points} points; {allowed} are allowed.", points=points, allowed=allowed),
        )
        if terms.reinforcements:
            yield Problem(
                "R20",
                gettext(
                    "{reinforcements} of them are reinforcements; there are no more.",
                    reinforcements=terms.reinforcements,
                ),
            )


def copies_problems(cards: Iterable[Unit | Upgrade], rule: str) -> Iterator[Problem]:
    """Unique cards once, other limited upgrades as often as they say, over all cards of an army (R19)."""
    limits: dict[str, int] = {}
    copies: Counter[str] = Counter()
    for card in cards:
        limit = _copies_allowed(card)
        if limit:
            name = card.full_name if isinstance(card, Unit) and card.unique_by_title else card.name
            copies[name] += 1
            limits[name] = min(limit, limits.get(name, limit))
    for name, number in copies.items():
        if number > limits[name]:
            yield Problem(
                rule,
                gettext(
                    "An army holds {name} at most {limits}, not {number}.",
                    name=name,
                    limits=_times(limits[name]),
                    number=_times(number),
                ),
            )


def _fielded_cards(book: Rulebook, force: Force, army: Army) -> Iterator[Unit | Upgrade]:
    for key, upgrades in army.fielded.items():
        if key in force.dossiers:
            yield book.units[force.dossiers[key].card]
            yield from (book.upgrades[slug] for slug in upgrades if slug in book.upgrades)
    for lent in army.lent:
        if lent.unit:
            yield lent.unit
        yield from lent.upgrades


def _copies_allowed(card: Unit | Upgrade) -> int | None:
    if card.unique:
        return 1
    return card.army_limit if isinstance(card, Upgrade) else None


def _times(number: int) -> str:
    return {1: gettext("once"), 2: gettext("twice")}.get(number) or gettext("{number} times", number=number)


def _agenda_problems(book: Rulebook, force: Force, agenda: str, terms: BattleTerms) -> Iterator[Problem]:
    if not agenda:
        return
    if terms.own_turning_point:
        yield Problem("R22", gettext("The owner of a Turning Point Mission brings no Agenda."), "agenda")
    if agenda not in [item.slug for item in open_agendas(book, force)]:
        yield Problem(
            "R23", gettext("Bring an Agenda of the current Story Arc that is not completed."), "agenda"
        )


def _battle_force_problems(book: Rulebook, force: Force, battle_force: str) -> Iterator[Problem]:
    if battle_force and battle_force not in [item.slug for item in open_battle_forces(book, force.faction)]:
        yield Problem(
            "R18", gettext("Choose a battle force of the Register's own Faction, or none."), "battle_force"
        )


# --- Turning Point Missions (R22) ----------------------------------------------------------------------------


def turning_point_problems(
    book: Rulebook, blue: Force | None, red: Force | None, owner: str
) -> Iterator[Problem]:
    """Whether the Turning Point Mission of `owner` ("blue", "red" or "" for none) may be played (R22).

    A guest side is None. Two players who are both eligible choose whose it is; the owner is blue.
    """
    sides = {"blue": blue, "red": red}
    if not owner:
        for side in filter(None, sides.values()):
            if must_play_turning_point(book, side):
                yield Problem(
                    "R22",
                    gettext(
                        "{side} has completed its Agendas: a Turning Point Mission must be played.",
                        side=side.name,
                    ),
                )
        return
    force = sides[owner]
    if force is None or not may_play_turning_point(book, force):
        yield Problem(
            "R22",
            gettext("A Turning Point Mission needs 2 completed Agendas of its own Story Arc."),
            "turning_point",
        )
    if owner != "blue":
        yield Problem(
            "R22", gettext("The owner of the Turning Point Mission is the blue player."), "turning_point"
        )
    other = sides["red" if owner == "blue" else "blue"]
    if other and must_play_turning_point(book, other) and not (force and may_play_turning_point(book, force)):
        yield Problem(
            "R22",
            gettext("{other} must play its own Turning Point Mission.", other=other.name),
            "turning_point",
        )


# --- Ranks (R18) ---------------------------------------------------------------------------------------------


def rank_warnings(book: Rulebook, force: Force, army: Army, limits: RankLimits) -> list[str]:
    """Ranks outside the limits. They warn and do not block; one exempted unit does not count (R18, R21)."""
    exempt = {lent.bearer for lent in army.lent if lent.asset == EXTRAORDINARY_USE}
    cards = {key: book.units[force.dossiers[key].card] for key in army.fielded if key in force.dossiers}
    cards |= {lent.key: lent.unit for lent in army.lent if lent.unit}
    ranks = {key: army_rank(book, card, army.battle_force) for key, card in cards.items()}
    counted = (rank for key, rank in ranks.items() if key not in exempt)
    return list(outside_limits(limits, Counter(ranks.values()), Counter(counted)))


def outside_limits(limits: RankLimits, there: Counter[str], counted: Counter[str]) -> Iterator[str]:
    """A sentence for each limit that is not kept; `counted` are the units that count against a maximum (R18)."""
    for rank in RANKS:
        least, most = limits.limits[rank]
        if there[rank] < least:
            yield gettext(
                "{limits}: at least {least} {rank}, the army has {there}.",
                limits=limits.name,
                least=least,
                rank=spoken(rank),
                there=there[rank],
            )
        if counted[rank] > most:
            yield gettext(
                "{limits}: at most {most} {rank}, the army has {counted}.",
                limits=limits.name,
                most=most,
                rank=spoken(rank),
                counted=counted[rank],
            )
    both = counted["commander"] + counted["operative"]
    if limits.together is not None and both > limits.together:
        yield gettext(
            "{limits}: at most {together} commanders and operatives together, the army has {both}.",
            limits=limits.name,
            together=limits.together,
            both=both,
        )
