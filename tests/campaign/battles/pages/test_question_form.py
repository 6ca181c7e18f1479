"""From questions to forms."""

from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import get_template

from campaign.battles.pages.question_form import Problems, form_of
from campaign.battles.pages.sequence import Page
from rules.core.violations import Violation
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.casualties import AddDice, Reroll, Rolled
from rules.post_battle.commendations import Award, Due
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Option, Pool, Question, Roll
from rules.post_battle.rewards import JoinUnit
from rules.register.state import RegisterState
from tests.campaign.battles.closing import red_to_step_5
from tests.campaign.battles.pages.sequence_page import page
from tests.campaign.first_blood import Fought


def form(
    shown: Page,
    question: Question,
    typed: str = "",
    violations: tuple[Violation, ...] = (),
    state: RegisterState | None = None,
) -> dict[str, Any]:
    """The form of `question`, asked on this page."""
    assert shown.standing is not None
    progress = replace(shown.standing.progress, question=question)
    asked = replace(shown, standing=replace(shown.standing, progress=progress), state=state or shown.state)
    return form_of(asked, QueryDict(typed), violations)


@pytest.fixture
def blue(fought: Fought) -> Page:
    return page(fought, "blue")


def hurt(shown: Page, key: str, *setbacks: str) -> RegisterState:
    """The Register with a unit that has these Setbacks."""
    dossier = replace(shown.state.dossiers[key], setbacks=setbacks)
    return replace(shown.state, dossiers={**shown.state.dossiers, key: dossier})


# --- Every form has its templates ------------------------------------------------------------------------------

QUESTIONS = [
    Roll(rule="R30", text="Roll", pools=(Pool("supply", "red_defense", 1, "block: +1 SP"),)),
    Choose(rule="R39", text="Whom?", kind="rival", options=(Option("1", "A"),)),
    ChooseSeveral(rule="R26", text="", kind="ranks", bag={"a": 2, "b": 1}, labels={"a": "A", "b": "B"}, count=1),
    ChooseSeveral(rule="R42", text="", kind="setbacks", bag={"a": 1, "b": 1}, labels={"a": "A", "b": "B"}, count=1),
    Confirm(rule="R26", text="", kind="may"),
    AddDice(rule="R32", text="", units=(Option("2", "A"),)),
    Reroll(rule="R33", text="", checks=(Rolled("2", "A", ("hit", "blank"), 1),)),
    Award(rule="R15", text="", dues=(Due("2", "A", 1, (Option("resilient", "Resilient"),), True),)),
    RequestAid(rule="R41", text="", supply_points=5),
    JoinUnit(rule="R29", text="", cards=(Option("stormtroopers", "Stormtroopers"),)),
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: type(question).__name__)
def test_every_form_has_its_templates(blue, question):
    drawn = form(blue, question)
    assert get_template(drawn["template"])
    assert not drawn["bar"] or get_template(drawn["bar"])
    assert (drawn["rule"], drawn["violations"]) == (question.rule, [])


def test_a_page_that_asks_nothing_has_no_form(fought):
    red_to_step_5(fought)
    assert form_of(page(fought, "red"), QueryDict()) == {}


# --- Dice ----------------------------------------------------------------------------------------------------------


def test_checks_show_their_dice_and_their_odds(blue):
    question = Roll(
        rule="R31",
        text="",
        pools=(Pool("check:2", "black_attack", 1, "Storm"), Pool("check:1", "black_attack", 2, "Sorne")),
    )
    drawn = form(blue, question, state=hurt(blue, "1", "battle-shaken", "downtrodden"))
    one, two = drawn["pools"]
    assert drawn["count"] == 3
    assert (one["label"], one["count"], one["odds"], one["worst"]) == (
        "Storm", 1, {"escaped": 375, "setback": 375, "boon": 125, "casualty": 125}, "",
    )  # fmt: skip
    assert (two["count"], two["odds"], two["worst"]) == (
        2, {"escaped": 234, "setback": 516, "boon": 16, "casualty": 234}, "Trait",
    )  # fmt: skip
    assert [[face["face"] for face in die["faces"]] for die in two["dice"]] == [
        ["hit", "critical", "surge", "blank"]
    ] * 2
    assert drawn["tables"] == []


