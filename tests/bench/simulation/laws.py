"""What is true of every Register, whatever happened to it."""

import json
from collections import Counter

from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Context
from rules.register.building import combat_potential_left, must_add_corps
from rules.register.effects import (
    AgendaProgressed,
    CommendationAwarded,
    Effect,
    UnitAdded,
    UpgradeAdded,
    VeteranRankReached,
    from_data,
    to_data,
)
from rules.register.state import Dossier, RegisterState, apply, replay
from rules.register.veterans import HIGHEST, THRESHOLDS, experience_cap, maximum_veteran_rank, veteran_rank


def check_register(book: Rulebook, state: RegisterState) -> None:
    """What is true of a Register at any moment."""
    assert state.supply_points >= 0
    assert state.paragon in state.dossiers
    assert state.command_cards_owed >= 0
    assert len(set(state.command_cards)) == len(state.command_cards)
    assert all(count <= book.assets[slug].per_sequence for slug, count in Counter(state.assets).items())
    assert all(count <= book.agendas[slug].progressions_to_complete for slug, count in state.agendas.items())
    assert all(book.agendas[slug].story_arc == state.story_arc for slug in state.agendas)
    assert not set(state.dossiers) & {*state.fallen, *state.reassigned}
    assert state.trait is None or state.trait.games_left in (1, 2)
    requests = [(count, book.aid_requests[slug]) for slug, count in state.requests.items() if slug in book.aid_requests]
    assert all(count == 1 or request.repeatable for count, request in requests)
    for dossier in state.dossiers.values():
        check_dossier(book, dossier)


def check_dossier(book: Rulebook, dossier: Dossier) -> None:
    whole, maximum = book.house.last_gain == "whole", maximum_veteran_rank(book, dossier)
    assert dossier.experience <= (THRESHOLDS[HIGHEST] if whole else experience_cap(book, dossier))
    assert dossier.veteran_rank <= veteran_rank(dossier.experience) <= (5 if whole else maximum)
    assert dossier.veteran_rank <= maximum <= 5
    assert dossier.owed >= 0
    assert len(set(dossier.commendations)) == len(dossier.commendations)
    assert len(set(dossier.upgrades)) == len(dossier.upgrades)
    high = sum(book.commendations[slug].high for slug in dossier.commendations)
    assert high <= (2 if "Lauded" in dossier.keywords else 1)
    for slug, count in Counter(dossier.setbacks).items():
        assert count == 1 or book.setbacks[slug].second == "stacks"


def check_step(book: Rulebook, before: RegisterState, effect: Effect, after: RegisterState) -> None:
    """What is true of a single effect."""
    assert from_data(json.loads(json.dumps(to_data(effect)))) == effect
    for key, dossier in after.dossiers.items():
        assert dossier.veteran_rank >= before.dossiers.get(key, dossier).veteran_rank
    if isinstance(effect, UnitAdded | UpgradeAdded) and effect.rule != "R29":
        assert combat_potential_left(book, after) >= 0
    if isinstance(effect, VeteranRankReached):
        assert after.dossiers[effect.unit].veteran_rank == before.dossiers[effect.unit].veteran_rank + 1
    if isinstance(effect, CommendationAwarded):
        assert before.dossiers[effect.unit].owed > 0
    if isinstance(effect, AgendaProgressed):
        assert after.agendas[effect.agenda] <= book.agendas[effect.agenda].progressions_to_complete


def check_barracks(book: Rulebook, state: RegisterState) -> None:
    """What is true of a Register once a sequence, or its founding, is over."""
    assert state.in_field is None
    assert state.requests == {}
    assert state.command_cards_owed == 0
    assert not any(dossier.owed for dossier in state.dossiers.values())
    assert all(dossier.veteran_rank == veteran_rank(dossier.experience) for dossier in state.dossiers.values())
    assert all(dossier.name for dossier in state.dossiers.values() if dossier.veteran_rank)
    assert not must_add_corps(book, state)


def assert_adds_up(book: Rulebook, start: RegisterState, context: Context) -> None:
    """Every effect of a scene, one after the other, adds up to its Register."""
    state = start
    for effect in context.effects:
        before, state = state, apply(state, effect)
        check_step(book, before, effect, state)
        if state.paragon:
            check_register(book, state)
    assert state == context.state == replay(context.effects, start)
    check_barracks(book, state)
