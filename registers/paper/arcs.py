"""Cards for a Story Arc, its Agendas and its Turning Point Mission, in our words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from rules.cards import Agenda, Marks, StoryArc, TurningPoint
from rules.clauses import Clause
from rules.own_arcs import Line, condition_words, outline
from rules.rulebook import Rulebook

from .contents import agenda_boxes
from .fitting import Card
from .setting import Block, Caption, Text, Title


def arc_cards(book: Rulebook, arc: StoryArc) -> list[Card]:
    """The cards of a Story Arc: itself, its Agendas, its Turning Point Mission."""
    return [
        _arc_card(book, arc),
        *(agenda_card(book, arc, agenda) for agenda in arc.agendas),
        mission_card(book, arc.turning_point, arc),
    ]


def agenda_card(book: Rulebook, arc: StoryArc, agenda: Agenda) -> Card:
    """An Agenda: what counts, when it progresses, and what that brings."""
    total = agenda.progressions_to_complete
    return Card(
        head=(Title(agenda.name), Text(_("Agenda · %(arc)s") % {"arc": arc.name})),
        body=(*what_counts(agenda), *what_it_brings(book, agenda)),
        foot=tuple(agenda_boxes(_("Progression"), 0, total)),
    )


def what_counts(agenda: Agenda) -> Iterator[Block]:
    """What a player looks at during the battle: who is marked, what is counted, and when the Agenda progresses."""
    if agenda.note:
        yield Text(agenda.note)
    if agenda.marks:
        yield Text(_marks(agenda.marks), _("Marked."))
    yield Text(agenda.tally)
    yield Caption(_("Progresses once for each that is so"))
    for number, condition in enumerate(agenda.progress, start=1):
        yield Text(_sentence(condition_words(condition)), f"{number}.")


def what_it_brings(book: Rulebook, agenda: Agenda) -> Iterator[Block]:
    """What a player gains when an Agenda has progressed."""
    yield from _reward(book, _("When it progresses"), agenda.reward)
    yield from _reward(book, _("A marked unit, instead of being a casualty"), agenda.casualty_shield)


def mission_card(book: Rulebook, mission: TurningPoint, arc: StoryArc) -> Card:
    """A Turning Point Mission."""
    sides = {"blue": _("Blue player."), "red": _("Red player.")}
    return Card(
        head=(Title(mission.name), Text(_("Turning Point Mission · %(arc)s") % {"arc": arc.name})),
        body=(
            Text(mission.setup, _("Setup.")),
            Text(mission.scoring, _("Scoring.")),
            Text(mission.secondary, _("Secondary.")),
            Caption(_("Advantages")),
            *(Text(mission.advantages.get(side, ""), lead) for side, lead in sides.items()),
            *(block for entry in mission.end_of_game for block in _reward(
                book, _("At the end, if %(condition)s") % {"condition": condition_words(entry.when)}, entry.reward
            )),
            *_reward(book, _("The owner gains when it wins"), mission.victory),
            *_reward(book, _("The owner gains when it does not win"), mission.defeat),
        ),
    )  # fmt: skip


def _arc_card(book: Rulebook, arc: StoryArc) -> Card:
    honour, setback = book.commendations[arc.commendation], book.setbacks[arc.setback]
    trait = book.defining_traits[arc.defining_trait]
    cards = (
        (_("Commendation"), honour.name, honour.effect),
        (_("Setback"), setback.name, setback.effect),
        (_("Defining Trait"), trait.name, trait.effect),
    )
    return Card(
        head=(Title(arc.name), Text(_("Story Arc"))),
        body=(
            Text(arc.briefing),
            *(
                block
                for caption, name, effect in cards
                for block in (Caption(caption), Text(effect, f"{name}."))
            ),
            Caption(_("Agendas")),
            *(Text(agenda.name) for agenda in arc.agendas),
            Caption(_("Turning Point Mission")),
            Text(arc.turning_point.name),
        ),
    )


def _marks(marks: Marks) -> str:
    among = {
        "non_paragon": _("units other than the Paragon"),
        "undefeated": _("units that were not defeated"),
    }.get(marks.source, _("units that take part"))
    count = _("any number") if marks.count is None else str(marks.count)
    return _sentence(
        _("%(count)s of the %(among)s (%(who)s)") % {"count": count, "among": among, "who": marks.who}
    )


def _reward(book: Rulebook, caption: str, clauses: Sequence[Clause]) -> list[Block]:
    """A reward line by line under a caption, what is inside a clause set in; nothing where it brings nothing."""
    lines = list(_told(outline(book, tuple(clauses)), 0))
    return [Caption(caption), *lines] if lines else []


def _told(lines: Iterable[Line], depth: int, lead: str = "") -> Iterator[Block]:
    """Clauses line by line; a single simple one stands in the line of what it is inside of."""
    for line in lines:
        text, branches = _sentence(line.text), line.branches
        if len(branches) == 1 and not branches[0].label and _is_simple(branches[0].lines):
            text, branches = f"{text} {_sentence(branches[0].lines[0].text)}", ()
        yield Text(text, lead, depth=depth)
        for branch in branches:
            label = f"{branch.label}:" if branch.label else ""
            if label and not branch.lines:
                yield Text(_("nothing"), label, depth=depth + 1)
            elif label and not _is_simple(branch.lines):
                yield Text("", label, depth=depth + 1)
                yield from _told(branch.lines, depth + 2)
            else:
                yield from _told(branch.lines, depth + 1, label)


def _is_simple(lines: Sequence[Line]) -> bool:
    return len(lines) == 1 and not lines[0].branches


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith((':', '.', '”')) else '.'}"
