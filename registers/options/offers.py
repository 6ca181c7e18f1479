"""Offers for a Register, with their costs: units, upgrades, Aid Requests."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, field, replace
from functools import cache, lru_cache
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import get_language, gettext, ngettext

from core.form_errors import as_context
from ops.paths import BASE_DIR
from rules.battle.army import rank_limits_for
from rules.core.card_types import MERCENARY, RANKS, UPGRADE_TYPES, AidRequest, Unit, Upgrade, keyword_name
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import Violation, violations_of
from rules.post_battle import aid_requests as aid
from rules.post_battle.casualties import MEDEVAC
from rules.post_battle.dialogue import Context, run
from rules.register import building
from rules.register.labels import unit_hint, unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import all_slots, bearer, card_ban_violations, compulsory, may_equip, spoken
from rules.register.veterans import HIGHEST, maximum_veteran_rank

#: Most upgrades that a search lists; one more letter narrows it down.
MOST_UPGRADES = 8
#: A unit form shows so many upgrades at once; more are folded by type.
FEW_UPGRADES = 14
#: Most Aid Requests that are suggested before all of them, and most units of these for Medical Supplies.
MOST_SUGGESTED, MOST_WOUNDED = 5, 2


class Offer(Value):
    """An option to choose, or `why` it cannot be chosen. `leaves` if the unit or card would leave the Register.

    `points` are army points, or a price in words. `answer` is what its button posts, `href` the page with the next
    choice. A unit card has `keywords`, and a `key` for its button; `number` says how many units of it the Register has.
    """

    title: str
    icon: str = ""
    note: str = ""
    points: int | str = ""
    answer: str = ""
    href: str = ""
    why: tuple[dict[str, str], ...] = ()
    label: str = ""
    leaves: bool = False
    keywords: str = ""
    number: int = 0
    key: str = ""


class Shelf(Value):
    """The offers of one rank and those refused. A `closed` one has only their `number`.

    `use` says in words how many units of the rank a battle of the Register's size takes (R18).
    """

    slug: str
    name: str
    use: str = ""
    offers: list[Offer] = field(default_factory=list)
    refused: list[Offer] = field(default_factory=list)
    number: int = 0
    closed: bool = False


def shelves(book: Rulebook, state: RegisterState, *, query: str = "", rank: str = "") -> list[Shelf]:
    """Return all units by rank, those of one rank, or those a search finds; mercenaries last.

    Refused units of other Factions are listed only if they were searched for.
    """
    matches, left = _matcher(query), building.combat_potential_left(book, state)
    have = Counter(dossier.card for dossier in state.dossiers.values())
    found = {slug: _shelf(book, state, slug) for slug in RANKS if rank in ("", slug)}
    for card in sorted(book.units.values(), key=lambda card: card.faction == MERCENARY):
        if card.rank not in found or not matches(card) or card.retired:
            continue
        if building.may_add_unit(book, state, card, (), left=left):
            found[card.rank].offers.append(_unit_offer(card, number=have[card.slug]))
        elif query or state.faction in (card.faction, "", *card.hireable_by):
            why = as_context(_unit_violations(book, state, card))
            found[card.rank].refused.append(_unit_offer(card, why, number=have[card.slug]))
    return [replace(shelf, number=len(shelf.offers)) for shelf in found.values()]


def closed_shelves(book: Rulebook, state: RegisterState, *, rank: str) -> list[Shelf]:
    """Return all ranks, with offers only for the open `rank`, which takes a fraction of the time."""
    left = building.combat_potential_left(book, state)
    joining = Counter(
        card.rank
        for card in book.units.values()
        if not card.retired and building.may_add_unit(book, state, card, (), left=left)
    )
    opened = {shelf.slug: shelf for shelf in shelves(book, state, rank=rank)} if rank in RANKS else {}
    return [opened.get(slug) or replace(_shelf(book, state, slug), number=joining[slug], closed=True) for slug in RANKS]


def _shelf(book: Rulebook, state: RegisterState, rank: str) -> Shelf:
    limits = rank_limits_for(book, state.combat_potential)
    use = ""
    if limits and rank in limits.limits:
        least, most = limits.limits[rank]
        span = str(least) if least == most else f"{least}–{most}"
        use = gettext("%(span)s in %(game)s battles") % {"span": span, "game": limits.name}
    return Shelf(rank, spoken(rank).capitalize(), use=use)


def upgrade_search(book: Rulebook, state: RegisterState, query: str) -> list[Offer]:
    """Return upgrades that a search finds, each with the first unit that may join with it, or why none may."""
    matches = _matcher(query)
    cards = [card for card in book.upgrades.values() if not card.retired and matches(card)]
    if not cards:
        return []
    left = building.combat_potential_left(book, state)
    units = [(unit, {*unit.upgrade_slots, *compulsory(unit)}) for unit in book.units.values() if not unit.retired]

    @cache
    def joins(unit: str) -> bool:
        """Return whether the unit may join alone; if not, it cannot with upgrades either. Cached for many cards."""
        return building.may_add_unit(book, state, book.units[unit], (), left=left)

    def bearers(card: Upgrade) -> Iterator[Unit]:
        for unit, slots in units:
            if (
                (card.type in slots or card.name in slots)
                and joins(unit.slug)
                and building.may_join_with(book, state, unit, [card], left=left)
            ):
                yield unit

    return [_upgrade_find(book, card, bearers(card)) for card in cards[:MOST_UPGRADES]]


def unit_choice(
    book: Rulebook, state: RegisterState, slug: str, ticked: Collection[str] = (), query: str = ""
) -> dict[str, Any] | None:
    """Return the upgrades that the unit card `slug` may join with, those ticked, and why it may not join (R7, R8); None
    for an unknown card. `required` are its compulsory upgrades, `slots` the others by type. `facts` and `keywords` are
    printed on its card.
    """
    if (card := book.units.get(slug)) is None:
        return None
    bare, wanted, matches = _unit_violations(book, state, card), compulsory(card), _matcher(query)
    in_the_way = {violation.rule for violation in bare}
    offers: dict[str, list[dict[str, Any]]] = {}
    required: dict[str, list[dict[str, Any]]] = {each: [] for each in wanted}
    refused = []
    printed = Counter(card.upgrade_slots)
    types = {*printed, *wanted}
    for upgrade in book.upgrades.values():
        if upgrade.retired or not {upgrade.type, upgrade.name} & types:
            continue
        violations = _unit_violations(book, state, card, upgrade.slug)
        why = as_context(violation for violation in violations if violation.rule not in in_the_way)
        if not why or upgrade.slug in ticked:
            tick = {
                "value": upgrade.slug,
                "label": upgrade.full_name,
                "note": upgrade.points,
                "keywords": ", ".join(upgrade.keywords),
                "checked": upgrade.slug in ticked,
            }
            place = next((each for each in wanted if each in (upgrade.type, upgrade.name)), None)
            if place:
                required[place].append(tick)
            if not place or printed[upgrade.type] > wanted.count(upgrade.type) > 0:
                offers.setdefault(upgrade.type, []).append(tick)
        elif matches(upgrade):
            refused.append(Offer(upgrade.full_name, upgrade.type, spoken(upgrade.type), upgrade.points, why=why))
    for ticks in required.values():
        if len(ticks) == 1:
            ticks[0]["checked"] = True
    left = building.combat_potential_left(book, state) - card.points
    fits = sum(min((tick["note"] for tick in ticks), default=0) for ticks in required.values()) <= left
    few = sum(map(len, offers.values())) <= FEW_UPGRADES
    return {
        "card": card,
        "needs_name": card.rank in ("commander", "operative"),
        "allowance": building.joining_allowance(card),
        "required": [
            {
                "name": building.upgrade_words(each),
                "icon": each if each in UPGRADE_TYPES else "gear",
                "ticks": ticks,
                "compulsory": fits,
            }
            for each, ticks in required.items()
        ],
        "slots": [
            {
                "type": type_,
                "name": spoken(type_).capitalize(),
                "ticks": offers[type_],
                "open": few or any(tick["checked"] for tick in offers[type_]),
            }
            for type_ in sorted(offers)
        ],
        "refused": refused,
        "why": as_context(bare),
        "facts": _facts(card),
        "keywords": [{"name": keyword, "text": core_keyword_text(keyword)} for keyword in card.keywords],
        "is_paragon": card.rank == "commander" and not state.paragon,
    }


def changed_unit_choice(
    book: Rulebook, state: RegisterState, key: str, joined_with: Collection[str] | None, ticked: Collection[str]
) -> dict[str, Any] | None:
    """Return what a unit of a Register being built may have instead (R7, R10); None for an unknown unit.

    `joined_with` are the upgrades with which it joined, None for an imported unit, which can only be renamed or
    removed; `ticked` those to show as ticked. `later` are upgrades from Aid Requests, which stay.
    """
    dossier = state.dossiers.get(key)
    choice = dossier and unit_choice(book, building.without_unit(state, key), dossier.card, ticked)
    if not dossier or not choice:
        return None
    choice |= {"change": key, "label": unit_label(book, state, key), "is_paragon": key == state.paragon}
    if joined_with is None:
        return choice | {"imported": True, "required": [], "slots": [], "refused": []}
    later = [book.upgrades[slug].full_name for slug in dossier.upgrades if slug not in joined_with]
    return choice | {"later": ", ".join(later)}


@cache
def core_keywords() -> Mapping[str, str]:
    """Return what each keyword of the core rules does, in a sentence, by its name without a value."""
    found: Mapping[str, str] = json.loads((BASE_DIR / "fixtures" / "keywords.json").read_text(encoding="utf-8"))
    return found


def core_keyword_text(keyword: str) -> str:
    """Return what a printed keyword does ("Precise 1"); empty for one that is not explained."""
    return core_keywords().get(keyword_name(keyword), "")


def _facts(card: Unit) -> str:
    """Return the printed values that say what a unit is for: rank, type, minis, wounds, courage, speed, defense."""
    parts = [spoken(card.rank).capitalize(), spoken(card.unit_type)]
    if card.minis > 1:
        parts.append(ngettext("%(number)s mini", "%(number)s minis", card.minis) % {"number": card.minis})
    if card.wounds:
        parts.append(ngettext("%(number)s wound", "%(number)s wounds", card.wounds) % {"number": card.wounds})
    if card.courage.isdecimal():
        parts.append(gettext("courage %(number)s") % {"number": card.courage})
    if card.resilience.isdecimal():
        parts.append(gettext("resilience %(number)s") % {"number": card.resilience})
    if card.speed:
        parts.append(gettext("speed %(number)s") % {"number": card.speed})
    if card.defense_die:
        parts.append(gettext("%(color)s defense die") % {"color": spoken(card.defense_die)})
    return " · ".join(parts)


def units_with_upgrades_due(book: Rulebook, state: RegisterState, *, opened: str = "") -> list[dict[str, Any]]:
    """Return the units to which an edit may add upgrades, with the upgrades of the unit `opened` only."""
    found: list[dict[str, Any]] = []
    for key, dossier in state.dossiers.items():
        if any(card.slug not in dossier.upgrades for card in _open_to(book, dossier)):
            found += (
                upgrade_offers(book, state, [dossier])
                if key == opened
                else [{"key": key, "name": unit_label(book, state, key), "closed": True}]
            )
    return found


def upgrade_offers(
    book: Rulebook, state: RegisterState, dossiers: Iterable[Dossier] | None = None
) -> list[dict[str, Any]]:
    """Return upgrades that an edit may add to units of the Register: earned by a Commendation, or compulsory (R8)."""
    found = []
    for dossier in state.dossiers.values() if dossiers is None else dossiers:
        offers = [
            Offer(
                card.full_name,
                card.type,
                spoken(card.type),
                card.points,
                answer=json.dumps({"upgrade": {"unit": dossier.key, "upgrade": card.slug}}),
                why=why,
                label=gettext("Add %(card)s") % {"card": card.full_name},
            )
            for card in _open_to(book, dossier)
            for why in [
                as_context(violations_of(lambda c=card, d=dossier: building.add_upgrade(book, state, d.key, c.slug)))
            ]
            if card.slug not in dossier.upgrades
        ]
        if offers:
            found.append(
                {
                    "key": dossier.key,
                    "name": unit_label(book, state, dossier.key),
                    "offers": [offer for offer in offers if not offer.why],
                    "refused": [offer for offer in offers if offer.why],
                }
            )
    return found


def units_to_name(book: Rulebook, state: RegisterState) -> list[dict[str, str]]:
    """Return every unit with its name, those that need a name first (R9)."""
    units = [
        {
            "key": key,
            "name": dossier.name,
            "label": unit_label(book, state, key),
            "note": unit_hint(book, dossier),
            "wanted": bool(dossier.veteran_rank and not dossier.name),
        }
        for key, dossier in state.dossiers.items()
    ]
    return sorted(units, key=lambda unit: not unit["wanted"])


def units_to_let_go(book: Rulebook, state: RegisterState) -> list[Offer]:
    """Return the units that a Register above its Combat Potential may let go, if the campaign rules say so (R2)."""
    if not building.must_let_go(book, state):
        return []
    return [
        Offer(
            title=unit_label(book, state, key),
            icon=book.units[dossier.card].rank,
            note=unit_hint(book, dossier),
            points=building.dossier_points(book, dossier),
            answer=json.dumps({"let_go": {"unit": key}}),
            label=gettext("Dismiss %(unit)s") % {"unit": unit_label(book, state, key)},
            leaves=True,
        )
        for key, dossier in state.dossiers.items()
        if key != state.paragon
    ]


def _unit_offer(card: Unit, why: tuple[dict[str, str], ...] = (), *, number: int = 0) -> Offer:
    by_tap = card.rank not in ("commander", "operative") and not compulsory(card)
    kind = [spoken(card.unit_type).capitalize(), gettext("mercenary") if card.hireable_by else ""]
    return Offer(
        title=card.full_name,
        icon=card.rank,
        note=" · ".join(filter(None, kind)),
        keywords=", ".join(keyword for keyword in card.keywords if not keyword.startswith("Mercenary:")),
        number=number,
        key=card.slug,
        points=card.points,
        answer=json.dumps({"add": {"unit": card.slug}}) if by_tap and not why else "",
        href="" if why else "?" + urlencode({"unit": card.slug}),
        why=why,
        label=gettext("Add %(card)s") % {"card": card.full_name},
    )


def _unit_violations(book: Rulebook, state: RegisterState, card: Unit, *upgrades: str) -> tuple[Violation, ...]:
    return violations_of(lambda: building.add_unit(book, state, card.slug, upgrades=upgrades, name=card.name))


def _matcher(query: str) -> Callable[[Unit | Upgrade], bool]:
    words, language = query.casefold().split(), get_language()

    def matches(card: Unit | Upgrade) -> bool:
        text = _searched(card.full_name, getattr(card, "type", ""), language)
        return all(word in text for word in words)

    return matches


@lru_cache(maxsize=4096)
def _searched(name: str, type_: str, _language: str | None) -> str:
    return f"{name} {spoken(type_)}".casefold()


def _upgrade_find(book: Rulebook, card: Upgrade, may_bring: Iterator[Unit]) -> Offer:
    offer = Offer(card.full_name, card.type, spoken(card.type), card.points)
    if never := as_context(card_ban_violations(book, card)):
        return replace(offer, why=never)
    # Three are named; a fourth only shows that there are more.
    if not (bearers := list(islice(may_bring, 4))):
        return replace(
            offer,
            why=as_context([Violation("R8", gettext("None of the units you can add now can take this upgrade."))]),
        )
    first = ", ".join(unit.name for unit in bearers[:3]) + (" …" if len(bearers) > 3 else "")
    return replace(
        offer,
        note=gettext("%(type)s, with %(first)s") % {"type": spoken(card.type), "first": first},
        href="?" + urlencode({"unit": bearers[0].slug, "upgrades": card.slug}),
    )


def _open_to(book: Rulebook, dossier: Dossier) -> Iterator[Upgrade]:
    """Yield cards of the types that an edit may add to this unit, even if other rules forbid them."""
    wanted = {*building.missing_upgrades(book, dossier), *building.commendation_slots_left(book, dossier)}
    if not wanted:
        return
    for card in book.upgrades.values():
        if not card.retired and {card.type, card.name} & wanted:
            yield card


def aid_offers(
    book: Rulebook, state: RegisterState, *, request: str = "", unit: str = "", at_once: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return all Aid Requests. `request` and `unit` are those chosen so far; requests not in `at_once` are closed:
    their offers are not computed. `unit` of one is the unit chosen for an upgrade, `groups` are the upgrades by type.
    """
    return [
        _offer(book, state, card, request, unit, closed=bool(at_once) and card.slug not in (*at_once, request))
        for card in book.aid_requests.values()
        if card.slug in _WISHES and not card.retired
    ]


