"""Import a Register kept elsewhere: its past is checked only by its results, within the caps of the rules."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import KeywordValue, Value
from rules.core.violations import LISTED_TWICE, Fault, RuleViolation, Violation, raise_if_any, refuse
from rules.post_battle.agendas import FOREIGN_AGENDA, too_much_progress
from rules.post_battle.aid_requests import too_many_held
from rules.post_battle.commendations import UNFIT, requirement_violations
from rules.post_battle.dialogue import Context
from rules.register import effects as e
from rules.register.building import add_unit, begin_story_arc, commendation_slots_left, the_upgrade, upgrade_violations
from rules.register.state import Dossier, RegisterState, replay
from rules.register.upgrade_slots import all_slots, bearer, fits
from rules.register.veterans import NAMELESS_VETERAN, gain_experience, maximum_veteran_rank

UNKNOWN_SETBACK = Fault("R36", gettext_noop("Choose a Setback from the list."))
SETBACK_TWICE = Fault("R36", gettext_noop("A unit cannot have {setback} twice."))
UNIT_IS_GONE = Fault("R19", gettext_noop("This unit is no longer on the Register."))

WHY = gettext_noop("imported")
#: More than any campaign reaches, and a number that every page can show.
LARGEST = 9_999


class ImportedCommendation(Value):
    """A Commendation by its slug, with the keyword chosen with it, if it has a choice."""

    commendation: str
    keyword: str = ""


class PastUnit(KeywordValue):
    """A unit kept elsewhere, by slugs; `veteran_rank` counts if it is above the VR of its XP (R14)."""

    card: str
    name: str = ""
    upgrades: Sequence[str] = ()
    experience: int = 0
    veteran_rank: int = 0
    awards: Sequence[ImportedCommendation] = ()
    setbacks: Sequence[str] = ()


class PastRegister(KeywordValue):
    """The values of a Register kept elsewhere, without its units; None for those it does not give."""

    combat_potential: int | None = None
    supply_points: int | None = None
    reputation: int | None = None
    story_arc: str = ""
    agendas: Sequence[tuple[str, int]] = ()
    assets: Sequence[str] = ()


def take_over_register(book: Rulebook, state: RegisterState, past: PastRegister) -> list[e.Effect]:
    """Set the values of a Register that was just opened. Refuses numbers below 0, below the start or above 9,999 (R1),
    an arc not offered (R49), impossible progress (R25), and too many of an asset (R43).
    """
    raise_if_any(_number_violations(state, past))
    effects: list[e.Effect] = []
    if past.combat_potential is not None and past.combat_potential > state.combat_potential:
        more = past.combat_potential - state.combat_potential
        effects.append(e.CombatPotentialRaised(amount=more, rule="R1"))
    if past.supply_points is not None and past.supply_points != state.supply_points:
        more = past.supply_points - state.supply_points
        change = e.SupplyPointsGained if more > 0 else e.SupplyPointsSpent
        effects.append(change(amount=abs(more), rule="R1"))
    if past.reputation:
        effects.append(e.ReputationGained(amount=past.reputation, rule="R48"))
    if past.story_arc:
        effects += begin_story_arc(book, past.story_arc)
    raise_if_any([*_agenda_violations(book, replay(effects, state), past.agendas), *_asset_violations(book, past)])
    effects += [e.AgendaProgressed(agenda=slug, amount=times, rule="R25") for slug, times in past.agendas if times]
    return _marked([*effects, *(e.AssetGained(asset=slug, rule="R43") for slug in past.assets)])


def _marked(effects: Sequence[e.Effect]) -> list[e.Effect]:
    return [replace(effect, why=WHY) for effect in effects]


def _number_violations(state: RegisterState, past: PastRegister) -> Iterator[Violation]:
    for value, least, what in (
        (past.combat_potential, state.combat_potential, gettext("Combat Potential")),
        (past.supply_points, 0, gettext("SP")),
        (past.reputation, 0, gettext("Reputation")),
    ):
        if value is not None and not least <= value <= LARGEST:
            text = gettext(
                "A Register can have {least} to {largest} {what}, not {value}.",
                least=least,
                largest=LARGEST,
                what=what,
                value=value,
            )
            yield Violation("R1", text)


def _agenda_violations(book: Rulebook, state: RegisterState, agendas: Sequence[tuple[str, int]]) -> Iterator[Violation]:
    arc = book.story_arcs.get(state.story_arc)
    ends = {agenda.slug: agenda.progressions_to_complete for agenda in arc.agendas} if arc else {}
    for place, (slug, times) in enumerate(agendas):
        name = book.agendas[slug].name if slug in book.agendas else slug
        if slug not in ends:
            yield FOREIGN_AGENDA(slug, name=name)
        elif not 0 <= times <= ends[slug]:
            yield too_much_progress(book.agendas[slug], times, slug)
        elif slug in [other for other, _ in agendas[:place]]:
            yield LISTED_TWICE(slug, rule="R25", name=name)


def _asset_violations(book: Rulebook, past: PastRegister) -> Iterator[Violation]:
    for slug in dict.fromkeys(past.assets):
        if slug not in book.assets:
            yield Violation("R43", gettext("Choose a Strategic Asset from the list."), slug)
        elif past.assets.count(slug) > book.held_at_most(book.assets[slug]):
            yield too_many_held(book, slug, slug)


def take_over_unit(book: Rulebook, state: RegisterState, past: PastUnit) -> list[e.Effect]:
    """Add a unit with everything it has gained.

    XP beyond its cap are cut off (R13). A Commendation is due for each VR (R15).

    Refuses what `building.add_unit` refuses of the unit itself, upgrades that do not fit (R8) or cannot be paid (R2), a
    VR above its maximum (R12), Commendations beyond its VR or whose requirements it does not meet (R15), a Setback
    that it could not keep twice (R36), and a unit of VR 1 or more without a name (R9).
    """
    key = str(state.next_key)
    context = Context(book, state)
    context.happen(add_unit(book, state, past.card, name=past.name))
    context.happen(_experience(book, context.state, key, past))
    dossier = context.state.dossiers[key]
    if dossier.veteran_rank and not dossier.name:
        raise RuleViolation([NAMELESS_VETERAN("name")])
    for award in past.awards:
        context.happen([_awarded(book, context.state, key, award)])
    for upgrade in past.upgrades:
        context.happen([_upgrade(book, context.state, key, upgrade)])
    for setback in past.setbacks:
        context.happen([_setback(book, context.state.dossiers[key], setback)])
    return _marked(context.effects)


def _experience(book: Rulebook, state: RegisterState, key: str, past: PastUnit) -> list[e.Effect]:
    dossier = state.dossiers[key]
    unit, highest = book.units[dossier.card], maximum_veteran_rank(book, dossier)
    if not 0 <= past.experience <= LARGEST:
        text = gettext("{unit} cannot have {experience} XP.", unit=unit.name, experience=past.experience)
        raise refuse("R13", text, key)
    if not 0 <= past.veteran_rank <= highest:
        text = gettext(
            "{unit} can reach at most VR {highest}, not {veteran_rank}.",
            unit=unit.name,
            highest=highest,
            veteran_rank=past.veteran_rank,
        )
        raise refuse("R12", text, key)
    effects: list[e.Effect] = []
    if past.experience:
        effects = gain_experience(book, state, key, past.experience, rule="R13", why=WHY)
    reached = replay(effects, state).dossiers[key].veteran_rank
    beyond = range(reached + 1, past.veteran_rank + 1)
    return [*effects, *(e.VeteranRankReached(unit=key, veteran_rank=rank, rule="R14") for rank in beyond)]


def _awarded(book: Rulebook, state: RegisterState, key: str, award: ImportedCommendation) -> e.Effect:
    dossier, card = state.dossiers[key], book.commendations.get(award.commendation)
    if card is None:
        raise refuse("R15", gettext("Choose a Commendation from the list."), award.commendation)
    if not dossier.owed:
        text = gettext("{card}: a unit can have at most one Commendation for each VR.", card=card.name)
        raise refuse("R15", text, card.slug)
    # It may have been awarded during an earlier Story Arc.
    during = replace(state, story_arc=card.story_arc or state.story_arc)
    if why := "; ".join(requirement_violations(book, during, dossier, card)):
        raise RuleViolation([UNFIT(card.slug, unit=book.units[dossier.card].name, card=card.name, why=why)])
    if award.keyword not in (card.choose_keyword or ("",)):
        words = gettext(" or ").join(card.choose_keyword) or gettext("no keyword")
        raise refuse("R15", gettext("{card}: choose {words}.", card=card.name, words=words), card.slug)
    return e.CommendationAwarded(unit=key, commendation=card.slug, keyword=award.keyword, rule="R15")


def _upgrade(book: Rulebook, state: RegisterState, key: str, slug: str) -> e.Effect:
    dossier, card = state.dossiers[key], the_upgrade(book, slug)
    raise_if_any(upgrade_violations(book, state, dossier, card))
    cards = [book.upgrades[have] for have in dossier.upgrades if have not in dossier.by_commendation]
    printed = all_slots(bearer(book, state, replace(dossier, commendations=())))
    earned = not fits(printed, [*cards, card]) and card.type in commendation_slots_left(book, dossier)
    return e.UpgradeAdded(unit=key, upgrade=card.slug, by_commendation=earned, rule="R8")


def _setback(book: Rulebook, dossier: Dossier, slug: str) -> e.Effect:
    if (setback := book.setbacks.get(slug)) is None:
        raise RuleViolation([UNKNOWN_SETBACK(slug)])
    if slug in dossier.setbacks and setback.second != "stacks":
        raise RuleViolation([SETBACK_TWICE(slug, setback=setback.name)])
    return e.SetbackGained(unit=dossier.key, setback=slug, rule="R36")
