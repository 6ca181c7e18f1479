"""What the rules of the game have against a Register as a correction left it; what was so before is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from .building import MINIMUM_CORPS, combat_potential_left
from .cards import Upgrade
from .equipment import (
    all_slots,
    bearer,
    equip_problems,
    faction_name,
    fits,
    register_problems,
    shares_faction,
)
from .force import Dossier, Force, everyone
from .founding import MINIMUM_COMMANDERS
from .language import gettext, ngettext
from .post_battle.aid_requests import held_at_most
from .post_battle.commendations import requirement_problems
from .refusal import Problem
from .rulebook import Rulebook
from .veterans import (
    HIGHEST,
    MAXIMUM_VETERAN_RANK,
    THRESHOLDS,
    experience_cap,
    maximum_veteran_rank,
    veteran_rank,
)


def against_rules(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    """All that the rules forbid of `after` and did not have to forbid of `before`; `about` as `Wish.about` has it."""
    for problems in (
        _points, _ranks, _paragon, _arc, _agendas, _trait, _command_cards,
    ):  # fmt: skip
        yield from problems(book, before, after)
    yield from too_many_assets(book, before, after)
    for was, dossier in _units(before, after):
        key = dossier.key
        serves = key in after.dossiers
        if serves and (
            key not in before.dossiers or was.card != dossier.card or before.faction != after.faction
        ):
            yield from _about(f"{key}.card", _belongs(book, after, dossier))
        yield from _unit(book, after, was, dossier)


def numbers_against_rules(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    """The same of what acts add up to in a unit: its training, XP and VR (R12, R13, R44) and its Setbacks (R36)."""
    for was, dossier in _units(before, after):
        yield from _about(f"{dossier.key}.training", _trained(book, was, dossier))
        yield from _experience(book, was, dossier)
        yield from _about(f"{dossier.key}.setbacks", _set_back(book, was, dossier))


def _units(before: Force, after: Force) -> Iterator[tuple[Dossier, Dossier]]:
    """Every unit as it was and as it is."""
    were = everyone(before)
    for key, dossier in everyone(after).items():
        yield were.get(key, Dossier(key=key, card="")), dossier


def _about(place: str, problems: Iterator[Problem]) -> Iterator[Problem]:
    return (Problem(problem.rule, problem.text, place) for problem in problems)


# --- The Register ----------------------------------------------------------------------------------------------------


def _points(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    left = combat_potential_left(book, after)
    if left < 0 and left < combat_potential_left(book, before):
        yield Problem(
            "R2",
            ngettext(
                "The Register would be {number} point above its Combat Potential.",
                "The Register would be {number} points above its Combat Potential.",
                -left,
            ),
            "combat_potential",
        )


def _ranks(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    had, has = (
        Counter(book.units[dossier.card].rank for dossier in force.dossiers.values())
        for force in (before, after)
    )
    needed = {"commander": MINIMUM_COMMANDERS, "corps": MINIMUM_CORPS}
    if after.commissioned and any(
        has[rank] < most and has[rank] < had[rank] for rank, most in needed.items()
    ):
        yield Problem("R4", gettext("A Register has at least 1 commander and 2 corps units."), "units")


def _paragon(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    if after.paragon == before.paragon:
        return
    if before.paragon:
        yield Problem("R6", gettext("The Paragon is the first commander, for good."), "paragon")
    if after.paragon and book.units[after.dossiers[after.paragon].card].rank != "commander":
        yield Problem("R6", gettext("Only a commander is a Paragon."), "paragon")


def _arc(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    if after.story_arc != before.story_arc and after.story_arc not in book.arcs_offered:
        yield Problem("R49", gettext("This Story Arc is not offered in this campaign."), "story_arc")


def _agendas(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    for slug, times in after.agendas.items():
        agenda = book.agendas[slug]
        if times == before.agendas.get(slug):
            continue
        if agenda.story_arc != after.story_arc:
            yield Problem(
                "R25", gettext("{name} is no Agenda of its Story Arc.", name=agenda.name), f"agenda.{slug}"
            )
        elif times > (most := agenda.progressions_to_complete):
            yield Problem(
                "R25",
                ngettext(
                    "{name} progresses {number} time at most, not {times}.",
                    "{name} progresses {number} times at most, not {times}.",
                    most,
                    name=agenda.name,
                    times=times,
                ),
                f"agenda.{slug}",
            )


def _trait(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    trait = after.trait
    if (
        trait
        and trait != before.trait
        and trait.games_left > (most := book.defining_traits[trait.slug].games)
    ):
        yield Problem(
            "R37",
            ngettext(
                "A Defining Trait lasts {number} game at most.",
                "A Defining Trait lasts {number} games at most.",
                most,
            ),
            "trait",
        )


def _command_cards(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    had, has = (len(force.command_cards) + force.command_cards_owed for force in (before, after))
    paragon = after.dossiers.get(after.paragon)
    if has > had and has > (paragon.veteran_rank if paragon else 0):
        yield Problem(
            "R16", gettext("A Paragon unlocks one Command Card for each VR at most."), "command_cards"
        )


def too_many_assets(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    """Strategic Assets that are held more often than they may be, and than they were (R43)."""
    for slug in sorted(set(after.assets)):
        most = held_at_most(book, book.assets[slug])
        if after.assets.count(slug) > max(most, before.assets.count(slug)):
            yield Problem(
                "R43",
                ngettext(
                    "A Register holds {asset} {number} time at most.",
                    "A Register holds {asset} {number} times at most.",
                    most,
                    asset=book.assets[slug].name,
                ),
                "assets",
            )


# --- A unit ----------------------------------------------------------------------------------------------------------


def _belongs(book: Rulebook, force: Force, dossier: Dossier) -> Iterator[Problem]:
    """Cards a Register never holds (R5), and another Faction (R3)."""
    card = book.units[dossier.card]
    yield from register_problems(book, card)
    if not dossier.faction and not shares_faction(card, force.faction):
        yield Problem(
            "R3",
            gettext(
                "{unit} cannot serve in this Register: its Faction is {faction}.",
                unit=card.full_name,
                faction=faction_name(force.faction) if force.faction else gettext("not settled"),
            ),
        )


def _unit(book: Rulebook, after: Force, was: Dossier, now: Dossier) -> Iterator[Problem]:
    if was == now:
        return
    key = now.key
    yield from _about(f"{key}.name", _nameless(book, was, now))
    yield from _about(f"{key}.training", _trained(book, was, now))
    yield from _experience(book, was, now)
    yield from _about(f"{key}.upgrades", _equipped(book, after, was, now))
    yield from _about(f"{key}.commendations", _commended(book, after, was, now))
    yield from _about(f"{key}.setbacks", _set_back(book, was, now))


def _nameless(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Problem]:
    if now.name:
        return
    if book.units[now.card].rank in ("commander", "operative") and (was.name or was.card != now.card):
        yield Problem("R7", gettext("Commanders and operatives have a name."))
    elif now.veteran_rank and (was.name or not was.veteran_rank):
        yield Problem("R9", gettext("At VR 1 a unit gets a name."))


def _trained(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Problem]:
    if (
        now.training > was.training
        and MAXIMUM_VETERAN_RANK[book.units[now.card].rank] + now.training > HIGHEST
    ):
        yield Problem("R44", gettext("Its maximum is VR {highest} already.", highest=HIGHEST))


def _experience(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Problem]:
    if (was.experience, was.veteran_rank, was.training, was.card) == (
        now.experience, now.veteran_rank, now.training, now.card,
    ):  # fmt: skip
        return
    cap, highest = experience_cap(book, now), maximum_veteran_rank(book, now)
    if book.house.last_gain == "whole":
        cap = THRESHOLDS[HIGHEST]
    if now.experience > cap:
        yield Problem("R13", gettext("Its XP stop at {cap}.", cap=cap), f"{now.key}.experience")
    if now.veteran_rank > highest:
        text = gettext("It reaches VR {highest} at most.", highest=highest)
        yield Problem("R12", text, f"{now.key}.veteran_rank")
    elif now.veteran_rank < (given := min(veteran_rank(now.experience), highest)):
        text = gettext("Its XP give VR {veteran_rank}.", veteran_rank=given)
        yield Problem("R12", text, f"{now.key}.veteran_rank")


def _equipped(book: Rulebook, force: Force, was: Dossier, now: Dossier) -> Iterator[Problem]:
    """What it has (R5, R8), if its card, its upgrades or its Commendations became others."""
    if (was.card, was.upgrades, was.commendations) == (now.card, now.upgrades, now.commendations):
        return
    unit = bearer(book, force, now)
    cards: list[Upgrade] = [book.upgrades[slug] for slug in now.upgrades]
    kept = [card for card in cards if card.slug in was.upgrades and was.card == now.card]
    new = [card for card in cards if card not in kept]
    for card in new:
        yield from register_problems(book, card)
    if new:
        had = [book.upgrades[slug] for slug in was.upgrades]
        yield from equip_problems(unit, kept, new, before=had)
    elif not fits(all_slots(unit), cards):
        yield Problem("R8", gettext("{unit} has no slot for all of its upgrades.", unit=unit.card.name))


def _commended(book: Rulebook, force: Force, was: Dossier, now: Dossier) -> Iterator[Problem]:
    """Commendations that it did not have, against what it is now (R15); they may be of an earlier Story Arc."""
    for slug in (slug for slug in now.commendations if slug not in was.commendations):
        card = book.commendations[slug]
        during = replace(force, story_arc=card.story_arc or force.story_arc)
        rest = replace(now, commendations=tuple(other for other in now.commendations if other != slug))
        if why := "; ".join(requirement_problems(book, during, rest, card)):
            yield Problem("R15", f"{card.name}: {why}.")


def _set_back(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Problem]:
    """Setbacks that cannot be had twice (R36)."""
    for slug in sorted(set(now.setbacks)):
        card = book.setbacks[slug]
        if card.second != "stacks" and now.setbacks.count(slug) > max(1, was.setbacks.count(slug)):
            yield Problem("R36", gettext("{setback} cannot be had twice.", setback=card.name))