def suggested_aid(book: Rulebook, state: RegisterState, *, defeated: int = 0) -> list[Offer]:
    """Return the Aid Requests that this Register has a reason for and can make now, each with its reason as `note`.

    `defeated` is how many of its units were defeated in the battle just fought. Active Recruiting, which needs no
    choice, comes last, with or without a reason.
    """
    *found, recruiting = _suggestions(book, state, defeated)
    possible = [offer for offer in found if not offer.why][: MOST_SUGGESTED - 1]
    return possible if recruiting.why else [*possible, recruiting]


def _suggestions(book: Rulebook, state: RegisterState, defeated: int) -> Iterator[Offer]:
    def wished(wish: aid.RequestedAid, reason: str, cost: int = 0) -> Offer:
        card, unit = book.aid_requests[wish.request], state.dossiers.get(wish.unit)
        title = f"{card.name}: {unit_label(book, state, wish.unit)}" if unit else card.name
        price = gettext("%(cost)s SP") % {"cost": cost} if cost else _cost(book, card, unit)
        return _wished(book, state, wish, title, note=reason, points=price)

    units = sorted(state.dossiers.values(), key=lambda unit: -unit.experience)
    wounded = sorted((unit for unit in units if unit.setbacks), key=lambda unit: -len(unit.setbacks))
    for unit in wounded[:MOST_WOUNDED]:
        reason = ngettext("Has %(number)s Setback", "Has %(number)s Setbacks", len(unit.setbacks))
        yield wished(aid.RequestedAid(aid.MEDICAL_SUPPLIES, unit=unit.key), reason % {"number": len(unit.setbacks)})
    if defeated and (asset := book.assets.get(MEDEVAC)):
        reason = ngettext("%(number)s unit was defeated.", "%(number)s units were defeated.", defeated)
        offer = wished(aid.RequestedAid(aid.STRATEGIC_ASSET, asset=asset.slug), asset.effect, asset.cost)
        yield replace(offer, title=asset.name, note=f"{reason % {'number': defeated}} {asset.effect}")
    trained = [unit for unit in units if unit.veteran_rank == maximum_veteran_rank(book, unit) < HIGHEST]
    for unit in trained[:1]:
        reason = gettext("At its maximum, Veteran Rank %(rank)s") % {"rank": unit.veteran_rank}
        yield wished(aid.RequestedAid(aid.SPECIAL_TRAINING, unit=unit.key), reason)
    for request in (aid.REINFORCEMENTS, aid.PROVISIONS):
        yield from islice(_empty_slots(book, state, request, units), 1)
    card, points = book.aid_requests[aid.ACTIVE_RECRUITING], building.combat_potential_left(book, state)
    full = gettext("No corps unit fits the %(points)s points left.") % {"points": points}
    note = card.effect if building.affordable_corps(book, state) else f"{full} {card.effect}"
    yield wished(aid.RequestedAid(card.slug), note)


