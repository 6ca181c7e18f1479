"""Aid Requests as they can be made now (R41 to R46)."""

import json
from dataclasses import replace

import pytest

from registers.options.offers import MOST_SUGGESTED, aid_offers, suggested_aid
from rules.post_battle.aid_requests import RequestedAid, aid_request
from rules.post_battle.dialogue import Context, run
from rules.register.state import Dossier, RegisterState

FORCE = RegisterState(
    faction="empire",
    combat_potential=900,
    supply_points=5,
    paragon="1",
    dossiers={
        "1": Dossier("1", "imperial-officer-ruthless-efficiency", "Captain Sorne"),
        "2": Dossier("2", "stormtroopers", setbacks=("battle-shaken", "downtrodden"), veteran_rank=3),
        "3": Dossier("3", "snowtroopers", setbacks=("battle-shaken",)),
    },
    next_key=4,
)


def requests(book, state=FORCE, **chosen):
    return {request["slug"]: request for request in aid_offers(book, state, **chosen)}


def wishes(request):
    return [json.loads(offer.answer) for offer in request["offers"] if offer.answer]


def test_those_that_are_not_at_once_are_closed_until_one_is_chosen(book):
    every, chosen = requests(book), {"request": "reassign-unit", "at_once": ("active-recruiting",)}
    asked = requests(book, **chosen)
    assert {slug for slug, request in asked.items() if not request["closed"]} == {"active-recruiting", "reassign-unit"}
    assert asked["reassign-unit"] == every["reassign-unit"] | {"open": True}
    training = every["special-training"]
    assert asked["special-training"] == training | {"offers": [], "refused": [], "closed": True}


def test_all_seven(book):
    assert list(requests(book)) == list(book.aid_requests)


def test_every_asset_names_its_price(book):  # R43
    request = requests(book)["request-strategic-asset"]
    prices = {offer.title: offer.points for offer in [*request["offers"], *request["refused"]]}
    assert prices == {asset.name: f"{asset.cost} SP" for asset in book.assets.values()}
    assert request["cost"] == "1–2 SP each"


def test_each_offer_of_a_tap_is_allowed(book):
    for request in requests(book).values():
        for wish in wishes(request):
            context = Context(book, FORCE)
            assert run(context, aid_request(context, RequestedAid(**wish))).effects


def test_a_unit_with_several_setbacks_has_an_offer_for_each(book):  # R42
    assert wishes(requests(book)["request-medical-supplies"]) == [
        {"request": "request-medical-supplies", "unit": "2", "setback": "battle-shaken"},
        {"request": "request-medical-supplies", "unit": "2", "setback": "downtrodden"},
        {"request": "request-medical-supplies", "unit": "3"},
    ]


def test_why_not(book):
    found = requests(book)
    assert wishes(found["special-training"]) == [{"request": "special-training", "unit": "2"}]
    assert {p["rule"] for offer in found["special-training"]["refused"] for p in offer.why} == {"R44"}
    assert [(o.title, o.why[0]["rule"]) for o in found["reassign-unit"]["refused"]] == [("Captain Sorne", "R46")]


def test_once_per_sequence(book):  # R41
    spent = replace(FORCE, requests={"active-recruiting": 1})
    recruiting = requests(book, spent)["active-recruiting"]
    assert (recruiting["offers"], [p["rule"] for p in recruiting["why"]]) == ([], ["R41"])


def test_nobody_to_heal(book):
    healthy = replace(FORCE, dossiers={"1": FORCE.dossiers["1"]})
    assert requests(book, healthy)["request-medical-supplies"]["why"] == (
        {"rule": "R41", "sentence": "No unit of your Register can use this now."},
    )


@pytest.mark.parametrize("request_", ["request-reinforcements", "supplies-and-provisions"])
def test_first_the_unit_then_the_upgrade(book, request_):
    units = requests(book)[request_]["offers"]
    assert f"?request={request_}&unit=2" in [offer.href for offer in units]
    chosen = requests(book, request=request_, unit="2")[request_]
    assert chosen["open"]
    assert {wish["unit"] for wish in wishes(chosen)} == {"2"}
    types = {book.upgrades[wish["upgrade"]].type for wish in wishes(chosen)}
    assert (types <= {"heavy-weapon", "personnel"}) is (request_ == "request-reinforcements")


def suggested(book, **changes):
    return [(offer.title, offer.note, offer.points) for offer in suggested_aid(book, replace(FORCE, **changes))]


def test_the_reasons_of_a_register(book):  # R42, R44
    assert suggested(book) == [
        ("Request Medical Supplies: Stormtroopers", "Has 2 Setbacks", "3 SP"),
        ("Request Medical Supplies: Snowtroopers", "Has 1 Setback", "1 SP"),
        ("Special Training: Stormtroopers", "At its maximum, Veteran Rank 3", "1 SP"),
        ("Request Reinforcements: Stormtroopers", "Empty slot: heavy weapon", "3 SP"),
        ("Active Recruiting", "Combat Potential +150.", "1 SP"),
    ]


def test_no_more_than_fit_on_a_screen(book):
    offers = suggested_aid(book, FORCE, defeated=2)
    assert (len(offers), offers[-1].title) == (MOST_SUGGESTED, "Active Recruiting")
    assert offers[2].note == "2 units were defeated. In step 4 one defeated unit makes no Casualty Check."


def test_nothing_is_suggested_that_cannot_be_made_now(book):  # R41
    assert suggested(book, supply_points=0) == []
    bare = {"1": FORCE.dossiers["1"]}
    spent = dict.fromkeys(book.aid_requests, 1)
    again = ("Supplies and Provisions: Captain Sorne", "Empty slot: command", "1 SP")
    assert suggested(book, dossiers=bare, requests=spent) == [again]  # the only one that may be repeated
    full = suggested(book, dossiers=bare, combat_potential=80)
    assert full[-1] == ("Active Recruiting", "No corps unit fits the 25 points left. Combat Potential +150.", "1 SP")


def test_a_unit_with_a_slot_leads_to_the_cards_for_it(book):  # R8
    links = [offer.href for offer in suggested_aid(book, FORCE) if offer.href]
    assert links == ["?request=request-reinforcements&unit=2"]
    [request] = [each for each in aid_offers(book, FORCE, request="request-reinforcements", unit="2") if each["open"]]
    assert request["groups"]
