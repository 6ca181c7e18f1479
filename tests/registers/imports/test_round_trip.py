"""A Register that was founded by the rules, written as a list and read again, is founded with the same units."""

from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from lists.exporting import WRITERS
from lists.formats import detect
from lists.formats.parsed import LineKind
from registers.imports.form import ImportedList, Pasted
from registers.imports.judging import ListDecisions
from registers.pages.sheet import in_order, plain_register
from registers.services.importing import Joining
from rules.battle.army import Army, BattleSetup, army_points, army_violations
from rules.battle.plain_army import PlainArmy, as_plain
from rules.catalogue.loader import make_rulebook, read_catalogue
from rules.core.card_types import FACTIONS
from rules.core.violations import RuleViolation
from rules.register.building import add_unit, choose_faction, name_register, open_register
from rules.register.state import RegisterState, replay
from rules.register.upgrade_slots import shares_faction
from tests.cards import CARDS
from tests.lists.formats.strategies import INDEX
from tests.thoroughness import examples

BOOK = make_rulebook("", read_catalogue(CARDS).cards)
thoroughly = settings(
    max_examples=examples(6, 60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@cache
def joining(faction: str) -> list[str]:
    """Units that may join a Register of a Faction, commanders first."""
    cards = [card for card in BOOK.units.values() if not card.unique and shares_faction(card, faction)]
    return [card.slug for card in sorted(cards, key=lambda card: card.rank != "commander")]


@cache
def upgrades_of(unit: str) -> list[str]:
    """Upgrades for which a unit has a printed slot."""
    slots = BOOK.units[unit].upgrade_slots
    return [card.slug for card in BOOK.upgrades.values() if card.type in slots]


@st.composite
def founded(draw) -> RegisterState:
    """A Register as founding leaves it: units with what they may join with, up to its Combat Potential."""
    faction = draw(st.sampled_from(FACTIONS))
    state = replay([*open_register(), *choose_faction(BOOK, RegisterState(), faction), *name_register("Ashen Patrol")])
    for card in draw(st.lists(st.sampled_from(joining(faction)), min_size=2, max_size=12)):
        wanted = draw(st.lists(st.sampled_from(upgrades_of(card) or [""]), max_size=2, unique=True))
        for upgrades in (wanted, wanted[:1], []):
            try:
                state = replay(add_unit(BOOK, state, card, upgrades=upgrades, name="Sorne"), state)
            except RuleViolation:
                continue
            break
    assume(state.paragon)
    return state


def decided(text: str, army: PlainArmy) -> tuple[Pasted, ListDecisions]:
    """A list as it is read, with the choices and names of the player who knows what was written."""
    pasted = Pasted(text, detect.read(text, INDEX), decided=True)
    meant: dict[int, str] = {}
    names: dict[int, str] = {}
    waiting = list(army.units)
    upgrades: list[str] = []
    for place, line in enumerate(pasted.parsed.lines):
        if line.kind is LineKind.UNIT:
            unit = waiting.pop(0)
            meant[place], upgrades = unit.card, list(unit.upgrades)
            names[place] = "Sorne"
        elif line.kind is LineKind.UPGRADE:
            own = next(slug for slug in upgrades if slug == line.card or slug in line.candidates)
            upgrades.remove(own)
            meant[place] = own
    return pasted, ListDecisions(meant=meant, names=names, faction=army.faction)


@pytest.mark.parametrize("which", list(WRITERS))
@thoroughly
@given(state=founded())
def test_a_register_is_founded_anew_with_its_own_list(which: str, state: RegisterState):
    army = plain_register(state)

    form = ImportedList(BOOK, *decided(WRITERS[which].write(army, INDEX), army))

    assert (form.faction, form.undecided, form.spent) == (state.faction, [], army_points(BOOK, state, everyone(state)))
    assert [sorted_upgrades(unit) for unit in form.units()] == [
        sorted_upgrades(Joining(dossier.card, dossier.upgrades, "Sorne")) for dossier in in_order(state)
    ]


@pytest.mark.parametrize("which", list(WRITERS))
@thoroughly
@given(state=founded(), data=st.data())
def test_a_legal_army_is_read_as_it_was_written(which: str, state: RegisterState, data):
    own = sorted({*data.draw(st.sets(st.sampled_from(list(state.dossiers)))), state.paragon}, key=int)
    army = Army(fielded={key: state.dossiers[key].upgrades for key in own})
    assume(not [*army_violations(BOOK, state, army, BattleSetup(size=600))])
    plain = as_plain(BOOK, state, army, 600)

    pasted, decisions = decided(WRITERS[which].write(plain, INDEX), plain)

    lines = pasted.parsed.lines
    units = {place: decisions.card_of(place, line) for place, line in enumerate(lines) if line.kind is LineKind.UNIT}
    read = [
        (
            card,
            sorted(
                decisions.card_of(n, line)
                for n, line in enumerate(lines)
                if line.of == place and line.kind is LineKind.UPGRADE
            ),
        )
        for place, card in units.items()
    ]
    assert read == [(unit.card, sorted(unit.upgrades)) for unit in plain.units]


def everyone(state: RegisterState) -> Army:
    """All units of a Register with all their upgrades."""
    return Army(fielded={key: dossier.upgrades for key, dossier in state.dossiers.items()})


def sorted_upgrades(unit: Joining) -> Joining:
    """The unit with its upgrades in an order of their own: a link has that of the slots."""
    return Joining(unit.card, tuple(sorted(unit.upgrades)), unit.name)
