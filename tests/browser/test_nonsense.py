"""A phone of 360 px in a language of nonsense, whose words are a third longer: nothing breaks, nothing is English."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from registers.models import Dossier, Register
from registers.options.offers import core_keywords
from tests.browser.walking import Player
from tests.campaign.first_blood import Fought, begin, fall
from tests.languages.conftest import english, locales, nonsense
from tests.languages.reading import data_of, texts_of, untranslated

__all__ = ["english", "locales", "nonsense"]

pytestmark = pytest.mark.django_db(transaction=True)

#: What is wider than the phone or than the box it is in, though that box does not scroll; by tag, class and text.
BROKEN = """() => {
  const named = (element) => `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className}: `
    + element.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
  const wide = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > wide ? ["the page is wider than the phone"] : [];
  for (const element of document.body.querySelectorAll("*")) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!box.width || !box.height || style.visibility === "hidden") continue;
    if (element.closest("svg") || style.clipPath !== "none") continue; // drawn, or to be heard alone
    const scrolls = element.closest(".scroll, [tabindex='0']") || /auto|scroll/.test(style.overflowX);
    const off = (each) => each.getBoundingClientRect().right > wide + 1;
    if (off(element) && ![...element.children].some(off) && !scrolls && !in_scroller(element))
      found.push(`off the phone: ${named(element)}`);
    const holds = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!holds) continue;
    const cuts = !/visible|auto|scroll/.test(style.overflowX) && style.textOverflow !== "ellipsis"; // "…" is on purpose
    if (cuts && element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${named(element)}`);
  }
  function in_scroller(element) {
    for (let at = element.parentElement; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  }
  return found;
}"""


@pytest.fixture
def fought(book) -> Fought:
    return begin()


@pytest.fixture
def known(book, fought) -> list[str]:
    """What comes from cards and people."""
    names = [fought.ada.username, fought.ben.username, fought.battle.campaign.name]
    names += [*Register.objects.values_list("name", flat=True), *Dossier.objects.values_list("name", flat=True)]
    return data_of(
        book, *names, *core_keywords().values(), fought.battle.place, fought.battle.mission, fought.battle.notes
    )


def faults(page: Page, known: list[str]) -> list[str]:
    """What is broken or English on a page as it stands."""
    return [*page.evaluate(BROKEN), *untranslated(texts_of(page.content()), known)]


@pytest.mark.nightly
def test_pages_in_a_longer_language(fought, phone, nonsense, known):
    page = phone(fought.ada, locale=nonsense)
    campaign, register = fought.battle.campaign, fought.blue.register
    places = ["/", "/rules/", f"/campaigns/{campaign.pk}/"]
    places += [f"/campaigns/{campaign.pk}/{part}/" for part in ("people", "battles/new", "chronicle", "rules")]
    places += [f"/battles/{fought.battle.pk}/", f"/registers/{register.pk}/"]
    places += [f"/registers/{register.pk}/{part}/" for part in ("ledger", "building", "dossiers/1", "dossiers/2")]
    found = {}
    for place in places:
        response = page.goto(place)
        assert response is not None, place
        assert response.ok, place
        found[place] = faults(page, known)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.mark.nightly
def test_the_sequence_in_a_longer_language(fought, phone, nonsense, known, monkeypatch):
    fall(monkeypatch, random.Random(7))
    players = [
        Player(phone(user, locale=nonsense), names=[f"Name {number}" for number in range(9)])
        for user in (fought.ada, fought.ben)
    ]
    for player in players:
        player.page.goto(f"/battles/{fought.battle.pk}/sequence/")
    found: dict[str, list[str]] = {}
    names = [*known, *(f"Name {number}" for number in range(9))]
    for player in _in_turn(players):
        if wrong := faults(player.page, names):
            found.setdefault(f"step {player.step}", []).extend(wrong)
    assert {step: sorted(set(wrong)) for step, wrong in found.items()} == {}


def _in_turn(players: list[Player]) -> Iterator[Player]:
    """Each player before each answer, and once at the end."""
    looked = 0
    while not all(player.is_done for player in players):
        asked = [player for player in players if player.is_asked]
        for player in asked:
            yield player
            player.answer()
        looked = 0 if asked or any(player.moves_on(within=500) for player in players) else looked + 1
        assert looked < 20, "both wait, and neither page moves on"
    yield from players