def test_setbacks_and_traits_show_what_the_faces_stand_for(blue):
    question = Roll(rule="R36", text="", pools=(
        Pool("setback:2", "black_attack", 1, "Storm", "Setback"),
        Pool("trait:1", "black_attack", 1, "Sorne", "Defining Trait"),
    ))  # fmt: skip
    drawn = form(blue, question)
    assert [(pool["label"], pool["note"], pool["odds"]) for pool in drawn["pools"]] == [
        ("Storm", "Setback", None), ("Sorne", "Defining Trait", None),
    ]  # fmt: skip
    assert drawn["tables"] == [
        {"name": "Setbacks", "faces": [
            ("hit", "Battle-Fatigue 1"), ("critical", "Flat Footed"),
            ("surge", "Downtrodden 1"), ("blank", "Battle-Shaken"),
        ]},
        {"name": "Defining Traits", "faces": [
            ("hit", "Captious Command"), ("critical", "Conspicuous"), ("surge", "Tunnel Vision"), ("blank", "Unsure"),
        ]},
    ]  # fmt: skip


def test_a_refused_roll_keeps_what_was_typed_and_says_what_is_missing(blue):
    question = Roll(rule="R31", text="", pools=(Pool("check:2", "black_attack", 2, "Storm"),))
    drawn = form(
        blue, question, "dice=table&face:check:2:0=surge",
        (Violation("R31", "Enter every die.", "check:2"), Violation("R31", "And another thing.")),
    )  # fmt: skip
    [pool] = drawn["pools"]
    assert [[face["face"] for face in die["faces"] if face["checked"]] for die in pool["dice"]] == [["surge"], []]
    assert (drawn["open"], pool["violations"], drawn["violations"]) == (
        True,
        [{"rule": "R31", "sentence": "Enter every die."}],
        [{"rule": "R31", "sentence": "And another thing."}],
    )


def test_dice_that_wait_for_rerolls_stay_on_the_table(fought):
    fought.answer("red", {"supply": ["surge"]})
    shown = page(fought, "red")
    shown.side.answers.append({"answer": {"check:2": ["blank", "hit"], "check:3": ["surge"]}, "source": "app", "at": 0})
    question = Reroll(rule="R33", text="", checks=(Rolled("2", "Rebels", ("blank", "hit"), 1),))
    drawn = form(shown, question, "reroll:2=1")
    assert drawn["on_the_table"] == [
        {"name": "Rebel Troopers (no. 3)", "dice": ({"die": "black_attack", "face": "surge"},)}
    ]
    assert [(die["face"], die["checked"]) for die in drawn["checks"][0]["dice"]] == [("blank", False), ("hit", True)]


def test_war_weary_shows_the_odds_of_both(blue):
    question = AddDice(rule="R32", text="", units=(Option("2", "Storm"),))
    [unit] = form(blue, question, "add=2", state=hurt(blue, "2", "war-weary"))["units"]
    assert (unit["checked"], unit["adds"], unit["rerolls"]) == (
        True,
        {"escaped": 234, "setback": 516, "boon": 16, "casualty": 234},
        {"escaped": 141, "setback": 515, "boon": 172, "casualty": 172},
    )


# --- Choices -------------------------------------------------------------------------------------------------------


def test_an_award_shows_effects_names_and_keywords(blue):
    question = Award(rule="R15", text="", dues=(
        Due("3", "Storm", 1, (Option("resilient", "Resilient", "May reroll"),), needs_name=True),
        Due("1", "Sorne", 1, (Option("resilient", "Resilient"),), needs_name=False),
    ))  # fmt: skip
    drawn = form(
        blue, question, "commendation:3=skipped&name:3=Hounds&commendation:1=resilient",
        (Violation("R9", "A unit with a Veteran Rank needs a name. Enter one.", "3"),),
    )  # fmt: skip
    first, second = drawn["dues"]
    assert (drawn["label"], drawn["direct"], drawn["violations"]) == ("Award 2 Commendations", False, [])
    assert (first["name"], first["skip_checked"], first["options"][0]["checked"]) == ("Hounds", True, False)
    assert first["violations"] == [{"rule": "R9", "sentence": "A unit with a Veteran Rank needs a name. Enter one."}]
    assert (second["skip_checked"], second["options"][0]["checked"], second["violations"]) == (False, True, [])