def _empty_slots(book: Rulebook, state: RegisterState, request: str, units: Iterable[Dossier]) -> Iterator[Offer]:
    """Yield links to the units with an empty slot of this request, of the first few that could have a card for it."""
    card = book.aid_requests[request]
    if not card.repeatable and state.requests.get(request):
        return
    for unit in units:
        bears, has = bearer(book, state, unit), [book.upgrades[slug] for slug in unit.upgrades]
        if not may_equip(bears, has):  # nor any card more
            continue
        left = Counter(_slot_types(book, state, unit)) - Counter(each.type for each in has)
        fitting = (each for each in book.upgrades.values() if each.type in left and may_equip(bears, [*has, each]))
        offers = _upgrades(book, state, request, unit.key, cards=fitting)
        if allowed := next((offer for offer in offers if not offer.why), None):
            reason = gettext("Empty slot: %(type)s") % {"type": spoken(allowed.icon)}
            title, href = unit_label(book, state, unit.key), "?" + urlencode({"request": request, "unit": unit.key})
            yield Offer(f"{card.name}: {title}", note=reason, points=_cost(book, card, unit), href=href)


def _offer(
    book: Rulebook, state: RegisterState, card: AidRequest, request: str, unit: str, *, closed: bool
) -> dict[str, Any]:
    opened = card.slug == request
    spent = not closed and not card.repeatable and state.requests.get(card.slug, 0) > 0
    every = [] if spent or closed else list(_WISHES[card.slug](book, state, card.slug, unit if opened else ""))
    why = as_context(_violations(book, state, aid.RequestedAid(card.slug))) if spent else ()
    if not every and not spent and not closed:
        why = ({"rule": "R41", "sentence": gettext("No unit of your Register can use this now.")},)
    offers = [offer for offer in every if not offer.why]
    chosen = opened and card.slug in (aid.REINFORCEMENTS, aid.PROVISIONS) and unit in state.dossiers
    return {
        "slug": card.slug,
        "name": card.name,
        "cost": _cost(book, card),
        "effect": card.effect,
        "offers": offers,
        "refused": [offer for offer in every if offer.why],
        "why": why,
        "open": opened,
        "closed": closed,
        "unit": unit_label(book, state, unit) if chosen else "",
        "groups": _by_type(offers) if chosen else [],
    }


