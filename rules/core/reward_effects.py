"""Reward effects: their types, how they are read from data, and whether they make sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, replace
from typing import Any

from rules.core.dice import DICE, FACES
from rules.core.translation import gettext
from rules.core.values import Value

ALL = "all"
SOURCES = ("register", "fielded", "defeated", "undefeated", "non_paragon")
PROGRESSIONS = "progressions"
WHEN_WORDS = (
    "won", "lost", "unit_has_setbacks", "unit_had_no_setbacks", "paragon_not_defeated", "no_marked_unit_defeated",
)  # fmt: skip


class UnknownClause(ValueError):
    """Data with an unknown word; the text says where and what."""


class GainSupplyPoints(Value):
    """The Register gains `amount` SP."""

    amount: int


class OpponentLosesSupplyPoints(Value):
    """The opponent's Register loses up to `amount` SP, never below 0, in step 2 of its own sequence."""

    amount: int


class GainCombatPotential(Value):
    """The Register gains `amount` points of Combat Potential."""

    amount: int


class GainReputation(Value):
    """The Register gains `amount` Reputation."""

    amount: int


class GainAsset(Value):
    """The Register gains a Strategic Asset, unless it holds as many of it as it may (R43)."""

    asset: str


class GainExperience(Value):
    """The current unit gains `amount` XP."""

    amount: int


class RemoveSetbacks(Value):
    """The current unit loses `count` Setbacks; None means all."""

    count: int | None


class GainSetback(Value):
    """The current unit rolls one Setback."""


class GainKeyword(Value):
    """The current unit gains a keyword; it may have the keyword several times."""

    keyword: str


class LoseKeyword(Value):
    """The current unit loses every instance of a keyword."""

    keyword: str


class GainTrait(Value):
    """The Paragon gains a Defining Trait."""

    trait: str


class AwardCommendation(Value):
    """The current unit is due one more Commendation in step 6, without a Command Card."""


class GainUpgrade(Value):
    """The current unit gains an upgrade that its player chooses; `types` are the possible ones, none: every type. The
    upgrade needs a free slot and Combat Potential as on any other occasion (R2, R8).
    """

    types: tuple[str, ...] = ()


class AddUnit(Value):
    """A unit of one of these names joins, even above CP; it takes Faction and affiliation of the Paragon."""

    one_of: tuple[str, ...]


class PerProgression(Value):
    """Resolve `then` once for each progression of this battle."""

    then: tuple[Clause, ...]


class ChooseUnits(Value):
    """The player chooses `count` different units out of `source`, and resolves `each` for every one."""

    count: int
    each: tuple[Clause, ...]
    source: str = "register"
    distinct: bool = False
    optional: bool = False


class ChooseOne(Value):
    """The player chooses one of several rewards; an empty one is "nothing"."""

    options: tuple[tuple[Clause, ...], ...]


class May(Value):
    """The player may resolve `then`."""

    then: tuple[Clause, ...]


class When(Value):
    """Resolve `then` if the condition holds: one of WHEN_WORDS, or the current unit has `keyword`."""

    word: str
    then: tuple[Clause, ...]
    keyword: str = ""


class RollDice(Value):
    """Roll `count` dice (a number, "progressions", or the name of a reported number); resolve each face."""

    die: str
    count: int | str
    per_face: tuple[tuple[str, tuple[Clause, ...]], ...]


class DrawOrderTokens(Value):
    """Draw `count` of the army's order tokens; for each a different unit of that rank resolves `each`."""

    count: int | str
    each: tuple[Clause, ...]


class MarkedUnits(Value):
    """Every marked unit (or only the undefeated ones) resolves `then`."""

    then: tuple[Clause, ...]
    undefeated_only: bool = False


class Paragon(Value):
    """The Paragon resolves `then`."""

    then: tuple[Clause, ...]


Clause = (
    GainSupplyPoints | OpponentLosesSupplyPoints | GainCombatPotential | GainReputation | GainAsset | GainExperience
    | RemoveSetbacks | GainSetback | GainKeyword | LoseKeyword | GainTrait | AwardCommendation | GainUpgrade | AddUnit
    | PerProgression | ChooseUnits | ChooseOne | May | When | RollDice | DrawOrderTokens | MarkedUnits | Paragon
)  # fmt: skip


class TokensAtLeast(Value):
    """`count` or more Agenda tokens."""

    count: int


class SecondaryVpAtLeast(Value):
    """`count` or more VP from secondary objectives."""

    count: int


class SecondaryVpMoreThanOpponent(Value):
    """More VP from secondary objectives than the opponent."""


