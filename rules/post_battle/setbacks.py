"""The consequences when units gain Setbacks or become casualties (R35 to R37).

All dice that can be rolled together are one question, and so are all rerolls.
"""

from collections.abc import Iterable, Sequence

from rules.core.campaign_rules import HouseRules
from rules.core.card_types import DefiningTrait
from rules.core.dice import BLACK_ATTACK
from rules.core.reward_effects import Clause, GainExperience, GainSetback, UnknownClause
from rules.core.translation import gettext, gettext_noop, kept, ngettext
from rules.core.values import Value
from rules.post_battle.dialogue import Context, Dialogue, Pool, Roll
from rules.register.effects import DiceRolled, Noted, SetbackGained, TraitGained, UnitFell
from rules.register.labels import unit_label
from rules.register.veterans import gain_experience

CRITICAL = "critical"
#: What the ledger notes about a Paragon who would be a casualty (R35).
GAINS_A_TRAIT = gettext_noop("a Paragon is never a casualty: it gains a Defining Trait")


class Shield(Value):
    """Units that Daring Defense keeps from becoming a casualty, and what they gain (R28, R35); XP `withheld` by R27."""

    units: frozenset[str] = frozenset()
    instead: tuple[Clause, ...] = ()
    withheld: bool = False


NO_SHIELD = Shield()


def gain(context: Context, key: str, amount: int, *, rule: str, why: str) -> Dialogue[None]:
    """Give a unit `amount` XP, with all the consequences (R13, R15)."""
    yield from gain_experience(context.book, context.state, key, amount, rule=rule, why=why)


def aftermath(
    context: Context, setbacks: Iterable[str], *, casualties: Iterable[str] = (), shield: Shield = NO_SHIELD
) -> Dialogue[None]:
    """Remove `casualties`, and roll Setbacks (`setbacks`: their units) and Traits until none follows (R35 to R37)."""
    waiting = list(setbacks)
    traits: list[str] = []
    doomed = list(casualties)
    while doomed or waiting or traits:
        for key in doomed:
            yield from _casualty(context, key, shield, waiting, traits)
        doomed = []
        if not (waiting or traits):
            break
        at_once = list(dict.fromkeys(waiting))  # the second Setback of a unit depends on its first
        faces: dict[str, tuple[str, ...]] = yield _question(context, at_once, traits)
        again: list[str] = []
        for key in at_once:
            waiting.remove(key)
            yield from _setback_rolled(context, key, faces[f"setback:{key}"][0], again, doomed)
        for key in traits:
            yield from _trait_rolled(context, key, faces[f"trait:{key}"][0])
        waiting, traits = [*again, *waiting], []


def _question(context: Context, setbacks: Sequence[str], traits: Sequence[str]) -> Roll:
    pools = [_pool(context, "setback", key, gettext("Setback"), "R36") for key in setbacks]
    pools += [_pool(context, "trait", key, gettext("Defining Trait"), "R37") for key in traits]
    text = _what_is_rolled(len(setbacks), trait=bool(traits))
    return Roll(rule="R36" if setbacks else "R37", text=text, pools=tuple(pools))


def _what_is_rolled(setbacks: int, *, trait: bool) -> str:
    if not setbacks:
        return gettext("Roll the Defining Trait.")
    if trait:
        return ngettext(
            "Roll the Setback and the Defining Trait.", "Roll the Setbacks and the Defining Trait.", setbacks
        )
    return ngettext("Roll the Setback.", "Roll the Setbacks.", setbacks)


def _pool(context: Context, what: str, key: str, note: str, rule: str) -> Pool:
    return Pool(f"{what}:{key}", BLACK_ATTACK, 1, unit_label(context.book, context.state, key), note, rule)


def _casualty(context: Context, key: str, shield: Shield, setbacks: list[str], traits: list[str]) -> Dialogue[None]:
    """Resolve a casualty: a shielded unit gains XP and a Setback, a Paragon rolls a Trait, others leave (R35)."""
    if key in shield.units:
        for clause in shield.instead:
            if isinstance(clause, GainExperience) and shield.withheld:
                yield Noted(unit=key, rule="R27", why=gettext_noop("Tunnel Vision: no Experience from the Agenda"))
            elif isinstance(clause, GainExperience):
                yield from gain(context, key, clause.amount, rule="R35", why=gettext_noop("shielded by the Agenda"))
            elif isinstance(clause, GainSetback):
                setbacks.append(key)
            else:
                raise UnknownClause(f"a casualty shield gives Experience and Setbacks, not {clause!r}")
    elif key == context.state.paragon:
        yield Noted(unit=key, rule="R35", why=GAINS_A_TRAIT)
        traits.append(key)
    else:
        yield UnitFell(unit=key, rule="R35", why=gettext_noop("casualty"))


def _setback_rolled(context: Context, key: str, face: str, again: list[str], doomed: list[str]) -> Dialogue[None]:
    """Apply the Setback of a face; one that cannot be had twice is rolled again, or makes a casualty (R36)."""
    yield DiceRolled(unit=key, die=BLACK_ATTACK, faces=(face,), rule="R36", why=gettext_noop("Setback"))
    own = face == CRITICAL
    slug = context.book.story_arcs[context.state.story_arc].setback if own else context.book.setback_by_face[face]
    setback = context.book.setbacks[slug]
    second = setback.second if slug in context.state.dossiers[key].setbacks else ""
    if own and _brings_experience(context.book.house, second):
        yield from gain(context, key, 1, rule="R36", why=gettext_noop("Story Arc Setback"))
    if second == "reroll":
        why = kept(gettext_noop("{setback}, which a unit can have only once: roll again"), setback=setback.name)
        yield Noted(unit=key, rule="R36", why=why)
        again.append(key)
    elif second == "casualty":
        why = kept(gettext_noop("{setback} a second time: casualty"), setback=setback.name)
        yield Noted(unit=key, rule="R36", why=why)
        doomed.append(key)
    else:
        yield SetbackGained(unit=key, setback=slug, rule="R36")


def _brings_experience(house: HouseRules, second: str) -> bool:
    """Return whether the arc's own Setback gives its 1 XP; `second` is what happens if the unit has it already."""
    if second == "reroll":
        return house.rolled_again == "after_experience"
    return second != "casualty" or house.second_of_the_arc == "experience_first"


def _trait_rolled(context: Context, key: str, face: str) -> Dialogue[None]:
    yield DiceRolled(unit=key, die=BLACK_ATTACK, faces=(face,), rule="R37", why=gettext_noop("Defining Trait"))
    if face == CRITICAL:
        yield from gain(context, key, 1, rule="R37", why=gettext_noop("Story Arc Defining Trait"))
        slug = context.book.story_arcs[context.state.story_arc].defining_trait
    else:
        slug = context.book.trait_by_face[face]
    yield trait_gained(context.book.defining_traits[slug], rule="R37")


def trait_gained(trait: DefiningTrait, *, rule: str) -> TraitGained:
    """Return the gain of `trait` by the Paragon, for as many games as it lasts (R37)."""
    return TraitGained(trait=trait.slug, games=trait.games, rule=rule)
