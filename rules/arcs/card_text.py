"""The text of Story Arc, Agenda and Turning Point cards: sentences made from conditions and reward effects.

A reward is first turned into main clauses ("choose 1 unit"), each with the sentences that follow it ("It gains 1 XP.").
A clause can stand alone, join another with "and", or follow a condition ("If you won, choose 1 unit. It gains 1 XP.").
Where one sentence would be unclear, the clauses become a list.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from rules.core import reward_effects as c
from rules.core.card_types import Agenda, Marks
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, ngettext, sentences_of
from rules.core.values import Value
from rules.register.upgrade_slots import spoken


class Paragraph(Value):
    """Complete sentences. With `items`, the text ends with a colon, and the items complete it."""

    text: str
    items: "tuple[Paragraph, ...]" = ()


def reward_text(
    book: Rulebook, reward: Sequence[c.Clause], *, asks: Mapping[str, str] | None = None, marks: Marks | None = None
) -> tuple[Paragraph, ...]:
    """Return a reward as paragraphs, in the order in which its effects are resolved. `asks` are the questions of the
    Turning Point Mission by the names of their numbers; `marks` says how many units the Agenda marks.
    """
    clauses = _clauses(_scope(book, asks, marks), reward)
    clauses = [clause for clause in clauses if clause != _nothing()] or clauses[:1]
    paragraphs: list[Paragraph] = []
    waiting: list[_Clause] = []
    for clause in clauses:
        waiting.append(clause)
        if not (clause.joinable and clause.short):
            paragraphs += [_paragraph(_joined(waiting[:-1]))] if waiting[:-1] else []
            paragraphs.append(_paragraph(clause))
            waiting = []
    return (*paragraphs, *([_paragraph(_joined(waiting))] if waiting else ()))


def effect_text(book: Rulebook, effect: c.Clause) -> str:
    """Return one effect without nested ones as a sentence; the current unit is "it" ("It gains 2 XP.")."""
    unit = _Unit(gettext("your Paragon")) if isinstance(effect, c.GainTrait) else _Unit(gettext("it"))
    return _paragraph(_joined(_clauses(replace(_scope(book), unit=unit), (effect,)))).text


def end_of_game_text(book: Rulebook, entry: c.EndOfGame, *, asks: Mapping[str, str] | None = None) -> Paragraph:
    """Return an `end_of_game` entry of a Turning Point Mission: "If you won, gain 2 SP."."""
    reward = _joined(_clauses(_scope(book, asks), entry.reward))
    return _paragraph(_under(gettext("if {condition}, {reward}"), reward, condition=condition_text(entry.when)))


def shield_text(book: Rulebook, instead: Sequence[c.Clause]) -> Paragraph:
    """Return what a marked unit gains instead of becoming a casualty (R28)."""
    scope = replace(_scope(book), unit=_Unit(gettext("a marked unit")))
    reward = _joined(_clauses(scope, instead))
    return _paragraph(_under(gettext("instead of becoming a casualty, {reward}"), reward))


def progress_text(agenda: Agenda) -> tuple[str, ...]:
    """Return when an Agenda progresses, a sentence for each condition. A later one needs all earlier ones (R25)."""
    patterns = (
        gettext("If {condition}, this Agenda progresses."),
        gettext("Then, if {condition}, it progresses again."),
    )
    return tuple(
        patterns[min(number, 1)].format(condition=condition_text(condition))
        for number, condition in enumerate(agenda.progress)
    )


def marks_text(marks: Marks) -> str:
    """Return which units are marked, and by whom if it is not only the player: "Mark 1 unit from your army."."""
    units = (
        gettext(_SENTENCES["any_number"][marks.source]) if marks.count is None else _units(marks.source, marks.count)
    )
    if marks.who == "you":
        return gettext("Mark {units}.", units=units)
    return gettext("Mark {units} ({who}).", units=units, who=marks.who)


def condition_text(condition: c.Condition) -> str:
    """Return a condition in words that follow "if"."""
    match condition:
        case c.TokensAtLeast(count):
            return gettext("you have {count} or more tokens", count=count)
        case c.SecondaryVpAtLeast(count):
            return gettext("you scored {count} or more VP from secondary objectives", count=count)
        case c.SecondaryVpMoreThanOpponent():
            return gettext("you scored more VP from secondary objectives than your opponent")
        case c.MarkedUndefeatedAtLeast(count):
            return ngettext(
                "{number} or more marked units were not defeated",
                "{number} or more marked units were not defeated",
                count,
            )
        case c.NoMarkedUnitDefeated():
            return gettext(_SENTENCES["conditions"]["no_marked_unit_defeated"])
        case c.Won():
            return gettext(_SENTENCES["conditions"]["won"])
        case c.Lost():
            return gettext(_SENTENCES["conditions"]["lost"])
        case c.Confirmed(text):
            return _confirmed(text)
    return _both([condition_text(part) for part in condition.parts])


def when_text(word: str, keyword: str = "", *, unit: str = "") -> str:
    """Return the condition of a `when` effect in words that follow "if"; `unit` names the current unit."""
    unit = unit or gettext("the unit")
    if word == "has_keyword":
        return gettext("{unit} has {keyword}", unit=unit, keyword=keyword)
    return gettext(_SENTENCES["conditions"][word], unit=unit)


def units_text(effect: c.ChooseUnits, *, repeats: bool = False) -> str:
    """Return the units of a choice: "up to 3 units"; in an effect that `repeats`, "a different unit"."""
    if effect.distinct and repeats and effect.count == 1:
        return gettext(_SENTENCES["another"][effect.source])
    units = _units(effect.source, effect.count)
    if effect.optional and effect.count > 1:
        units = gettext("up to {units}", units=units)
    return gettext("{units} that you have not chosen yet", units=units) if effect.distinct else units


def faces_text(count: int | str, faces: Sequence[str]) -> str:
    """Return the faces of a roll of `count` dice in words: "for each surge or blank", "on a hit" for 1 die."""
    pattern = gettext("on a {faces}") if count == 1 else gettext("for each {faces}")
    return pattern.format(faces=_or([spoken(face) for face in faces]))


def roll_text(die: str, count: int | str) -> str:
    """Return the roll of an effect: "roll 2 red defense dice"."""
    words = spoken(die)
    if isinstance(count, int):
        return ngettext("roll {number} {die} die", "roll {number} {die} dice", count, die=words)
    if count == c.PROGRESSIONS:
        return gettext("roll 1 {die} die for each progression", die=words)
    return gettext("roll that many {die} dice", die=words)


def draw_text(count: int | str) -> str:
    """Return the draw of an effect: "draw 2 order tokens at random"."""
    if isinstance(count, int):
        return ngettext("draw {number} order token at random", "draw {number} order tokens at random", count)
    if count == c.PROGRESSIONS:
        return gettext("draw 1 order token at random for each progression")
    return gettext("draw that many order tokens at random")


def number_text(count: int | str, asks: Mapping[str, str]) -> str:
    """Return the question for a reported number, without what it adds in brackets; empty for any other number."""
    if isinstance(count, int) or count == c.PROGRESSIONS:
        return ""
    question = re.sub(r"\s*\([^()]*\)$", "", asks.get(count, "").strip())
    return question or _capitalized(spoken(count))


_SENTENCES = sentences_of(__file__)
_HAS_SETBACKS, _HAD_NONE = "unit_has_setbacks", "unit_had_no_setbacks"
#: Each condition with its opposite: one of the two always holds.
_OPPOSITES = {(_HAS_SETBACKS, _HAD_NONE), (_HAD_NONE, _HAS_SETBACKS)}
#: First words of a statement that have a small letter after "if"; other first words may be names.
_SMALL_WORDS = frozenset((
    "a", "all", "an", "another", "any", "at", "both", "each", "enemy", "every", "exactly", "fewer", "he", "if",
    "in", "it", "its", "more", "most", "neither", "no", "none", "on", "one", "only", "our", "she", "some",
    "that", "the", "their", "these", "they", "this", "those", "three", "two", "we", "when", "you", "your",
))  # fmt: skip


def _units(source: str, count: int) -> str:
    match source:
        case "fielded":
            return ngettext("{number} unit from your army", "{number} units from your army", count)
        case "defeated":
            return ngettext("{number} defeated unit", "{number} defeated units", count)
        case "undefeated":
            return ngettext(
                "{number} undefeated unit from your army", "{number} undefeated units from your army", count
            )
        case "non_paragon":
            return ngettext("{number} unit other than your Paragon", "{number} units other than your Paragon", count)
    return ngettext("{number} unit", "{number} units", count)


def _confirmed(text: str) -> str:
    """Return a statement as it follows "if". Anything but a single statement is quoted."""
    statement = text.strip()
    if re.search(r"[.!?:;]\s|[!?]$", statement):
        return gettext("you confirm “{text}”", text=statement)
    statement = statement.removesuffix(".")
    first = statement.partition(" ")[0]
    if first.lower() in _SMALL_WORDS:
        return f"{first[:1].lower()}{statement[1:]}"
    return statement


@dataclass(slots=True)
class _Unit:
    """The unit that effects concern: its name where it is first mentioned, and after that "it"."""

    first: str
    mentioned: bool = False

    def name(self) -> str:
        """Return the name for the next mention."""
        name = gettext("it") if self.mentioned else self.first
        self.mentioned = True
        return name

    def obscure(self, *, name: str = "") -> None:
        """Say that another unit has been mentioned, so that "it" would be unclear. `name` replaces the first one."""
        self.first, self.mentioned = name or self.first, False


class _Scope(Value):
    """What surrounds an effect: the current unit, whether it repeats, and whether the player may leave it."""

    book: Rulebook
    asks: Mapping[str, str] = field(default_factory=dict)
    one_mark: bool = False
    unit: _Unit | None = None
    is_paragon: bool = False
    repeats: bool = False
    optional: bool = False
    has_setbacks: bool = False
    paragon_mentioned: bool = False


class _Clause(Value):
    """A main clause without capital and full stop, and the sentences and items that follow it. `imperative`: it tells
    the player what to do, so "you may" can precede it. `joinable`: "and" can follow it. `about_unit`: it is about the
    current unit. `occasion`: it begins with one ("if you won, …"). `question`: a sentence that must precede it.
    """

    lead: str
    follow: tuple[str, ...] = ()
    items: tuple[Paragraph, ...] = ()
    imperative: bool = False
    joinable: bool = True
    about_unit: bool = False
    occasion: bool = False
    question: str = ""

    @property
    def short(self) -> bool:
        """Whether it is nothing but the main clause."""
        return not (self.follow or self.items or self.question)


def _scope(book: Rulebook, asks: Mapping[str, str] | None = None, marks: Marks | None = None) -> _Scope:
    return _Scope(book, asks or {}, one_mark=marks is not None and marks.count == 1)


def _clauses(scope: _Scope, reward: Sequence[c.Clause]) -> list[_Clause]:
    """Return the main clauses of a reward. What the current unit gains and loses in a row is one clause."""
    if not scope.unit and any(isinstance(effect, _ON_THE_UNIT) for effect in reward):
        # No unit was chosen. A custom arc cannot be published so, but its draft is shown.
        scope = replace(scope, unit=_Unit(gettext("the unit")))
    clauses: list[_Clause] = []
    rest = list(reward)
    while rest:
        if scope.unit and (run := _run(scope, rest)):
            lead = gettext("{unit} {deed}", unit=scope.unit.name(), deed=_deeds(scope, rest[:run]))
            joinable = all(_thing(scope, effect) for effect in rest[:run])
            clauses.append(_Clause(lead, joinable=joinable, about_unit=True))
            rest = rest[run:]
        elif otherwise := _otherwise(scope, rest):
            clauses.append(otherwise)
            rest = rest[2:]
        else:
            clauses.append(_clause(scope, rest[0]))
            if scope.unit and any(isinstance(effect, _OTHER_UNITS) for effect in c.walk((rest[0],))):
                scope.unit.obscure(name="" if scope.is_paragon else gettext("that unit"))
            rest = rest[1:]
    return clauses


_ON_THE_UNIT = (
    c.GainExperience, c.RemoveSetbacks, c.GainSetback, c.GainKeyword, c.LoseKeyword, c.AwardCommendation, c.GainUpgrade,
)  # fmt: skip
#: Effects that may mention another unit, so that "it" would be unclear after them.
_OTHER_UNITS = (
    c.ChooseUnits, c.DrawOrderTokens, c.MarkedUnits, c.Paragon, c.GainTrait, c.AddUnit, c.RollDice, c.ChooseOne, c.May,
    c.When, c.PerProgression,
)  # fmt: skip


def _run(scope: _Scope, reward: Sequence[c.Clause]) -> int:
    """Return how many effects at the beginning can be said in one go: "gains 1 XP and may lose 1 Setback"."""
    number = 0
    for effect in reward:
        if _thing(scope, effect):
            number += 1
            if isinstance(effect, c.When):
                break
            continue
        deed = _choice_deed(scope, effect)
        if deed and (number == 0 or isinstance(effect, c.May) or _is_optional(effect)):
            number += 1
        break
    return number


def _deeds(scope: _Scope, effects: Sequence[c.Clause]) -> str:
    """Return what the current unit does, for effects of a `_run`."""
    plain = [effect for effect in effects if _thing(scope, effect)]
    deeds = _plain_deeds(scope, plain, after_may=False)
    if len(plain) < len(effects):
        deeds.append(_choice_deed(scope, effects[-1]))
    return _and(deeds)


def _plain_deeds(scope: _Scope, effects: Sequence[c.Clause], *, after_may: bool) -> list[str]:
    """Return "gains …" and "loses …" (`after_may`: "gain …" and "lose …"), with things in a row together."""
    groups: list[tuple[str, list[str]]] = []
    for effect in effects:
        verb, thing = _thing(scope, effect) or ("", "")
        if groups and groups[-1][0] == verb:
            groups[-1][1].append(thing)
        else:
            groups.append((verb, [thing]))
    return [_deed(verb, _and(things), after_may=after_may) for verb, things in groups]


def _deed(verb: str, things: str, *, after_may: bool) -> str:
    if verb == "gain":
        return gettext("gain {things}", things=things) if after_may else gettext("gains {things}", things=things)
    return gettext("lose {things}", things=things) if after_may else gettext("loses {things}", things=things)


def _thing(scope: _Scope, effect: c.Clause) -> tuple[str, str] | None:
    """Return what the current unit gains or loses; None for an effect of another kind."""
    match effect:
        case c.GainExperience(amount):
            return "gain", gettext("{amount} XP", amount=amount)
        case c.RemoveSetbacks(None):
            return "lose", gettext("all of them") if scope.has_setbacks else gettext("all its Setbacks")
        case c.RemoveSetbacks(int(count)):
            return "lose", ngettext("{number} Setback", "{number} Setbacks", count)
        case c.GainSetback():
            return "gain", gettext("1 Setback")
        case c.AwardCommendation():
            return "gain", gettext("1 additional Commendation")
        case c.GainTrait(trait) if scope.is_paragon:
            return "gain", _trait(scope, trait)
        case c.GainUpgrade(types):
            return "gain", _upgrade(types)
    return _keyword(effect)


def _keyword(effect: c.Clause) -> tuple[str, str] | None:
    match effect:
        case c.GainKeyword(keyword):
            return "gain", keyword
        case c.LoseKeyword(keyword):
            return "lose", keyword
        case c.When("has_keyword", (c.LoseKeyword(lost),), keyword) if lost == keyword:
            return "lose", gettext("{keyword} if it has it", keyword=keyword)
    return None


def _upgrade(types: Sequence[str]) -> str:
    if not types:
        return gettext("1 upgrade that it can equip")
    return gettext("1 {types} upgrade that it can equip", types=_or([spoken(kind) for kind in types]))


def _trait(scope: _Scope, slug: str) -> str:
    return gettext("the Defining Trait {trait}", trait=scope.book.defining_traits[slug].name)


def _choice_deed(scope: _Scope, effect: c.Clause) -> str:
    """Return "may gain 1 XP" or "gains 1 XP or loses 1 Setback"; empty if it cannot be said so."""
    if isinstance(effect, c.May):
        inner = _bare(scope, effect.then)
        return gettext("may {deed}", deed=inner) if inner else ""
    if isinstance(effect, c.ChooseOne):
        options = [option for option in effect.options if option]
        if not options or not all(len(option) == 1 and _thing(scope, option[0]) for option in options):
            return ""
        if _is_optional(effect):
            return gettext("may {deed}", deed=_or_deeds(scope, options, after_may=True))
        return _or_deeds(scope, options, after_may=False)
    return ""


def _or_deeds(scope: _Scope, options: Sequence[Sequence[c.Clause]], *, after_may: bool) -> str:
    """Return options of one effect each: "gains 1 XP or loses 1 Setback"; "gains Compel or Strategize 1"."""
    things = [thing for option in options for effect in option if (thing := _thing(scope, effect))]
    if len({verb for verb, _ in things}) > 1:
        return _or([_plain_deeds(scope, option, after_may=after_may)[0] for option in options])
    return _deed(things[0][0], _or([thing for _, thing in things]), after_may=after_may)


def _bare(scope: _Scope, reward: Sequence[c.Clause]) -> str:
    """Return what the current unit may do: "gain 1 XP and lose 1 Setback"; empty if it cannot be said so."""
    if reward and all(_thing(scope, effect) for effect in reward):
        return _and(_plain_deeds(scope, reward, after_may=True))
    if len(reward) == 1 and isinstance(reward[0], c.ChooseOne):
        options = [option for option in reward[0].options if option]
        if options and all(len(option) == 1 and _thing(scope, option[0]) for option in options):
            return _or_deeds(scope, options, after_may=True)
    return ""


def _is_optional(effect: c.Clause) -> bool:
    return isinstance(effect, c.ChooseOne) and not all(effect.options)


def _otherwise(scope: _Scope, reward: Sequence[c.Clause]) -> _Clause | None:
    """Return two opposite conditions as "If …, …. Otherwise, …"; None if the reward does not begin with such two."""
    if len(reward) < 2 or not isinstance(one := reward[0], c.When) or not isinstance(other := reward[1], c.When):
        return None
    # Mentioning the unit of a copy does not change what the scope's own is called.
    copied = replace(scope, unit=replace(scope.unit)) if scope.unit else scope
    if (one.word, other.word) not in _OPPOSITES or not other.then or not _when(copied, one).short:
        return None
    first = _when(scope, one)
    second = _joined(_clauses(replace(scope, has_setbacks=other.word == _HAS_SETBACKS), other.then))
    second = _under(gettext("otherwise, {reward}"), second)
    return replace(first, follow=(second.lead, *second.follow), items=second.items)


def _clause(scope: _Scope, effect: c.Clause) -> _Clause:
    return _CLAUSES[type(effect)](scope, effect)


def _add_unit(scope: _Scope, effect: c.AddUnit) -> _Clause:
    unit = _or(effect.one_of)
    lead = gettext("add 1 {unit} to your Register, even above its Combat Potential", unit=unit)
    return _Clause(lead, imperative=True, joinable=False)


def _paragon(scope: _Scope, effect: c.Paragon) -> _Clause:
    name = gettext("it") if scope.paragon_mentioned and not scope.unit else gettext("your Paragon")
    inside = replace(scope, unit=_Unit(name), is_paragon=True, has_setbacks=False)
    return replace(_joined(_clauses(inside, effect.then)), about_unit=False)


def _choose_units(scope: _Scope, effect: c.ChooseUnits) -> _Clause:
    units = units_text(effect, repeats=scope.repeats)
    may = effect.optional and not scope.optional
    lead = (gettext("you may choose {units}") if may else gettext("choose {units}")).format(units=units)
    first = gettext("that unit") if scope.unit else gettext("it")
    inside = replace(scope, optional=False, is_paragon=False, has_setbacks=False, paragon_mentioned=False)
    if effect.count > 1:
        follow, items = _of_each(inside, effect.each)
    else:
        follow, items = _of_one(replace(inside, unit=_Unit(first)), effect.each, optional=effect.optional)
    return _Clause(lead, follow, items, imperative=not may)


def _of_each(scope: _Scope, each: Sequence[c.Clause]) -> tuple[tuple[str, ...], tuple[Paragraph, ...]]:
    """Return sentences on each of several units."""
    if not each:
        return (), ()
    scope = replace(scope, repeats=True)
    alone = _clauses(replace(scope, unit=_Unit(gettext("each"))), each)
    if len(alone) == 1 and _run(replace(scope, unit=_Unit("")), each) == len(each):
        return (alone[0].lead,), ()
    whole = _joined(_clauses(replace(scope, unit=_Unit(gettext("it"))), each))
    whole = _under(gettext("for each of them, {reward}"), whole)
    return (whole.lead, *whole.follow), whole.items


def _of_one(
    scope: _Scope, each: Sequence[c.Clause], *, optional: bool = False
) -> tuple[tuple[str, ...], tuple[Paragraph, ...]]:
    """Return sentences on one unit that has been chosen."""
    if not each:
        return (), ()
    clauses = _clauses(scope, each)
    if all(clause.about_unit for clause in clauses) and not any(clause.items for clause in clauses[:-1]):
        return tuple(one for clause in clauses for one in (clause.lead, *clause.follow)), clauses[-1].items
    whole = _joined(clauses)
    if not clauses[0].about_unit:
        whole = _under(gettext("if you do, {reward}") if optional else gettext("then {reward}"), whole)
    return (whole.lead, *whole.follow), whole.items


def _choose_one(scope: _Scope, effect: c.ChooseOne) -> _Clause:
    options = effect.options
    chosen = [option for option in options if option]
    optional = len(chosen) < len(options)
    if len(chosen) == 1:
        return _may(scope, c.May(chosen[0])) if optional else _joined(_clauses(scope, chosen[0]))
    if not chosen:
        return _nothing()
    inside = replace(scope, optional=optional or scope.optional)
    rewards = [_joined(_clauses(_again(inside), option)) for option in chosen]
    if all(one.short and one.imperative and one.joinable for one in rewards):
        lead = _or([one.lead for one in rewards])
        if optional and not scope.optional:
            return _Clause(gettext("you may {deed}", deed=lead), joinable=False)
        return _Clause(lead, imperative=True, joinable=False)
    items = tuple(_paragraph(one) for one in rewards)
    if optional and not scope.optional:
        return _Clause(gettext("you may choose one"), items=items)
    return _Clause(gettext("choose one"), items=items, imperative=True)


def _again(scope: _Scope) -> _Scope:
    """Return the scope of an item of a list, where the current unit is mentioned for the first time again."""
    return replace(scope, unit=_Unit(scope.unit.first)) if scope.unit else scope


def _may(scope: _Scope, effect: c.May) -> _Clause:
    if not (then := effect.then):
        return _nothing()
    inside = replace(scope, optional=True)
    if len(then) == 1 and isinstance(only := then[0], c.Paragon | c.MarkedUnits):
        return _clause(scope, replace(only, then=(c.May(only.then),)))
    reward = _joined(_clauses(_again(inside), then))
    if reward.imperative and not reward.question:
        lead = gettext("you may {deed}", deed=reward.lead)
        return replace(reward, lead=lead, imperative=False, joinable=False)
    if scope.optional:
        return reward
    return _Clause(gettext("you may resolve the following"), items=(_paragraph(reward),))


def _when(scope: _Scope, effect: c.When) -> _Clause:
    conditions: list[str] = []
    inside = scope
    about_unit = False
    while True:
        unit = scope.unit or _Unit(gettext("the unit"))
        of_unit = effect.word in (_HAS_SETBACKS, _HAD_NONE, "has_keyword")
        conditions.append(when_text(effect.word, effect.keyword, unit=unit.name() if of_unit else "-"))
        about_unit = about_unit or of_unit
        if effect.word == "paragon_not_defeated" and scope.unit and not scope.is_paragon:
            scope.unit.obscure(name=gettext("that unit"))
        inside = replace(
            inside,
            unit=unit if of_unit else inside.unit,
            has_setbacks=effect.word == _HAS_SETBACKS,
            paragon_mentioned=effect.word == "paragon_not_defeated",
        )
        if len(effect.then) != 1 or not isinstance(nested := effect.then[0], c.When):
            break
        effect = nested
    reward = _joined(_clauses(inside, effect.then))
    clause = _under(gettext("if {condition}, {reward}"), reward, condition=_both(conditions))
    return replace(clause, about_unit=about_unit or reward.about_unit)


def _roll(scope: _Scope, effect: c.RollDice) -> _Clause:
    inside = replace(scope, repeats=scope.repeats or effect.count != 1)
    faces: dict[tuple[c.Clause, ...], list[str]] = {}
    for face, then in effect.per_face:
        if then:
            faces.setdefault(then, []).append(face)
    rewards = [
        _under(
            gettext("{faces}, {reward}"), _joined(_clauses(_again(inside), then)), faces=faces_text(effect.count, found)
        )
        for then, found in faces.items()
    ]
    roll = _Clause(roll_text(effect.die, effect.count), imperative=True, question=number_text(effect.count, scope.asks))
    if any(reward.items for reward in rewards[:-1]):
        return replace(roll, items=tuple(_paragraph(reward) for reward in rewards))
    follow = tuple(sentence for reward in rewards for sentence in (reward.lead, *reward.follow))
    return replace(roll, follow=follow, items=rewards[-1].items if rewards else ())


def _draw(scope: _Scope, effect: c.DrawOrderTokens) -> _Clause:
    choose = (
        gettext("choose a unit of its rank")
        if effect.count == 1
        else gettext("for each token, choose a different unit of its rank")
    )
    first = gettext("that unit") if scope.unit else gettext("it")
    inside = replace(scope, unit=_Unit(first), is_paragon=False, has_setbacks=False, repeats=effect.count != 1)
    follow, items = _of_one(inside, effect.each)
    return _Clause(
        draw_text(effect.count),
        (choose, *follow) if effect.each else (),
        items,
        imperative=True,
        question=number_text(effect.count, scope.asks),
    )


def _marked(scope: _Scope, effect: c.MarkedUnits) -> _Clause:
    inside = replace(scope, is_paragon=False, has_setbacks=False, paragon_mentioned=False, repeats=not scope.one_mark)
    if scope.one_mark:
        name = gettext("the marked unit")
        if not effect.undefeated_only:
            return replace(_joined(_clauses(replace(inside, unit=_Unit(name)), effect.then)), about_unit=False)
        reward = _joined(_clauses(replace(inside, unit=_Unit(gettext("it"))), effect.then))
        return _under(gettext("if the marked unit was not defeated, {reward}"), reward)
    units = gettext("each marked unit that was not defeated") if effect.undefeated_only else gettext("each marked unit")
    clauses = _clauses(replace(inside, unit=_Unit(units)), effect.then)
    if len(clauses) == 1 and _run(replace(inside, unit=_Unit("")), effect.then) == len(effect.then):
        return replace(clauses[0], about_unit=False)
    reward = _joined(_clauses(replace(inside, unit=_Unit(gettext("it"))), effect.then))
    return _under(gettext("for {units}, {reward}"), reward, units=units)


def _nothing() -> _Clause:
    return _Clause(gettext("nothing happens"))


def _joined(clauses: Sequence[_Clause]) -> _Clause:
    """Return clauses as one: joined by "and" if that is clear, else as a list."""
    clauses = [clause for clause in clauses if clause != _nothing()]
    if not clauses:
        return _nothing()
    if len(clauses) == 1:
        return clauses[0]
    *firsts, last = clauses
    joinable = all(clause.joinable and clause.short for clause in firsts)
    if not joinable or last.question or last.occasion:
        return _in_order(clauses)
    leads = [clauses[0].lead]
    for before, clause in pairwise(clauses):
        changes = clause.imperative and not before.imperative
        leads.append(gettext("you {deed}", deed=clause.lead) if changes else clause.lead)
    return replace(
        last,
        lead=_and(leads),
        imperative=all(clause.imperative for clause in clauses),
        joinable=False,
        about_unit=all(clause.about_unit for clause in clauses),
    )


def _under(pattern: str, reward: _Clause, **places: str) -> _Clause:
    """Return a reward after its condition or occasion ("if you won, {reward}")."""
    if reward.question:
        reward = _in_order([reward])
    lead = pattern.format(reward=reward.lead, **places)
    return replace(reward, lead=lead, imperative=False, joinable=False, occasion=True)


def _in_order(clauses: Sequence[_Clause]) -> _Clause:
    items = tuple(_paragraph(clause) for clause in clauses)
    lead = gettext("resolve the following in order") if len(items) > 1 else gettext("resolve the following")
    return _Clause(lead, items=items, imperative=True, joinable=False)


def _paragraph(clause: _Clause) -> Paragraph:
    lead = clause.lead
    sentences: Iterable[str] = (lead, *clause.follow)
    if clause.question.endswith((".", "?", "!")):
        sentences = (clause.question, *sentences)
    elif clause.question:
        sentences = (gettext("{number}: {deed}", number=clause.question, deed=lead), *clause.follow)
    full = (f"{sentence.removesuffix('.')}." if sentence[-1:] not in "?!" else sentence for sentence in sentences)
    text = " ".join(map(_capitalized, full))
    return Paragraph(f"{text.removesuffix('.')}:" if clause.items else text, clause.items)


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _and(parts: Sequence[str]) -> str:
    """Return parts joined with "and"; with a comma before it if a part has an "and" or "or" itself."""
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2 and not any(re.search(r" (and|or|may) |, ", part) for part in parts[:1]):
        return gettext("{first} and {last}", first=parts[0], last=parts[1])
    return gettext("{first}, and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def _both(conditions: Sequence[str]) -> str:
    """Return conditions that must all hold."""
    if len(conditions) == 2:
        return gettext("{first} and {last}", first=conditions[0], last=conditions[1])
    return _and(conditions)


def _or(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        return gettext("{first} or {last}", first=parts[0], last=parts[1])
    return gettext("{first}, or {last}", first=", ".join(parts[:-1]), last=parts[-1])


_CLAUSES: Mapping[type[c.Clause], Callable[[_Scope, Any], _Clause]] = {
    c.GainSupplyPoints: lambda scope, effect: _Clause(
        gettext("gain {amount} SP", amount=effect.amount), imperative=True
    ),
    c.OpponentLosesSupplyPoints: lambda scope, effect: _Clause(
        gettext("your opponent loses up to {amount} SP", amount=effect.amount)
    ),
    c.GainCombatPotential: lambda scope, effect: _Clause(
        gettext("increase your Combat Potential by {amount}", amount=effect.amount), imperative=True
    ),
    c.GainReputation: lambda scope, effect: _Clause(
        gettext("gain {amount} Reputation", amount=effect.amount), imperative=True
    ),
    c.GainAsset: lambda scope, effect: _Clause(
        gettext("gain the Strategic Asset {asset}", asset=scope.book.assets[effect.asset].name), imperative=True
    ),
    c.GainTrait: lambda scope, effect: _Clause(
        gettext("your Paragon gains {trait}", trait=_trait(scope, effect.trait))
    ),
    c.AddUnit: _add_unit,
    c.PerProgression: lambda scope, effect: _under(
        gettext("for each progression, {reward}"), _joined(_clauses(replace(scope, repeats=True), effect.then))
    ),
    c.ChooseUnits: _choose_units,
    c.ChooseOne: _choose_one,
    c.May: _may,
    c.When: _when,
    c.RollDice: _roll,
    c.DrawOrderTokens: _draw,
    c.MarkedUnits: _marked,
    c.Paragon: _paragon,
}
