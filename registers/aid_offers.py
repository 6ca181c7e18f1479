"""Aid Requests as they can be made now, and for the rest why not (R41 to R46).

Each offer of one tap carries its whole wish as JSON, the answer that `RequestAid` takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from rules.cards import AidRequest
from rules.equipment import all_slots, bearer, spoken
from rules.force import Dossier, Force
from rules.language import gettext
from rules.post_battle.aid_requests import (
    ACTIVE_RECRUITING,
    MEDICAL_SUPPLIES,
    PROVISIONS,
    REASSIGN,
    REINFORCEMENT_TYPES,
    REINFORCEMENTS,
    SPECIAL_TRAINING,
    STRATEGIC_ASSET,
    Wish,
    aid_request,
)
from rules.refusal import Problem, problems_of
from rules.rulebook import Rulebook
from rules.script import Scene, run
from rules.wording import unit_hint, unit_label

from .offers import Offer, said


@dataclass(frozen=True, slots=True)
class AidOffer:
    """One of the seven requests: what it costs and does, and what it can be made for.

    `open` if the player has just chosen a unit for it, whose upgrades are then the offers; `closed` if its offers are
    looked for when it is opened.
    """

    slug: str
    name: str
    cost: str
    effect: str
    offers: list[Offer]
    refused: list[Offer]
    why: tuple[dict[str, str], ...] = ()
    open: bool = False
    closed: bool = False


def aid_offers(
    book: Rulebook, force: Force, *, request: str = "", unit: str = "", at_once: Collection[str] = ()
) -> list[AidOffer]:
    """All requests; `request` and `unit` are those chosen so far, for a request that brings an upgrade.

    Where some are to be shown `at_once`, the others are closed unless one of them is chosen.
    """
    return [
        _offer(book, force, card, unit if card.slug == request else "", opened=card.slug == request)
        if not at_once or card.slug in (*at_once, request)
        else AidOffer(card.slug, card.name, _cost(card), card.effect, [], [], closed=True)
        for card in book.aid_requests.values()
        if card.slug in _WISHES and not card.retired
    ]


def _cost(card: AidRequest) -> str:
    if card.slug == STRATEGIC_ASSET:
        return gettext("each at its own price")
    return gettext("SP: {cost_text}", cost_text=card.cost_text)


def _offer(book: Rulebook, force: Force, card: AidRequest, unit: str, *, opened: bool) -> AidOffer:
    spent = not card.repeatable and force.requests.get(card.slug, 0) > 0
    every = [] if spent else list(_WISHES[card.slug](book, force, card.slug, unit))
    refused = [offer for offer in every if offer.why]
    why = said(_problems(book, force, Wish(card.slug))) if spent else ()
    if not every and not spent:
        why = ({"rule": "R41", "sentence": gettext("There is no unit for it.")},)
    return AidOffer(
        slug=card.slug,
        name=card.name,
        cost=_cost(card),
        effect=card.effect,
        offers=[offer for offer in every if not offer.why],
        refused=refused,
        why=why,
        open=opened,
    )


def _wished(book: Rulebook, force: Force, wish: Wish, title: str, **words: Any) -> Offer:
    """The offer of a whole wish, refused with every rule it breaks."""
    answer = {word: value for word, value in asdict(wish).items() if value}
    why = said(_problems(book, force, wish))
    return Offer(title, answer="" if why else json.dumps(answer), why=why, **words)


def _problems(book: Rulebook, force: Force, wish: Wish) -> tuple[Problem, ...]:
    scene = Scene(book, force)
    return problems_of(lambda: run(scene, aid_request(scene, wish)))


def _plain(book: Rulebook, force: Force, request: str, unit: str) -> Iterable[Offer]:
    name = book.aid_requests[request].name
    yield _wished(book, force, Wish(request), name, label=gettext("Request {name}", name=name))


def _assets(book: Rulebook, force: Force, request: str, unit: str) -> Iterable[Offer]:
    for asset in (asset for asset in book.assets.values() if not asset.retired):
        wish = Wish(request, asset=asset.slug)
        yield _wished(
            book,
            force,
            wish,
            asset.name,
            note=asset.effect,
            points=gettext("{cost} SP", cost=asset.cost),
            label=gettext("Request {asset}", asset=asset.name),
        )


def _units(book: Rulebook, force: Force, request: str, unit: str) -> Iterable[Offer]:
    for key, dossier in force.dossiers.items():
        yield _for_unit(book, force, Wish(request, unit=key), dossier)


def _wounded(book: Rulebook, force: Force, request: str, unit: str) -> Iterable[Offer]:
    """A unit with several different Setbacks has an offer for each of them (R42)."""
    for key, dossier in force.dossiers.items():
        kinds = sorted(set(dossier.setbacks))
        for slug in kinds:
            wish = Wish(request, unit=key, setback=slug if len(kinds) > 1 else "")
            yield _for_unit(book, force, wish, dossier, f": {book.setbacks[slug].name}")


def _for_unit(book: Rulebook, force: Force, wish: Wish, dossier: Dossier, what: str = "") -> Offer:
    title = unit_label(book, force, dossier.key) + what
    return _wished(
        book,
        force,
        wish,
        title,
        icon=book.units[dossier.card].rank,
        note=unit_hint(book, dossier),
        label=f"{book.aid_requests[wish.request].name}: {title}",
    )


def _upgrades(book: Rulebook, force: Force, request: str, unit: str) -> Iterable[Offer]:
    """First the unit (a link), then an upgrade for it."""
    if unit not in force.dossiers:
        yield from _bearers(book, force, request)
        return
    slots = _slot_types(book, force, force.dossiers[unit])
    for card in book.upgrades.values():
        of_this_request = (card.type in REINFORCEMENT_TYPES) is (request == REINFORCEMENTS)
        if of_this_request and card.type in slots and not card.retired:
            yield _wished(
                book,
                force,
                Wish(request, unit=unit, upgrade=card.slug),
                card.full_name,
                icon=card.type,
                note=spoken(card.type),
                points=card.points,
                label=gettext("Request {card}", card=card.full_name),
            )


def _bearers(book: Rulebook, force: Force, request: str) -> Iterable[Offer]:
    for key, dossier in force.dossiers.items():
        types = _slot_types(book, force, dossier)
        wanted = (
            types & set(REINFORCEMENT_TYPES)
            if request == REINFORCEMENTS
            else types - set(REINFORCEMENT_TYPES)
        )
        if wanted:
            yield Offer(
                title=unit_label(book, force, key),
                icon=book.units[dossier.card].rank,
                note=unit_hint(book, dossier),
                href="?" + urlencode({"request": request, "unit": key}),
            )


def _slot_types(book: Rulebook, force: Force, dossier: Dossier) -> set[str]:
    """Types of all slots the unit has, filled ones included."""
    given = [slot for slug in dossier.upgrades for slot in book.upgrades[slug].grants_slots]
    return {*all_slots(bearer(book, force, dossier)), *given}


_WISHES: Mapping[str, Callable[[Rulebook, Force, str, str], Iterable[Offer]]] = {
    ACTIVE_RECRUITING: _plain,
    MEDICAL_SUPPLIES: _wounded,
    STRATEGIC_ASSET: _assets,
    REINFORCEMENTS: _upgrades,
    SPECIAL_TRAINING: _units,
    PROVISIONS: _upgrades,
    REASSIGN: _units,
}
