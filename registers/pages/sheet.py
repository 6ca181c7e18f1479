"""A Register's printed form as template values, made without queries."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from registers.charts.ranks import by_rank
from registers.models import Register
from registers.options.context import tally
from registers.options.offers import core_keyword_text
from rules.arcs.card_text import reward_text
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.card_types import StoryArc, keyword_name
from rules.core.rulebook import Rulebook
from rules.post_battle.casualty_odds import Odds
from rules.register.building import MINIMUM_CORPS, combat_potential_left, corps_owed, dossier_points, fielding_warnings
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import spoken
from rules.register.veterans import THRESHOLDS, experience_cap, maximum_veteran_rank


def sheet_of(
    book: Rulebook,
    state: RegisterState,
    register: Register,
    fallen_in: Mapping[str, str],
    painted: Collection[str] = (),
) -> dict[str, Any]:
    """Return a whole Register for its templates; `fallen_in` names the battle in which a unit fell, by key. `painted`
    are the keys of painted units.
    """

    def card(dossier: Dossier, **more: str) -> dict[str, Any]:
        return unit_card(book, state, dossier, register, painted=dossier.key in painted, **more)

    return {
        "state": state,
        "tally": tally(book, state),
        "ranks": by_rank(book, state),
        "arc": arc_of(book, state),
        "assets": assets_of(book, state),
        "command_cards": command_cards_of(book, state),
        "units": [card(dossier) for dossier in in_order(state)],
        "fallen": [
            card(dossier, fallen_in=fallen_in.get(key) or gettext("a battle")) for key, dossier in state.fallen.items()
        ],
        "reassigned": [card(dossier) for dossier in state.reassigned.values()],
    }


def unit_card(
    book: Rulebook,
    state: RegisterState,
    dossier: Dossier,
    register: Register,
    *,
    fallen_in: str = "",
    painted: bool = False,
) -> dict[str, Any]:
    """Return a Dossier as `components/unit_card.html` takes it."""
    unit = book.units[dossier.card]
    return {
        "key": dossier.key,
        "label": unit_label(book, state, dossier.key, full=True),
        "name": dossier.name,
        "unit": unit.full_name,
        "rank": unit.rank,
        "rank_name": spoken(unit.rank),
        "points": dossier_points(book, dossier),
        "url": reverse("registers:dossier", args=[register.pk, dossier.key]),
        "is_paragon": dossier.key == state.paragon,
        "fallen_in": fallen_in,
        "painted": painted,
        "insignia": f"veteran-{dossier.veteran_rank}",
        "terms": [
            *trait_terms(book, state, dossier),
            *dossier_terms(book, dossier),
            *_commendation_keywords(book, dossier),
            *(command_cards_of(book, state) if dossier.key == state.paragon else ()),
        ],
        "upgrades": [
            {"type": card.type, "name": card.full_name, "points": card.points}
            for card in (book.upgrades[slug] for slug in dossier.upgrades)
        ],
        **experience(book, dossier),
    }


def experience(book: Rulebook, dossier: Dossier) -> dict[str, Any]:
    """Return XP, VR and the thresholds within the unit's reach, as `components/xp_bar.html` takes them (R12)."""
    reach = THRESHOLDS[1 : maximum_veteran_rank(book, dossier) + 1]
    return {
        "veteran_rank": dossier.veteran_rank,
        "experience": dossier.experience,
        "thresholds": list(reach),
        "maximum_experience": experience_cap(book, dossier),
        "next_threshold": next((step for step in reach if step > dossier.experience), None),
    }


def dossier_terms(book: Rulebook, dossier: Dossier) -> Iterator[dict[str, Any]]:
    """Yield the Setbacks, Commendations and gained keywords of a unit; each opens to its text.

    The keywords are those of rewards, and those chosen with a Commendation.
    """
    for slug in dict.fromkeys(dossier.setbacks):
        setback, times = book.setbacks[slug], dossier.setbacks.count(slug)
        name = f"{setback.name} ×{times}" if times > 1 else setback.name
        yield {"name": name, "text": setback.effect, "kind": "setback", "rule": "R36"}
    for slug in dossier.commendations:
        card = book.commendations[slug]
        yield {"name": card.name, "text": card.effect, "kind": "commendation", "rule": "R15"}
    yield from (keyword_term(book, keyword) | {"gained": True} for keyword in dossier.keywords)


def _commendation_keywords(book: Rulebook, dossier: Dossier) -> Iterator[dict[str, Any]]:
    """Yield the keywords that a unit's Commendations give by themselves."""
    for slug in dossier.commendations:
        for keyword in book.commendations[slug].keywords:
            yield keyword_term(book, keyword) | {"gained": True}


def keyword_term(book: Rulebook, keyword: str, *, core: bool = True) -> dict[str, Any]:
    """Return a keyword, which opens to its text: those of the core rules too, if `core`."""
    known = book.keywords.get(keyword) or book.keywords.get(keyword_name(keyword))
    text = known.effect if known else core_keyword_text(keyword) if core else ""
    return {"name": keyword, "text": text}


