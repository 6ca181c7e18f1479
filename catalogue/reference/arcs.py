"""The printed Story Arcs: Agendas and Turning Point Missions, in our words and those of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.cards import Agenda, StoryArc, TurningPoint
from rules.equipment import faction_name, spoken
from rules.own_arcs import condition_words
from rules.rulebook import Rulebook
from rules.wording import reward_words

from .parts import Passage, Row, Section, Table


def section(book: Rulebook) -> Section:
    """Every printed Story Arc; its Setback, Trait and Commendation stand in the tables of steps 4 and 6."""
    arcs = (_arc(book, arc) for arc in book.story_arcs.values() if not arc.own)
    return Section("story-arcs", _("Story Arcs"), tuple(arcs))


def _arc(book: Rulebook, arc: StoryArc) -> Passage:
    rows = [
        Row(f"agenda-{agenda.slug}", (agenda.name, " ".join(_agenda(book, agenda)))) for agenda in arc.agendas
    ]
    mission = arc.turning_point
    rows.append(Row(f"mission-{mission.slug}", (mission.name, " ".join(_mission(book, mission)))))
    meant = (
        _("Meant for: %(faction)s.") % {"faction": faction_name(arc.intended_for)} if arc.intended_for else ""
    )
    text = _("%(briefing)s %(meant)s Its own cards: %(commendation)s, %(setback)s, %(trait)s.") % {
        "briefing": arc.briefing,
        "meant": meant,
        "commendation": book.commendations[arc.commendation].name,
        "setback": book.setbacks[arc.setback].name,
        "trait": book.defining_traits[arc.defining_trait].name,
    }
    table = Table((_("Agenda or mission"), _("What it asks and brings")), tuple(rows), prose=True)
    return Passage(f"arc-{arc.slug}", arc.name, text, table=table, on_sheet=False)


def _agenda(book: Rulebook, agenda: Agenda) -> Iterator[str]:
    yield agenda.tally
    steps = "; ".join(condition_words(condition) for condition in agenda.progress)
    yield _("Progresses if: %(steps)s.") % {"steps": steps}
    yield ngettext(
        "%(number)s progression completes it.",
        "%(number)s progressions complete it.",
        agenda.progressions_to_complete,
    ) % {"number": agenda.progressions_to_complete}
    yield _("Reward: %(reward)s.") % {"reward": reward_words(book, agenda.reward)}


def _mission(book: Rulebook, mission: TurningPoint) -> Iterator[str]:
    yield _("Turning Point Mission.")
    yield from (mission.setup, mission.scoring, mission.secondary)
    for side, advantage in mission.advantages.items():
        yield _("Advantage of %(side)s: %(advantage)s") % {"side": spoken(side), "advantage": advantage}
    yield _("Victory: %(reward)s.") % {"reward": reward_words(book, mission.victory)}
    yield _("Defeat: %(reward)s.") % {"reward": reward_words(book, mission.defeat)}