class MarkedUndefeatedAtLeast(Value):
    """`count` or more marked units were not defeated."""

    count: int


class NoMarkedUnitDefeated(Value):
    """No marked unit was defeated."""


class Won(Value):
    """This side won."""


class Lost(Value):
    """This side lost (a draw is not a loss)."""


class Confirmed(Value):
    """The player says that `text` is so."""

    text: str


class All(Value):
    """All parts hold; the first that fails ends the test, so later ones are not asked."""

    parts: tuple[Condition, ...]


Condition = (
    TokensAtLeast | SecondaryVpAtLeast | SecondaryVpMoreThanOpponent | MarkedUndefeatedAtLeast
    | NoMarkedUnitDefeated | Won | Lost | Confirmed | All
)  # fmt: skip


class EndOfGame(Value):
    """The reward of each player at the end of a Turning Point Mission, if `when` holds for that player."""

    when: Condition
    reward: tuple[Clause, ...]


def walk(clauses: tuple[Clause, ...]) -> Iterator[Clause]:
    """Yield every effect of a reward, including nested ones."""
    for clause in clauses:
        yield clause
        for field in fields(clause):
            yield from _walk_value(getattr(clause, field.name))


def _walk_value(value: Any) -> Iterator[Clause]:
    if isinstance(value, tuple):
        for part in value:
            if isinstance(part, tuple):
                yield from _walk_value(part)
            elif not isinstance(part, str):
                yield from walk((part,))


#: A path and a sentence.
Fault = tuple[str, str]

_ON_A_UNIT = (
    GainExperience, RemoveSetbacks, GainSetback, GainKeyword, LoseKeyword, AwardCommendation, GainUpgrade,
)  # fmt: skip
_ABOUT_A_UNIT = ("unit_has_setbacks", "unit_had_no_setbacks", "has_keyword")


class RewardContext(Value):
    """The context of a reward: whether it has progressions to count, marked units, a current unit. `opponent` means
    that the report alone decides whether it is resolved, so that the opponent's sequence knows too.
    """

    progressions: bool = False
    marks: bool = False
    unit: bool = False
    opponent: bool = False


def misplaced(reward: tuple[Clause, ...], context: RewardContext, path: str = "") -> Iterator[Fault]:
    """Yield the effects that cannot be resolved, or never do anything, in a reward of this context (section 8)."""
    for number, clause in enumerate(reward):
        at = f"{path}{number}"
        yield from ((at, text) for text in _faults(clause, context))
        inside = replace(context, unit=context.unit or isinstance(clause, _CHOOSES_A_UNIT), opponent=False)
        for key, nested in nested_in(clause):
            yield from misplaced(nested, inside, f"{at}.{key}.")


def misplaced_in_shield(instead: tuple[Clause, ...]) -> Iterator[Fault]:
    """Yield the effects that a unit cannot gain instead of becoming a casualty (R28, R35)."""
    for number, clause in enumerate(instead):
        if not isinstance(clause, GainExperience | GainSetback):
            yield str(number), gettext("Use only Experience or a Setback here.")


def nested_in(clause: Clause) -> tuple[tuple[str, tuple[Clause, ...]], ...]:
    """Return the rewards nested in an effect, each with its key as the files write it."""
    match clause:
        case ChooseUnits(each=each) | DrawOrderTokens(each=each):
            return (("each", each),)
        case ChooseOne(options):
            return tuple((f"options.{number}", option) for number, option in enumerate(options))
        case RollDice(per_face=per_face):
            return tuple((f"per_face.{face}", then) for face, then in per_face)
        case PerProgression(then) | May(then) | Paragon(then):
            return (("then", then),)
        case When(then=then) | MarkedUnits(then=then):
            return (("then", then),)
    return ()


_CHOOSES_A_UNIT = (ChooseUnits, DrawOrderTokens, MarkedUnits, Paragon)


def _faults(clause: Clause, context: RewardContext) -> Iterator[str]:
    nested = nested_in(clause)
    if not context.unit and (
        isinstance(clause, _ON_A_UNIT) or (isinstance(clause, When) and clause.word in _ABOUT_A_UNIT)
    ):
        yield gettext("This effect needs a unit. Put it inside a choice of units.")
    if nested and not any(then for _, then in nested):
        yield gettext("This effect is empty. Add an effect inside it.")
    if isinstance(clause, RollDice) and not clause.per_face:
        yield gettext("Add an effect to at least one face of the die.")
    if not context.progressions and _counts_progressions(clause):
        yield gettext("Only an Agenda has progressions to count.")
    if not context.opponent and isinstance(clause, OpponentLosesSupplyPoints):
        yield gettext(
            "Only a victory or a defeat can make the opponent lose SP, outside choices, conditions and dice. "
            "Move this effect there."
        )
    if not context.marks and isinstance(clause, MarkedUnits):
        yield gettext("No units are marked here. Let the Agenda mark some, or remove this.")