def trait_terms(book: Rulebook, state: RegisterState, dossier: Dossier) -> Iterator[dict[str, Any]]:
    if state.trait and dossier.key == state.paragon:
        card, left = book.defining_traits[state.trait.slug], state.trait.games_left
        games = ngettext("%(number)s game left", "%(number)s games left", left) % {"number": left}
        yield {"name": f"{card.name} ({games})", "text": card.effect, "kind": "trait", "rule": "R37"}


def in_order(state: RegisterState) -> list[Dossier]:
    """Return the Dossiers of the Register, the Paragon first."""
    return sorted(state.dossiers.values(), key=lambda dossier: dossier.key != state.paragon)


def plain_register(state: RegisterState) -> PlainArmy:
    """Return all units of a Register as an army, the Paragon first, with all their upgrades."""
    return PlainArmy(
        faction=state.faction,
        size=state.combat_potential,
        title=state.name,
        units=tuple(PlainUnit(dossier.card, dossier.upgrades) for dossier in in_order(state)),
    )


def arc_card(book: Rulebook, arc: StoryArc) -> dict[str, Any]:
    """Return a Story Arc as a card before its first battle: premise, rewards of its Agendas, Turning Point Mission."""
    return {
        "slug": arc.slug,
        "name": arc.name,
        "briefing": arc.briefing,
        "agendas": [
            {"name": agenda.name, "tally": agenda.tally, "reward": reward_text(book, agenda.reward, marks=agenda.marks)}
            for agenda in arc.agendas
        ],
        "commendation": book.commendations[arc.commendation].name if arc.commendation else "",
        "turning_point": arc.turning_point.name,
        "victory": reward_text(book, arc.turning_point.victory, asks=arc.turning_point.asks),
    }


def arc_of(book: Rulebook, state: RegisterState) -> dict[str, Any] | None:
    """Return the Story Arc and the progress of its Agendas."""
    if (arc := book.story_arcs.get(state.story_arc)) is None:
        return None
    return {
        "slug": arc.slug,
        "name": arc.name,
        "place": _place_in_saga(book, state),
        "briefing": arc.briefing,
        "turning_point": arc.turning_point.name,
        "agendas": [
            {
                "slug": agenda.slug,
                "name": agenda.name,
                "tally": agenda.tally,
                "done": min(state.agendas.get(agenda.slug, 0), agenda.progressions_to_complete),
                "total": agenda.progressions_to_complete,
            }
            for agenda in arc.agendas
        ],
    }


def _place_in_saga(book: Rulebook, state: RegisterState) -> str:
    """Return the current Story Arc's number and that of all; empty if open-ended, complete, or beyond the length."""
    number, length = state.arcs_ended + 1, book.campaign_rules.length
    if state.saga_complete or length is None or number > length:
        return ""
    return gettext("%(number)s of %(length)s") % {"number": number, "length": length}


def assets_of(book: Rulebook, state: RegisterState) -> list[dict[str, Any]]:
    """Return the Strategic Assets, each opening to its text."""
    assets = (book.assets[slug] for slug in state.assets)
    return [{"name": asset.name, "text": asset.effect, "rule": "R43"} for asset in assets]


def command_cards_of(book: Rulebook, state: RegisterState) -> list[dict[str, Any]]:
    """Return the unlocked Paragon Command Cards."""
    return [
        {"name": f"{card.name} ({card.pips})", "text": card.orders, "rule": "R16", "kind": "command"}
        for card in (book.command_cards[slug] for slug in state.command_cards)
    ]


def warnings(book: Rulebook, state: RegisterState) -> Iterator[dict[str, str]]:
    """Yield warnings for the player before the next battle, with their rules."""
    left = combat_potential_left(book, state)
    if left < 0:
        until = gettext("nothing can be added until the Register fits again")
        if book.house.above_potential == "units_go":
            until = gettext("remove units before the next battle")
        too_much = ngettext(
            "%(number)s point over the Combat Potential: %(until_it_fits)s.",
            "%(number)s points over the Combat Potential: %(until_it_fits)s.",
            -left,
        ) % {"number": -left, "until_it_fits": until}
        yield {"rule": "R2", "sentence": too_much}
    missing = corps_owed(book, state)
    if state.commissioned and missing:
        short = ngettext(
            "Add %(number)s corps unit: a Register needs at least %(least)s.",
            "Add %(number)s corps units: a Register needs at least %(least)s.",
            missing,
        ) % {"number": missing, "least": MINIMUM_CORPS}
        yield {"rule": "R4", "sentence": short}
    for dossier in state.dossiers.values():
        label = unit_label(book, state, dossier.key)
        for text in fielding_warnings(book, dossier):
            yield {"rule": "R7", "sentence": text}
        if dossier.veteran_rank and not dossier.name:
            nameless = gettext("%(unit)s has a Veteran Rank and needs a name. Add one on its Dossier.") % {
                "unit": label
            }
            yield {"rule": "R9", "sentence": nameless}


_PARTS = ("escaped", "setback", "boon", "casualty")


def thousandths(odds: Odds) -> dict[str, int]:
    """Return odds for `components/odds.html`: thousandths that sum to 1000, largest remainders first."""
    exact = {part: 1000 * getattr(odds, part) for part in _PARTS}
    whole = {part: int(value) for part, value in exact.items()}
    most_lost = sorted(_PARTS, key=lambda part: whole[part] - exact[part])
    for part in most_lost[: 1000 - sum(whole.values())]:
        whole[part] += 1
    return whole
