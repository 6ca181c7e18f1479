"""The Story Arcs that come with Musterbook: everything in them is played."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bench.simulation import Supply, battle, found
from rules.arcs.custom_arcs import book_with
from rules.core.reward_effects import Clause, walk
from rules.core.rulebook import Rulebook
from rules.post_battle import rewards
from rules.register.effects import AgendaProgressed, CommendationAwarded, SetbackGained, StoryArcBegun, TraitGained
from tests.rules.arcs.arcs import SHIPPED

CAMPAIGNS, BATTLES = 20, 14


@pytest.mark.parametrize("slug", SHIPPED)
def test_campaigns_on_this_arc_alone_use_all_of_it(book: Rulebook, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every clause of every reward is resolved; its Setback, Trait and Commendation are gained; it is ended."""
    own = book_with(book, SHIPPED[slug], slug)
    closed = {other: replace(arc, own=True) for other, arc in book.story_arcs.items()}
    own = replace(own, story_arcs={**closed, slug: own.story_arcs[slug]}, adopted_arcs=frozenset())
    used: set[int] = set()
    for kind, resolved in rewards._RESOLVE.items():

        def noted(at, clause, resolved=resolved):  # type: ignore[no-untyped-def]
            used.add(id(clause))
            return resolved(at, clause)

        monkeypatch.setitem(rewards._RESOLVE, kind, noted)  # type: ignore[arg-type]
    arc, supply, counts = own.story_arcs[slug], Supply(own), Counter[str]()
    wanted = {*(agenda.slug for agenda in arc.agendas), arc.setback, arc.defining_trait, arc.commendation, slug}
    for campaign in range(CAMPAIGNS):
        random = Random(f"{slug}:{campaign}")
        states = [found(supply, random, name).state for name in ("First", "Second")]
        for number in range(BATTLES):
            sides = battle(states[0], states[1], f"b{number}", supply, random)
            states = sorted((side.context.state for side in sides), key=lambda state: state.name)
            for side in sides:
                counts.update(_met(side.context.effects, own))
        unused = [clause for clause in _clauses_of(own, slug) if id(clause) not in used]
        if not unused and wanted <= counts.keys():
            break
    assert (unused, wanted - counts.keys()) == ([], set())


def _met(effects: object, book: Rulebook) -> list[str]:
    found = []
    for effect in effects:  # type: ignore[attr-defined]
        match effect:
            case AgendaProgressed(agenda=slug) | SetbackGained(setback=slug) | TraitGained(trait=slug):
                found.append(slug)
            case CommendationAwarded(commendation=slug) | StoryArcBegun(story_arc=slug):
                found.append(slug)
    return found


def _clauses_of(book: Rulebook, slug: str) -> list[Clause]:
    arc = book.story_arcs[slug]
    mission = arc.turning_point
    all_of_them = [*(agenda.reward for agenda in arc.agendas), mission.victory, mission.defeat]
    all_of_them += [entry.reward for entry in mission.end_of_game]
    return [clause for reward in all_of_them for clause in walk(reward)]
