"""Taking over a Register that was kept elsewhere: its values as effects, within the caps of the rules.

How they came about is not known, so that no step of it can be checked, only what came of it (R2, R8 to R16, R25, R36,
R43, R49).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .building import add_unit, begin_story_arc, commendation_slots_left, the_upgrade, upgrade_problems
from .effects import (
    AgendaProgressed,
    AssetGained,
    CombatPotentialRaised,
    CommendationAwarded,
    Effect,
    ReputationGained,
    SetbackGained,
    SupplyPointsGained,
    SupplyPointsSpent,
    UpgradeAdded,
    VeteranRankReached,
)
from .equipment import all_slots, bearer, fits
from .force import Dossier, Force, fold
from .language import gettext, gettext_noop, ngettext
from .post_battle.aid_requests import held_at_most
from .post_battle.commendations import requirement_problems
from .refusal import Problem, refuse, refuse_any
from .rulebook import Rulebook
from .veterans import gain_experience, maximum_veteran_rank

WHY = gettext_noop("taken over")
#: More than any campaign brings, and a number that every page can show.
LARGEST = 9_999


@dataclass(frozen=True, slots=True)
class Award:
    """A Commendation by its slug, with the keyword that was chosen with it, if it lets one choose."""

    commendation: str
    keyword: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastUnit:
    """A unit as it stands elsewhere, by slugs; `veteran_rank` counts where it is above what the XP give (R14)."""

    card: str
    name: str = ""
    upgrades: Sequence[str] = ()
    experience: int = 0
    veteran_rank: int = 0
    awards: Sequence[Award] = ()
    setbacks: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRegister:
    """What a Register kept elsewhere has besides its units; None for what it does not say."""

    combat_potential: int | None = None
    supply_points: int | None = None
    reputation: int | None = None
    story_arc: str = ""
    agendas: Sequence[tuple[str, int]] = ()
    assets: Sequence[str] = ()


def take_over_register(book: Rulebook, force: Force, past: PastRegister) -> list[Effect]:
    """The values of a Register that was just opened.

    Refuses, naming all that is wrong: numbers below 0 or what it started with, or above 9,999 (R1), a Story Arc that
    is not offered (R49), progress of an Agenda of another one, or beyond its end (R25), too many of an asset (R43).
    """
    refuse_any(_number_problems(force, past))
    effects: list[Effect] = []
    if past.combat_potential is not None and past.combat_potential > force.combat_potential:
        more = past.combat_potential - force.combat_potential
        effects.append(CombatPotentialRaised(amount=more, rule="R1"))
    if past.supply_points is not None and past.supply_points != force.supply_points:
        effects.append(_supply(past.supply_points - force.supply_points))
    if past.reputation:
        effects.append(ReputationGained(amount=past.reputation, rule="R48"))
    if past.story_arc:
        effects += begin_story_arc(book, past.story_arc)
    refuse_any([*_agenda_problems(book, fold(effects, force), past.agendas), *_asset_problems(book, past)])
    effects += [
        AgendaProgressed(agenda=slug, amount=times, rule="R25") for slug, times in past.agendas if times
    ]
    return _marked([*effects, *(AssetGained(asset=slug, rule="R43") for slug in past.assets)])


def _supply(more: int) -> Effect:
    if more > 0:
        return SupplyPointsGained(amount=more, rule="R1")
    return SupplyPointsSpent(amount=-more, rule="R1")


def _marked(effects: Sequence[Effect]) -> list[Effect]:
    return [replace(effect, why=WHY) for effect in effects]


def _number_problems(force: Force, past: PastRegister) -> Iterator[Problem]:
    for value, least, what in (
        (past.combat_potential, force.combat_potential, gettext("points of Combat Potential")),
        (past.supply_points, 0, gettext("SP")),
        (past.reputation, 0, gettext("Reputation")),
    ):
        if value is not None and not least <= value <= LARGEST:
            yield Problem(
                "R1",
                gettext(
                    "A Register has {least} to {largest} {what}, not {value}.",
                    least=least,
                    largest=LARGEST,
                    what=what,
                    value=value,
                ),
            )


def _agenda_problems(book: Rulebook, force: Force, agendas: Sequence[tuple[str, int]]) -> Iterator[Problem]:
    arc = book.story_arcs.get(force.story_arc)
    ends = {agenda.slug: agenda.progressions_to_complete for agenda in arc.agendas} if arc else {}
    for place, (slug, times) in enumerate(agendas):
        name = book.agendas[slug].name if slug in book.agendas else slug
        if slug not in ends:
            yield Problem("R25", gettext("{name} is no Agenda of its Story Arc.", name=name), slug)
        elif not 0 <= times <= ends[slug]:
            yield Problem(
                "R25",
                ngettext(
                    "{name} progresses {number} time at most, not {times}.",
                    "{name} progresses {number} times at most, not {times}.",
                    ends[slug],
                    name=name,
                    times=times,
                ),
                slug,
            )
        elif slug in [other for other, _ in agendas[:place]]:
            yield Problem("R25", gettext("{name} stands there twice.", name=name), slug)


def _asset_problems(book: Rulebook, past: PastRegister) -> Iterator[Problem]:
    for slug in dict.fromkeys(past.assets):
        if slug not in book.assets:
            yield Problem("R43", gettext("There is no such Strategic Asset."), slug)
        elif past.assets.count(slug) > (most := held_at_most(book, book.assets[slug])):
            yield Problem(
                "R43",
                ngettext(
                    "A Register holds {asset} {number} time at most.",
                    "A Register holds {asset} {number} times at most.",
                    most,
                    asset=book.assets[slug].name,
                ),
                slug,
            )


def take_over_unit(book: Rulebook, force: Force, past: PastUnit) -> list[Effect]:
    """A unit with everything it has become. XP beyond its cap are cut off (R13); each VR owes its Commendation (R15).

    Refuses what `building.add_unit` refuses of the unit itself, upgrades that do not fit (R8) or cannot be paid (R2), a
    VR above its maximum (R12), Commendations beyond its VR or whose requirements it does not meet (R15), a Setback
    that it could not keep twice (R36), and a unit of VR 1 or more without a name (R9).
    """
    key = str(force.next_key)
    taking = _Taking(book, force, key, add_unit(book, force, past.card, name=past.name))
    taking.add(_experience(book, taking.force, key, past))
    refuse_any(_name_problems(taking.dossier))
    for award in past.awards:
        taking.add(_awarded(book, taking.force, key, award))
    for upgrade in past.upgrades:
        taking.add(_upgrade(book, taking.force, key, upgrade))
    for setback in past.setbacks:
        taking.add(_setback(book, taking.dossier, setback))
    return _marked(taking.effects)


class _Taking:
    def __init__(self, book: Rulebook, force: Force, key: str, effects: list[Effect]) -> None:
        self.key, self.effects, self.force = key, list(effects), fold(effects, force)

    @property
    def dossier(self) -> Dossier:
        return self.force.dossiers[self.key]

    def add(self, effects: list[Effect]) -> None:
        self.effects += effects
        self.force = fold(effects, self.force)


def _experience(book: Rulebook, force: Force, key: str, past: PastUnit) -> list[Effect]:
    dossier = force.dossiers[key]
    unit, highest = book.units[dossier.card], maximum_veteran_rank(book, dossier)
    if not 0 <= past.experience <= LARGEST:
        raise refuse(
            "R13",
            gettext("{unit} cannot have {experience} XP.", unit=unit.name, experience=past.experience),
            key,
        )
    if not 0 <= past.veteran_rank <= highest:
        raise refuse(
            "R12",
            gettext(
                "{unit} reaches VR {highest} at most, not {veteran_rank}.",
                unit=unit.name,
                highest=highest,
                veteran_rank=past.veteran_rank,
            ),
            key,
        )
    effects = (
        gain_experience(book, force, key, past.experience, rule="R13", why=WHY) if past.experience else []
    )
    reached = fold(effects, force).dossiers[key].veteran_rank
    beyond = range(reached + 1, past.veteran_rank + 1)
    return [
        *effects,
        *(VeteranRankReached(unit=key, veteran_rank=rank, rule="R14") for rank in beyond),
    ]


def _name_problems(dossier: Dossier) -> Iterator[Problem]:
    if dossier.veteran_rank and not dossier.name:
        yield Problem("R9", gettext("At VR 1 a unit gets a name."), "name")


def _awarded(book: Rulebook, force: Force, key: str, award: Award) -> list[Effect]:
    dossier, card = force.dossiers[key], book.commendations.get(award.commendation)
    if card is None:
        raise refuse("R15", gettext("There is no such Commendation."), award.commendation)
    if not dossier.owed:
        raise refuse(
            "R15",
            gettext("{card}: a unit has one Commendation for each VR at most.", card=card.name),
            card.slug,
        )
    # It may have been awarded during an earlier Story Arc.
    during = replace(force, story_arc=card.story_arc or force.story_arc)
    if why := "; ".join(requirement_problems(book, during, dossier, card)):
        raise refuse(
            "R15",
            gettext(
                "{unit} cannot have {card}: {why}.",
                unit=book.units[dossier.card].name,
                card=card.name,
                why=why,
            ),
            card.slug,
        )
    if award.keyword not in (card.choose_keyword or ("",)):
        words = gettext(" or ").join(card.choose_keyword) or gettext("no keyword")
        raise refuse("R15", gettext("{card}: choose {words}.", card=card.name, words=words), card.slug)
    return [CommendationAwarded(unit=key, commendation=card.slug, keyword=award.keyword, rule="R15")]


def _upgrade(book: Rulebook, force: Force, key: str, slug: str) -> list[Effect]:
    dossier, card = force.dossiers[key], the_upgrade(book, slug)
    refuse_any(upgrade_problems(book, force, dossier, card))
    cards = [book.upgrades[have] for have in dossier.upgrades if have not in dossier.by_commendation]
    printed = all_slots(bearer(book, force, replace(dossier, commendations=())))
    earned = not fits(printed, [*cards, card]) and card.type in commendation_slots_left(book, dossier)
    return [UpgradeAdded(unit=key, upgrade=card.slug, by_commendation=earned, rule="R8")]


def _setback(book: Rulebook, dossier: Dossier, slug: str) -> list[Effect]:
    setback = book.setbacks.get(slug)
    if setback is None:
        raise refuse("R36", gettext("There is no such Setback."), slug)
    if slug in dossier.setbacks and setback.second != "stacks":
        raise refuse("R36", gettext("{setback} cannot be had twice.", setback=setback.name), slug)
    return [SetbackGained(unit=dossier.key, setback=slug, rule="R36")]
