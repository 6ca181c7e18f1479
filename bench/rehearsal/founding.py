"""How people come to a Register: by hand, card by card, or from a list that somebody has already."""

import re

from playwright.sync_api import Locator

from bench.rehearsal.person import Person

#: Points of the rulebook's 600 that are kept for the corps units that come after the commander.
LEADER, CORPS, UNITS = 140, 90, 5


def found_by_hand(person: Person, campaign: str, faction: str, name: str, arc: str = "") -> str:
    """Build a Register in the campaign, and return where its page is. It is created too early first."""
    person.open(campaign)
    person.unfold("New Register")
    person.option(faction).click()
    person.press("Start building")
    _add(person, "commander", LEADER, called=f"Captain {name.split()[0]}")
    for _ in range(UNITS - 1):
        _add(person, "corps", CORPS)
    commission(person, name, arc)
    return person.path


def commission(person: Person, name: str, arc: str = "") -> None:
    """From the units on: Aid Requests, Story Arc, name. Commissioned too early first, which is refused."""
    here = person.path
    person.open(f"{here}?stage=name")
    person.fill(register_name=name)
    with person.errs(422):
        person.press("Create Register")
    person.open(f"{here}?stage=aid")
    request(person)
    person.open(f"{here}?stage=arc")
    choices = person.page.get_by_role("button", name=re.compile(f"^Choose {arc}"))
    person.touch(person.any_of(choices))
    person.open(f"{here}?stage=name")
    person.fill(register_name=name)
    person.press("Create Register")
    person.reads("Register created")
    person.follow("Open Register")


def request(person: Person) -> None:
    """Make an Aid Request, if one is offered that a tap says all of."""
    person.unfold("Active Recruiting")
    offered = person.page.locator("main button[name='answer']:visible, main .offer button:visible")
    if offered.count():
        person.touch(person.any_of(offered))


def _add(person: Person, rank: str, most: int, called: str = "") -> None:
    """Add a unit of that rank for so many points at most."""
    shelf = person.page.locator(f"form[action*='rank={rank}'] > details")
    if not shelf.count():
        return
    if shelf.get_attribute("open") is None:
        shelf.locator("> summary").click()
    offers = [each for each in shelf.locator("> .offer").all() if _points(each) <= most]
    if not offers:
        return
    offer = person.random.choice(offers)
    add = offer.get_by_role("button")
    if add.count() and not called:
        person.touch(add)
        return
    person.touch(offer.get_by_role("link").first)
    if called:
        person.fill(name=called)
    for group in person.page.locator("main fieldset:has([type='radio'][required])").all():
        group.locator("[type='radio']").first.check()
    person.touch(person.page.locator("main .action-bar .button--primary").last)


def _points(offer: Locator) -> int:
    return int(offer.locator(".offer__points").inner_text() or 0)


def found_from_list(person: Person, campaign: str, text: str, name: str, arc: str = "") -> str:
    """Found and commission a Register out of a list; a first one is no list at all."""
    person.open(campaign)
    person.unfold("New Register")
    person.follow("Import a list")
    person.fill(text="\n")
    with person.errs(422):
        person.press("Read list")
    person.fill(text=text)
    person.press("Read list")
    for field in person.page.locator("input[name^='name-']").all():
        if not field.input_value():
            field.fill(f"Captain {name.split()[0]}")
    person.fill(register_name=name)
    person.press("Create Register")
    if person.has("#lines"):  # a name was asked for, or a line had to be decided
        person.press("Create Register")
    commission(person, name, arc)
    return person.path
