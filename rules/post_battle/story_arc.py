"""Step 10, Choose New Story Arc, and the end of the sequence (R49, R50)."""

from __future__ import annotations

from ..effects import Noted, SagaCompleted, SequenceEnded, TraitCountedDown
from ..founding import begin_story_arc, has_arcs_left
from ..language import gettext, gettext_noop
from ..report import Report
from ..script import Choose, Option, Scene, Script, happen


def choose_story_arc(scene: Scene, report: Report) -> Script[None]:
    """Who ended an arc chooses the next, the same one allowed (R49); then the sequence ends (R50).

    If it was the last that the campaign's length allows, the saga is complete instead.
    """
    ended = scene.force.arcs_ended + 1
    if report.owns_turning_point and not has_arcs_left(scene.book, ended):
        yield SagaCompleted(arcs=ended, rule="R49")
    elif report.owns_turning_point:
        slug: str = yield Choose(
            rule="R49",
            text=gettext("Choose the next Story Arc."),
            kind="story_arc",
            options=tuple(
                Option(arc.slug, arc.name, arc.briefing) for arc in scene.book.arcs_offered.values()
            ),
        )
        yield from happen(begin_story_arc(scene.book, slug))
    else:
        yield Noted(rule="R49", why=gettext_noop("the Story Arc goes on"))
    trait = scene.force.trait
    if trait and not trait.fresh:
        yield TraitCountedDown(trait=trait.slug, games_left=trait.games_left - 1, rule="R37")
    yield SequenceEnded(rule="R50")
