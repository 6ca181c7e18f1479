"""Step 10, Choose New Story Arc, and the end of the sequence (R49, R50)."""

from rules.battle.report import Report
from rules.core.translation import gettext, gettext_noop
from rules.post_battle.dialogue import Choose, Context, Dialogue, Option
from rules.register.building import begin_story_arc, has_arcs_left
from rules.register.effects import Noted, SagaCompleted, SequenceEnded, TraitCountedDown


def choose_story_arc(context: Context, report: Report) -> Dialogue[None]:
    """Let a side that ended an arc choose the next, unless its saga is complete (R49); then end the sequence (R50)."""
    ended = context.state.arcs_ended + 1
    if report.owns_turning_point and not has_arcs_left(context.book, ended):
        yield SagaCompleted(arcs=ended, rule="R49")
    elif report.owns_turning_point:
        arcs = context.book.arcs_offered.values()
        slug: str = yield Choose(
            rule="R49",
            text=gettext("Choose the next Story Arc."),
            kind="story_arc",
            options=tuple(Option(arc.slug, arc.name, arc.briefing) for arc in arcs),
        )
        yield from begin_story_arc(context.book, slug)
    else:
        yield Noted(rule="R49", why=gettext_noop("its Turning Point was not played, so the Story Arc continues"))
    trait = context.state.trait
    if trait and not trait.fresh:
        yield TraitCountedDown(trait=trait.slug, games_left=trait.games_left - 1, rule="R37")
    yield SequenceEnded(rule="R50")
