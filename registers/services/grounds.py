"""What later acts of a Register stand on, so that it cannot be taken from under them."""

from __future__ import annotations

from collections.abc import Iterator

from rules.building import combat_potential_left
from rules.cards import MERCENARY
from rules.equipment import all_slots, bearer, fits
from rules.force import Dossier, Force
from rules.language import gettext, ngettext
from rules.post_battle.aid_requests import held_at_most
from rules.refusal import Problem
from rules.rulebook import Rulebook
from rules.wording import unit_label


def built_upon(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    """What stands without the ground it was built on, though every entry by itself could happen.

    What was wrong before, say by a newer catalogue, is no hindrance.
    """
    yield from _homeless(book, after)
    left = combat_potential_left(book, after)
    if left < 0 and left < combat_potential_left(book, before):
        yield Problem(
            "R2",
            ngettext(
                "Without it the Register would be {number} point above its Combat Potential.",
                "Without it the Register would be {number} points above its Combat Potential.",
                -left,
            ),
        )
    if after.commissioned and not (after.paragon and after.faction and after.name and after.story_arc):
        yield Problem("R10", gettext("A commissioned Register needs it."))
    elif after.paragon and after.paragon not in after.dossiers:
        yield Problem("R6", gettext("The Paragon is a unit that serves on the Register."))
    for slug in sorted(set(after.assets)):
        if after.assets.count(slug) > max(held_at_most(book, book.assets[slug]), before.assets.count(slug)):
            yield Problem(
                "R43", gettext("{asset} has been requested again since.", asset=book.assets[slug].name), slug
            )
    for key, dossier in after.dossiers.items():
        was = {**before.fallen, **before.reassigned, **before.dossiers}.get(key, Dossier(key, dossier.card))
        yield from _broken(book, after, was, dossier)


def _homeless(book: Rulebook, force: Force) -> Iterator[Problem]:
    cards = [book.units[dossier.card] for dossier in force.dossiers.values() if not dossier.faction]
    if not force.paragon and any(card.rank == "commander" for card in cards):
        yield Problem(
            "R6", gettext("The Paragon can be taken back only when no other commander has joined since.")
        )
    if not force.faction and any(card.faction != MERCENARY for card in cards):
        yield Problem(
            "R3", gettext("This unit settled the Faction of those who joined since: take them back first.")
        )


def _broken(book: Rulebook, force: Force, was: Dossier, now: Dossier) -> Iterator[Problem]:
    name = unit_label(book, force, now.key)
    for slug in sorted(set(now.setbacks)):
        single = book.setbacks[slug].second != "stacks"
        if single and now.setbacks.count(slug) > max(1, was.setbacks.count(slug)):
            yield Problem(
                "R36",
                gettext(
                    "{name} has gained {setback} again since.", name=name, setback=book.setbacks[slug].name
                ),
                now.key,
            )
    slots = all_slots(bearer(book, force, now))
    fitting = fits(slots, [book.upgrades[slug] for slug in now.upgrades])
    if was.commendations != now.commendations and not fitting:
        yield Problem("R8", gettext("{name} has filled its slot.", name=name), now.key)