def test_the_three_commendations_that_suit_a_unit_most_stand_first(blue):
    def option(slug: str) -> Option:
        return Option(slug, blue.book.commendations[slug].name)

    slugs = [slug for slug, card in blue.book.commendations.items() if not card.choose_keyword]
    plain = [slug for slug in slugs if not blue.book.commendations[slug].requires.veteran_rank][:3]
    special = [slug for slug in slugs if blue.book.commendations[slug].requires.paragon][:1]
    question = Award(rule="R15", text="", dues=(
        Due("3", "Storm", 1, tuple(map(option, [*plain, *special])), needs_name=False),
        Due("1", "Sorne", 1, tuple(map(option, plain)), needs_name=False),
    ))  # fmt: skip
    first, second = form(blue, question)["dues"]
    assert [each["option"].value for each in first["options"]][:1] == special
    assert (len(first["options"]), len(first["more"]), first["more_open"], second["more"]) == (3, 1, False, [])
    last = first["more"][0]["option"].value
    assert form(blue, question, f"commendation:3={last}")["dues"][0]["more_open"]


def test_of_several_units_only_the_first_that_is_wrong_is_open(blue):
    dues = tuple(Due(key, key, 1, (Option("resilient", "Resilient"),), needs_name=False) for key in "123")
    question = Award(rule="R15", text="", dues=dues)
    wrong = tuple(Violation("R15", "Choose a Commendation, or skip it.", key) for key in "23")
    opened = [
        ["open" in due for due in form(blue, question, "commendation:1=resilient", found)["dues"]]
        for found in ((), wrong)
    ]
    assert opened == [[True, False, False], [False, True, False]]


def test_a_single_unit_is_awarded_with_one_tap(blue):
    question = Award(rule="R15", text="", dues=(Due("3", "Storm", 1, (Option("resilient", "Resilient"),), True),))
    assert [form(blue, question)[name] for name in ("direct", "bar")] == [True, ""]
    nothing = replace(question, dues=(replace(question.dues[0], options=()),))
    assert [form(blue, nothing)[name] for name in ("direct", "label")] == [False, "Award Commendation"]


def test_a_commendation_with_a_choice_of_keywords_asks_for_it(blue):
    [slug] = [card.slug for card in blue.book.commendations.values() if card.choose_keyword][:1]
    card = blue.book.commendations[slug]
    question = Award(rule="R15", text="", dues=(Due("3", "Storm", 1, (Option(slug, card.name),), False),))
    drawn = form(blue, question, f"keyword:3:{slug}={card.choose_keyword[0].replace(' ', '+')}")
    [due] = drawn["dues"]
    assert drawn["direct"] is False
    assert due["options"][0]["keywords"] == [
        {"value": keyword, "checked": keyword == card.choose_keyword[0]} for keyword in card.choose_keyword
    ]


def test_requests_with_a_reason_stand_first(blue):
    drawn = form(blue, RequestAid(rule="R41", text="", supply_points=5), state=hurt(blue, "2", "battle-shaken"))
    assert [offer.title.partition(":")[0] for offer in drawn["suggested"]] == [
        "Request Medical Supplies", "Medevac", "Request Reinforcements", "Supplies and Provisions", "Active Recruiting",
    ]  # fmt: skip
    assert drawn["suggested"][1].note.startswith("2 units were defeated.")
    assert [(request["slug"], request["closed"]) for request in drawn["folded"]] == [
        ("request-medical-supplies", True), ("request-strategic-asset", True), ("request-reinforcements", True),
        ("special-training", True), ("supplies-and-provisions", True), ("reassign-unit", True),
    ]  # fmt: skip


def test_a_request_that_cannot_be_made_is_folded_with_its_reason(blue):
    drawn = form(blue, RequestAid(rule="R41", text="", supply_points=0), state=replace(blue.state, supply_points=0))
    assert [offer.answer for offer in drawn["suggested"]] == []
    assert [offer.why[0]["sentence"] for offer in drawn["folded"][0]["refused"]] == [
        "This costs 1 SP, but only 0 are left."
    ]


def test_a_unit_that_joins_shows_the_upgrades_that_fit(blue):
    question = JoinUnit(rule="R29", text="", cards=(Option("stormtroopers", "Stormtroopers"),))
    drawn = form(blue, question, "card=stormtroopers&upgrades:stormtroopers=stormtrooper&name=Frost")
    [card] = drawn["cards"]
    assert (drawn["name"], card["checked"]) == ("Frost", True)
    assert [upgrade["label"] for upgrade in card["upgrades"] if upgrade["checked"]] == ["Stormtrooper (personnel)"]


def test_problems_are_told_once():
    violations = Problems(
        [Violation("R9", "A name.", "3"), Violation("R15", "A choice.", "3"), Violation("R2", "Too many.")]
    )
    assert violations.of("3") == [{"rule": "R9", "sentence": "A name."}, {"rule": "R15", "sentence": "A choice."}]
    assert (violations.of("3"), violations.rest()) == ([], [{"rule": "R2", "sentence": "Too many."}])