def _by_type(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """Return offers of upgrades in groups, one for each type."""
    groups: dict[str, list[Offer]] = {}
    for offer in offers:
        groups.setdefault(offer.icon, []).append(offer)
    return [{"icon": type_, "name": spoken(type_).capitalize(), "offers": groups[type_]} for type_ in sorted(groups)]


def _cost(book: Rulebook, card: AidRequest, unit: Dossier | None = None) -> str:
    """Return the price of an Aid Request in words, for a unit if one is chosen."""
    if card.slug == aid.STRATEGIC_ASSET:
        costs = sorted({asset.cost for asset in book.assets.values() if not asset.retired})
        if len(costs) > 1:
            return gettext("%(least)s–%(most)s SP each") % {"least": costs[0], "most": costs[-1]}
        return gettext("%(cost)s SP each") % {"cost": costs[0] if costs else 0}
    if card.cost is None and "veteran rank" in card.cost_text:
        if unit:
            return gettext("%(cost)s SP") % {"cost": max(1, unit.veteran_rank)}
        return gettext("1 SP per Veteran Rank (min. 1)")
    if card.cost is None:
        return gettext("%(cost)s SP") % {"cost": card.cost_text}
    return gettext("%(cost)s SP") % {"cost": card.cost}


def _wished(book: Rulebook, state: RegisterState, wish: aid.RequestedAid, title: str, **words: Any) -> Offer:
    answer = {word: value for word, value in asdict(wish).items() if value}
    why = as_context(_violations(book, state, wish))
    return Offer(title, answer="" if why else json.dumps(answer), why=why, **words)


def _violations(book: Rulebook, state: RegisterState, wish: aid.RequestedAid) -> tuple[Violation, ...]:
    context = Context(book, state)
    return violations_of(lambda: run(context, aid.aid_request(context, wish)))


def _plain(book: Rulebook, state: RegisterState, request: str, unit: str) -> Iterable[Offer]:
    name = book.aid_requests[request].name
    yield _wished(book, state, aid.RequestedAid(request), name, label=gettext("Request %(name)s") % {"name": name})


def _assets(book: Rulebook, state: RegisterState, request: str, unit: str) -> Iterable[Offer]:
    for asset in (asset for asset in book.assets.values() if not asset.retired):
        wish = aid.RequestedAid(request, asset=asset.slug)
        yield _wished(
            book, state, wish, asset.name, note=asset.effect, points=gettext("%(cost)s SP") % {"cost": asset.cost},
            label=gettext("Request %(asset)s") % {"asset": asset.name},
        )  # fmt: skip


def _units(book: Rulebook, state: RegisterState, request: str, unit: str) -> Iterable[Offer]:
    for key, dossier in state.dossiers.items():
        yield _for_unit(book, state, aid.RequestedAid(request, unit=key), dossier)


def _wounded(book: Rulebook, state: RegisterState, request: str, unit: str) -> Iterable[Offer]:
    """Yield an offer for each unit and each of its different Setbacks (R42)."""
    for key, dossier in state.dossiers.items():
        kinds = sorted(set(dossier.setbacks))
        for slug in kinds:
            wish = aid.RequestedAid(request, unit=key, setback=slug if len(kinds) > 1 else "")
            yield _for_unit(book, state, wish, dossier, f": {book.setbacks[slug].name}")


def _for_unit(book: Rulebook, state: RegisterState, wish: aid.RequestedAid, dossier: Dossier, what: str = "") -> Offer:
    title = unit_label(book, state, dossier.key) + what
    return _wished(
        book, state, wish, title, icon=book.units[dossier.card].rank, note=unit_hint(book, dossier),
        label=f"{book.aid_requests[wish.request].name}: {title}",
    )  # fmt: skip


def _upgrades(
    book: Rulebook, state: RegisterState, request: str, unit: str, *, cards: Iterable[Upgrade] | None = None
) -> Iterable[Offer]:
    """Yield first the units (as links), then the upgrades for the chosen unit: all of its types, or `cards` alone."""
    if unit not in state.dossiers:
        yield from _bearers(book, state, request)
        return
    slots = _slot_types(book, state, state.dossiers[unit])
    for card in book.upgrades.values() if cards is None else cards:
        of_this_request = (card.type in aid.REINFORCEMENT_TYPES) is (request == aid.REINFORCEMENTS)
        if of_this_request and card.type in slots and not card.retired:
            wish = aid.RequestedAid(request, unit=unit, upgrade=card.slug)
            yield _wished(
                book, state, wish, card.full_name, icon=card.type, note=spoken(card.type), points=card.points,
                label=gettext("Request %(card)s") % {"card": card.full_name},
            )  # fmt: skip


def _bearers(book: Rulebook, state: RegisterState, request: str) -> Iterable[Offer]:
    for key, dossier in state.dossiers.items():
        types = _slot_types(book, state, dossier)
        if any((each in aid.REINFORCEMENT_TYPES) is (request == aid.REINFORCEMENTS) for each in types):
            yield Offer(
                title=unit_label(book, state, key),
                icon=book.units[dossier.card].rank,
                note=unit_hint(book, dossier),
                href="?" + urlencode({"request": request, "unit": key}),
            )


def _slot_types(book: Rulebook, state: RegisterState, dossier: Dossier) -> set[str]:
    given = [slot for slug in dossier.upgrades for slot in book.upgrades[slug].grants_slots]
    return {*all_slots(bearer(book, state, dossier)), *given}


_WISHES: Mapping[str, Callable[[Rulebook, RegisterState, str, str], Iterable[Offer]]] = {
    aid.ACTIVE_RECRUITING: _plain,
    aid.MEDICAL_SUPPLIES: _wounded,
    aid.STRATEGIC_ASSET: _assets,
    aid.REINFORCEMENTS: _upgrades,
    aid.SPECIAL_TRAINING: _units,
    aid.PROVISIONS: _upgrades,
    aid.REASSIGN: _units,
}
