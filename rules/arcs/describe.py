"""A reward as the tree that the Story Arc editor shows: each effect in words, with the rewards nested in it.

`rules.arcs.card_text` has the same reward as the sentences of a card.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules.arcs.card_text import draw_text, effect_text, faces_text, number_text, roll_text, units_text, when_text
from rules.core import reward_effects as c
from rules.core.dice import DICE
from rules.core.reward_effects import nested_in
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import Value
from rules.core.violations import Violation


class EffectNode(Value):
    """One effect: its path (as in `reward_effects.misplaced`), its text without nested effects, its branches, and the
    violations about it.
    """

    path: str
    text: str
    branches: "tuple[Branch, ...]" = ()
    violations: tuple[Violation, ...] = ()


class Branch(Value):
    """A reward nested in an effect: its path, its case ("For each block"; empty if it is the only one), its effects."""

    path: str
    label: str
    nodes: tuple[EffectNode, ...]


def outline(
    book: Rulebook,
    reward: Sequence[c.Clause],
    path: str = "",
    *,
    asks: Mapping[str, str] | None = None,
    violations: Sequence[Violation] = (),
) -> tuple[EffectNode, ...]:
    """Return a reward as a tree. `asks` are the Turning Point Mission's questions by the names of their numbers."""

    def node(at: str, effect: c.Clause) -> EffectNode:
        branches = (
            Branch(below, label, outline(book, nested, f"{below}.", asks=asks, violations=violations))
            for below, label, nested in _branches(effect, at)
        )
        about = tuple(violation for violation in violations if violation.about == at)
        return EffectNode(at, _head(book, effect, asks or {}), tuple(branches), about)

    return tuple(node(f"{path}{number}", effect) for number, effect in enumerate(reward))


def _branches(effect: c.Clause, at: str) -> Iterator[tuple[str, str, Sequence[c.Clause]]]:
    nested = dict(nested_in(effect))
    if isinstance(effect, c.RollDice):
        nested = {f"per_face.{face}": nested.get(f"per_face.{face}", ()) for face in DICE[effect.die]}
    return ((f"{at}.{key}", _label(effect, key), reward) for key, reward in nested.items())


def _label(effect: c.Clause, key: str) -> str:
    kind, _, which = key.partition(".")
    if kind == "options":
        return gettext("Option {number}", number=int(which) + 1)
    if isinstance(effect, c.RollDice):
        return _capitalized(faces_text(effect.count, [which]))
    return ""


def _head(book: Rulebook, effect: c.Clause, asks: Mapping[str, str]) -> str:
    match effect:
        case c.ChooseUnits(optional=optional):
            units = units_text(effect)
            if optional:
                return gettext("You may choose {units}:", units=units)
            return gettext("Choose {units}:", units=units)
        case c.ChooseOne(options):
            return gettext("Choose one:") if all(options) else gettext("You may choose one:")
        case c.When(word, _, keyword):
            return gettext("If {condition}:", condition=when_text(word, keyword))
        case c.RollDice(die, count):
            return _number_first(roll_text(die, count), count, asks)
        case c.DrawOrderTokens(count):
            draw = gettext("{draw}; for each token, a unit of its rank", draw=draw_text(count))
            return _number_first(draw, count, asks)
        case c.MarkedUnits(undefeated_only=True):
            return gettext("Each marked unit that was not defeated:")
    head = _HEADS.get(type(effect))
    return gettext(head) if head else effect_text(book, effect)


_HEADS: Mapping[type[c.Clause], str] = {
    c.PerProgression: gettext_noop("For each progression:"),
    c.May: gettext_noop("You may:"),
    c.MarkedUnits: gettext_noop("Each marked unit:"),
    c.Paragon: gettext_noop("Your Paragon:"),
}


def _number_first(deed: str, count: int | str, asks: Mapping[str, str]) -> str:
    question = number_text(count, asks)
    if question.endswith((".", "?", "!")):
        return gettext("{question} {deed}:", question=question, deed=_capitalized(deed))
    if question:
        return gettext("{question}: {deed}:", question=question, deed=deed)
    return gettext("{deed}:", deed=_capitalized(deed))


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