def _counts_progressions(clause: Clause) -> bool:
    if isinstance(clause, DrawOrderTokens | RollDice):
        return clause.count == PROGRESSIONS
    return isinstance(clause, PerProgression)


def read_reward(data: Any, where: str) -> tuple[Clause, ...]:
    """Read the effects of a reward, a list of mappings. `where` names the place in errors. Raises UnknownClause."""
    if not isinstance(data, list):
        raise UnknownClause(f"{where}: a reward is a list of clauses, not {data!r}")
    return tuple(_read_clause(item, f"{where}[{place}]") for place, item in enumerate(data))


def read_condition(data: Any, where: str) -> Condition:
    """Read a condition of progress, a mapping of one word. Raises UnknownClause."""
    if not isinstance(data, dict) or len(data) != 1:
        raise UnknownClause(f"{where}: a condition is one word with its value, not {data!r}")
    [(word, value)] = data.items()
    if word in _COUNTED:
        return _COUNTED[word](_whole(value, f"{where}.{word}"))
    if word in _PLAIN:
        if value is not True:
            raise UnknownClause(f"{where}.{word}: write true")
        return _PLAIN[word]()
    if word == "confirmed":
        return Confirmed(_text(value, f"{where}.confirmed"))
    if word == "all" and isinstance(value, list) and value:
        return All(tuple(read_condition(part, f"{where}.all[{place}]") for place, part in enumerate(value)))
    raise UnknownClause(f"{where}: unknown condition {word!r}")


def read_end_of_game(data: Any, where: str) -> EndOfGame:
    """Read one `end_of_game` entry of a Turning Point Mission. Raises UnknownClause."""
    entry = _keys(data, where, {"who", "when", "reward"})
    if entry["who"] != "each player":
        raise UnknownClause(f"{where}.who: only 'each player' is known, not {entry['who']!r}")
    return EndOfGame(read_condition(entry["when"], f"{where}.when"), read_reward(entry["reward"], f"{where}.reward"))


_COUNTED: Mapping[str, type[TokensAtLeast | SecondaryVpAtLeast | MarkedUndefeatedAtLeast]] = {
    "tokens_at_least": TokensAtLeast,
    "secondary_vp_at_least": SecondaryVpAtLeast,
    "marked_undefeated_at_least": MarkedUndefeatedAtLeast,
}
_PLAIN: Mapping[str, type[SecondaryVpMoreThanOpponent | NoMarkedUnitDefeated | Won | Lost]] = {
    "secondary_vp_more_than_opponent": SecondaryVpMoreThanOpponent,
    "no_marked_unit_defeated": NoMarkedUnitDefeated,
    "won": Won,
    "lost": Lost,
}


def _read_clause(data: Any, where: str) -> Clause:
    if not isinstance(data, dict) or data.get("do") not in _CLAUSES:
        raise UnknownClause(f"{where}: unknown clause {data!r}")
    word: str = data["do"]
    return _CLAUSES[word](data, f"{where}.{word}")


Reader = Callable[[Any, str], Any]


def _clause(
    make: Callable[..., Clause], required: Mapping[str, Reader], optional: Mapping[str, Reader] | None = None
) -> Callable[[Any, str], Clause]:
    """Return a reader of effects with these keys, each with the reader of its value."""
    readers = {**required, **(optional or {})}

    def read(data: Any, where: str) -> Clause:
        entry = _keys(data, where, {"do", *required}, {*(optional or ())})
        values = {key: reader(entry[key], where) for key, reader in readers.items() if key in entry}
        return make(**{_FIELDS.get(key, key): value for key, value in values.items()})

    return read


def _one_of(key: str, *known: Any) -> Reader:
    def read(value: Any, where: str) -> Any:
        if value not in known:
            raise UnknownClause(f"{where}.{key}: unknown value {value!r}")
        return value

    return read


def _only_false(value: Any, where: str) -> None:
    if value is not False:
        raise UnknownClause(f"{where}.free_of_combat_potential: only false is known")


def _each(value: Any, where: str) -> tuple[Clause, ...]:
    return read_reward(value, f"{where}.each")


