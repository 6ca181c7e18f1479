"""Preview a reward on a sample Register: its questions and effects, before any real Register has it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from rules.battle.report import Report
from rules.core.campaign_rules import STARTING_COMBAT_POTENTIAL, STARTING_SUPPLY_POINTS
from rules.core.card_types import Agenda, Unit
from rules.core.dice import sides
from rules.core.reward_effects import Clause
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import Value
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Context, Dialogue, Question, Roll, advance
from rules.post_battle.rewards import JoinUnit, Occasion, resolve
from rules.post_battle.setbacks import Shield, aftermath
from rules.register.building import factions_open
from rules.register.effects import Effect
from rules.register.state import Dossier, Field, RegisterState
from rules.register.upgrade_slots import shares_faction, spoken

#: The units of the sample: name, rank, XP, VR, and number of general Setbacks.
_UNITS = {
    "1": (gettext_noop("The Paragon"), "commander", 6, 1, 0),
    "2": (gettext_noop("First Squad"), "corps", 3, 0, 1),
    "3": (gettext_noop("Second Squad"), "corps", 11, 1, 2),
    "4": (gettext_noop("Scouts"), "special-forces", 4, 0, 0),
    "5": (gettext_noop("Gun Crew"), "support", 0, 0, 1),
    "6": (gettext_noop("Reserve"), "corps", 0, 0, 0),
}
PARAGON, FIRST, SECOND, SCOUTS, CREW = "1", "2", "3", "4", "5"
ASKED = 3
#: How often a random player declines.
DECLINES = 0.15


class PreviewQuestion(Value):
    """A question and its answer in words; no words for dice, since an effect shows them."""

    text: str
    answer: str


class Rehearsal(Value):
    """A reward played on the sample: questions and effects in their order, and the Register at the end."""

    before: RegisterState
    after: RegisterState
    events: tuple[PreviewQuestion | Effect, ...]


def sample_register(book: Rulebook, story_arc: str) -> RegisterState:
    """Return a commissioned Register of cheap units, of the arc's Faction if that has a commander and corps units."""
    faction = _faction(book, book.story_arcs[story_arc].intended_for)
    setbacks = [slug for slug, card in book.setbacks.items() if card.face]
    dossiers = {
        key: Dossier(
            key, card.slug, gettext(name), experience=experience, veteran_rank=rank, setbacks=tuple(setbacks[:count])
        )
        for key, (name, kind, experience, rank, count) in _UNITS.items()
        if (card := min(_recruits(book, kind, faction), key=lambda card: card.points, default=None))
    }
    return RegisterState(
        name=gettext("Sample Register"),
        faction=faction,
        commissioned=True,
        combat_potential=STARTING_COMBAT_POTENTIAL,
        supply_points=STARTING_SUPPLY_POINTS,
        story_arc=story_arc,
        dossiers=dossiers,
        paragon=PARAGON,
        next_key=len(_UNITS) + 1,
        in_field=Field("rehearsal"),
    )


def _faction(book: Rulebook, meant: str) -> str:
    """Return the Faction of the sample: the one that is meant, or else the first that can build a Register."""
    leading, serving = ({card.faction for card in _recruits(book, rank)} for rank in ("commander", "corps"))
    able = sorted(leading & serving & set(factions_open(book)))
    return meant if meant in able else able[0]


def _recruits(book: Rulebook, rank: str, faction: str = "") -> Iterator[Unit]:
    """Yield the cards of a rank that a Register, or one of a Faction, can have (R5)."""
    for card in book.units.values():
        can_join = card.rank == rank and not (card.unique or card.retired) and book.is_released(card)
        if can_join and (not faction or shares_faction(card, faction)):
            yield card


def rehearse_agenda(book: Rulebook, agenda: Agenda, seed: int) -> Rehearsal:
    """Play the reward of an Agenda that progressed once or more often, by chance."""
    random = Random(seed)  # noqa: S311 - nothing is at stake
    times = random.randint(1, max(1, len(agenda.progress)))
    report = _report(random.choice((True, False)))
    occasion = Occasion(report, "R26", agenda.name, progressions=times)
    return _play(book, agenda.story_arc, agenda.reward, occasion, random)


def rehearse_mission(book: Rulebook, story_arc: str, reward: tuple[Clause, ...], seed: int, *, won: bool) -> Rehearsal:
    """Play a reward of the Turning Point Mission; each number it asks for is 3."""
    mission = book.story_arcs[story_arc].turning_point
    report = replace(_report(won), asks=dict.fromkeys(mission.asks, ASKED))
    return _play(book, story_arc, reward, Occasion(report, "R29", mission.name), Random(seed))  # noqa: S311


def rehearse_shield(book: Rulebook, agenda: Agenda, seed: int) -> Rehearsal:
    """Play what a marked unit gains instead of becoming a casualty (R28)."""
    context = Context(book, sample_register(book, agenda.story_arc))
    shield = Shield(frozenset({SECOND}), agenda.casualty_shield)
    script = aftermath(context, [], casualties=[SECOND], shield=shield)
    return _played(context, script, Random(seed))  # noqa: S311


def _report(won: bool) -> Report:
    """Return a report: all but the reserve fought; the second squad was defeated; it and the scouts were marked."""
    return Report(
        battle="rehearsal",
        result="won" if won else "lost",
        fielded=dict.fromkeys((PARAGON, FIRST, SECOND, SCOUTS, CREW), ()),
        defeated=(SECOND,),
        marked=(SECOND, SCOUTS),
    )


def _play(book: Rulebook, story_arc: str, reward: tuple[Clause, ...], occasion: Occasion, random: Random) -> Rehearsal:
    context = Context(book, sample_register(book, story_arc))
    there = {key: () for key in occasion.report.fielded if key in context.state.dossiers}
    occasion = replace(occasion, report=replace(occasion.report, fielded=there))
    return _played(context, resolve(context, occasion, reward), random)


def _played(context: Context, script: Dialogue[None], random: Random) -> Rehearsal:
    before, events, reply = context.state, list[PreviewQuestion | Effect](), None
    while question := advance(context, script, reply):
        given = random_answer(question, random)
        reply = question.check(given)
        events += context.effects
        context.effects.clear()
        if words := answer_words(question, given, context.book):
            events.append(PreviewQuestion(question.text, words))
    return Rehearsal(before, context.state, (*events, *context.effects))


def random_answer(question: Question, random: Random) -> Any:
    """Return a random answer that the rules allow, in plain JSON values."""
    match question:
        case Roll():
            return {pool.key: random.choices(sides(pool.die), k=pool.count) for pool in question.pools}
        case Choose():
            if question.decline and random.random() < DECLINES:
                return None
            return random.choice(question.options).value
        case ChooseSeveral():
            return random.sample(list(question.bag), question.count, counts=list(question.bag.values()))
        case Confirm():
            return random.random() > DECLINES
        case JoinUnit():
            return {"card": random.choice(question.cards).value}
    raise TypeError(question)


def answer_words(question: Question, given: Any, book: Rulebook) -> str:
    """Return an answer in words; empty for dice, since an effect shows them."""
    match question:
        case Choose():
            labels: Mapping[str | None, str] = {option.value: option.label for option in question.options}
            return labels.get(given, question.decline)
        case ChooseSeveral():
            return ", ".join(spoken(value) for value in given)
        case Confirm():
            return gettext("yes") if given else gettext("no")
        case JoinUnit():
            return book.units[given["card"]].full_name
    return ""