def _read_when(data: Any, where: str) -> When:
    entry = _keys(data, where, {"do", "condition", "then"})
    condition = entry["condition"]
    then = read_reward(entry["then"], where)
    if isinstance(condition, dict):
        keyword = _keys(condition, f"{where}.condition", {"has_keyword"})["has_keyword"]
        return When("has_keyword", then, _text(keyword, where))
    return When(_one_of("condition", *WHEN_WORDS)(condition, where), then)


def _read_roll(data: Any, where: str) -> RollDice:
    entry = _keys(data, where, {"do", "die", "count", "per_face"})
    die, per_face = entry["die"], entry["per_face"]
    if die not in DICE:
        raise UnknownClause(f"{where}.die: unknown die {die!r}")
    if not isinstance(per_face, dict) or not set(per_face) <= set(DICE[die]):
        raise UnknownClause(f"{where}.per_face: a {die} die has no such faces: {per_face!r}")
    faces = tuple((face, read_reward(per_face[face], f"{where}.{face}")) for face in FACES if face in per_face)
    return RollDice(die, _count(entry["count"], where), faces)


def _keys(data: Any, where: str, required: Set[str], optional: Set[str] = frozenset()) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise UnknownClause(f"{where}: expected named values, not {data!r}")
    missing, unknown = required - set(data), set(data) - required - optional
    if missing or unknown:
        words = [f"missing {key!r}" for key in sorted(missing)]
        words += [f"unknown {key!r}" for key in sorted(unknown)]
        raise UnknownClause(f"{where}: {', '.join(words)}")
    return data


def _whole(value: Any, where: str) -> int:
    if type(value) is not int or value < 0:
        raise UnknownClause(f"{where}: expected a whole number, not {value!r}")
    return value


def _count(value: Any, where: str) -> int | str:
    return value if isinstance(value, str) and value else _whole(value, where)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise UnknownClause(f"{where}: expected a text, not {value!r}")
    return value


def _flag(value: Any, where: str) -> bool:
    if type(value) is not bool:
        raise UnknownClause(f"{where}: expected true or false, not {value!r}")
    return value


def _list_of(reader: Reader) -> Reader:
    def read(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value:
            raise UnknownClause(f"{where}: expected a list, not {value!r}")
        return tuple(reader(part, where) for part in value)

    return read


#: Keys whose fields have another name.
_FIELDS = {"from": "source", "only": "undefeated_only"}
#: Each word with the reader of its effect.
_CLAUSES: Mapping[str, Callable[[Any, str], Clause]] = {
    "gain_supply_points": _clause(GainSupplyPoints, {"amount": _whole}),
    "opponent_loses_supply_points": _clause(OpponentLosesSupplyPoints, {"amount": _whole}),
    "gain_combat_potential": _clause(GainCombatPotential, {"amount": _whole}),
    "gain_reputation": _clause(GainReputation, {"amount": _whole}),
    "gain_asset": _clause(GainAsset, {"asset": _text}),
    "gain_upgrade": _clause(GainUpgrade, {}, {"types": _list_of(_text)}),
    "gain_experience": _clause(GainExperience, {"amount": _whole}),
    "remove_setbacks": _clause(
        RemoveSetbacks, {"count": lambda value, where: None if value == ALL else _whole(value, where)}
    ),
    "gain_setback": _clause(GainSetback, {}),
    "gain_keyword": _clause(GainKeyword, {"keyword": _text}),
    "lose_keyword": _clause(LoseKeyword, {"keyword": _text}),
    "gain_trait": _clause(GainTrait, {"trait": _text}),
    "award_commendation": _clause(AwardCommendation, {}),
    "add_unit": _clause(
        lambda one_of, **known: AddUnit(one_of),
        {"one_of": _list_of(_text)},
        {
            "takes": _one_of("takes", None, "faction and affiliation of the Paragon"),
            "free_of_combat_potential": _only_false,
        },
    ),
    "per_progression": _clause(PerProgression, {"then": read_reward}),
    "choose_units": _clause(
        ChooseUnits,
        {"count": _whole, "each": _each},
        {"from": _one_of("from", *SOURCES), "distinct": _flag, "optional": _flag},
    ),
    "choose_one": _clause(
        ChooseOne, {"options": _list_of(lambda value, where: read_reward(value, f"{where}.options"))}
    ),
    "may": _clause(May, {"then": read_reward}),
    "when": _read_when,
    "roll": _read_roll,
    "draw_order_tokens": _clause(DrawOrderTokens, {"count": _count, "each": _each}),
    "marked_units": _clause(
        lambda then, undefeated_only=None: MarkedUnits(then, undefeated_only == "undefeated"),
        {"then": read_reward},
        {"only": _one_of("only", None, "undefeated")},
    ),
    "paragon": _clause(Paragon, {"then": read_reward}),
}
