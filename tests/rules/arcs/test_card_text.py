"""The text of Story Arc, Agenda and Turning Point cards."""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.arcs.card_text import (
    Paragraph,
    condition_text,
    end_of_game_text,
    marks_text,
    progress_text,
    reward_text,
    shield_text,
)
from rules.core import reward_effects as c
from rules.core.card_types import Marks
from rules.core.dice import DICE
from rules.core.reward_effects import read_condition, read_reward
from rules.core.rulebook import Rulebook
from tests.catalogue.reference.own_words import repeated

XP = {"do": "gain_experience", "amount": 1}
SP = {"do": "gain_supply_points", "amount": 2}
HEAL = {"do": "remove_setbacks", "count": "all"}
ASKS = {"crates": "How many crates were loaded? (0 to 4)", "lost": "Units lost"}


def text_of(book: Rulebook, *reward: dict[str, Any], marks: Marks | None = None) -> list[str]:
    return list(lines(reward_text(book, read_reward(list(reward), ""), asks=ASKS, marks=marks)))


def lines(paragraphs: Iterable[Paragraph], depth: int = 0) -> Iterator[str]:
    for paragraph in paragraphs:
        yield f"{'- ' * depth}{paragraph.text}"
        yield from lines(paragraph.items, depth + 1)


@pytest.mark.parametrize(
    ("slug", "progress", "reward"),
    [
        ("persons-of-interest",
         ["If you have 5 or more tokens, this Agenda progresses.",
          "Then, if you have 7 or more tokens, it progresses again."],
         [("For each progression, choose a different unit. If it has any Setbacks, it loses all of them. "
          "Otherwise, it gains 2 XP.")]),
        ("gather-intelligence",
         ["If you have 3 or more tokens, this Agenda progresses.",
          "Then, if you have 4 or more tokens, it progresses again."],
         ["For each progression, you may choose one:", "- Gain 2 SP.",
          "- Choose 1 unit. It gains 2 XP and may lose 1 Setback."]),
        ("small-victories",
         ["If you have 3 or more tokens, this Agenda progresses.", "Then, if you lost, it progresses again."],
         ["For each progression, you may choose one:", "- Gain 1 SP.", "- Choose a different unit. It gains 1 XP."]),
        ("against-all-odds",
         ["If you have 3 or more tokens, this Agenda progresses.",
          "Then, if you won and you have fewer units on the battlefield than your opponent, it progresses again."],
         [("Draw 1 order token at random for each progression. For each token, choose a different unit of its rank. "
          "It gains 2 XP.")]),
        ("concentrated-efforts",
         ["If you scored 3 or more VP from secondary objectives, this Agenda progresses.",
          "Then, if you scored more VP from secondary objectives than your opponent, it progresses again."],
         ["For each progression, gain 2 SP.", "If you won, gain 1 SP."]),
        ("daring-defense",
         ["If you have 3 or more tokens, this Agenda progresses.",
          "Then, if the chosen unit contests the marked point at the end of the game, it progresses again."],
         ["The marked unit may gain 2 XP or lose all its Setbacks."]),
        ("show-of-strength",
         ["If you have 2 or more tokens, this Agenda progresses.",
          "Then, if you have 3 or more tokens, it progresses again."],
         ["For each progression, you may choose one:", "- Gain 2 SP.",
          "- Choose a different defeated unit. It gains 1 XP."]),
        ("search-for-treasure",
         ["If you have 4 or more tokens, this Agenda progresses.",
          "Then, if you have 6 or more tokens, it progresses again."],
         [("For each progression, choose a different unit. If it has any Setbacks, it loses all of them. "
          "Otherwise, it gains 2 XP."), "If you won, increase your Combat Potential by 100."]),
        ("glorious-charge",
         ["If you have 3 or more tokens, this Agenda progresses.",
          "Then, if you have 4 or more tokens, it progresses again."],
         [("For each progression, choose a different unit. If it has any Setbacks, it loses all of them. "
          "Otherwise, it gains 1 XP and your Paragon gains 1 XP.")]),
        ("martial-prowess",
         ["If your Paragon defeated 1 or more enemy units, this Agenda progresses.",
          "Then, if at least one of them was a commander or operative, it progresses again."],
         ["For each progression, gain 1 SP.",
          "If your Paragon was not defeated, it gains 1 XP and may lose 1 Setback."]),
        ("protect-your-allies",
         ["If 2 or more marked units were not defeated, this Agenda progresses.",
          "Then, if no marked unit was defeated, it progresses again."],
         ["Each marked unit that was not defeated gains 1 XP and may lose 1 Setback.",
          "If no marked unit was defeated, gain 2 SP and your Paragon gains 2 XP."]),
        ("discover-valuables",
         ["If you have 2 or more tokens, this Agenda progresses.",
          "Then, if you have 3 or more tokens, it progresses again."],
         [("For each progression, roll 2 red defense dice. For each block, choose 1 unit. It gains 1 XP. "
          "For each surge or blank, gain 1 SP.")]),
        ("salvage-materiel",
         ["If you have 2 or more tokens, this Agenda progresses.",
          "Then, if you have 5 or more tokens, it progresses again."],
         ["For each progression, gain 1 SP and choose a different unit. It gains 1 XP."]),
    ],
)  # fmt: skip
def test_a_printed_agenda(book: Rulebook, slug: str, progress: list[str], reward: list[str]) -> None:
    agenda = book.agendas[slug]
    assert list(progress_text(agenda)) == progress
    assert list(lines(reward_text(book, agenda.reward, marks=agenda.marks))) == reward


@pytest.mark.parametrize(
    ("arc", "end_of_game", "victory", "defeat"),
    [
        ("bring-peace-to-the-galaxy",
         ["If you scored 3 or more VP from secondary objectives, gain 2 SP."],
         ["You may choose up to 3 units. Each gains 1 XP or loses all its Setbacks.",
          "Your Paragon may gain Compel or Strategize 1.", "Your Paragon loses Disgraced if it has it."],
         ["Roll 5 red defense dice. For each block, choose 1 unit. It may gain 2 XP or lose 1 Setback.",
          "Your Paragon gains Disgraced."]),
        ("birth-of-a-legend", [],
         ["You may choose up to 3 units. Each gains 1 XP or loses all its Setbacks.",
          "Your Paragon gains Lauded and 1 additional Commendation."],
         ["Roll 5 red defense dice. For each block, choose a different unit. It may gain 2 XP or lose 1 Setback.",
          "Your Paragon gains the Defining Trait Disillusioned."]),
        ("a-pirates-life", [],
         [("Add 1 A-A5 Speeder Truck, LAAT/le Patrol Transport, TX-225 GAVw Occupier Tank, or WLO-5 Speeder Tank to "
          "your Register, even above its Combat Potential.")],
         [("How many Military Equipment were removed from the battlefield? Roll that many red attack dice. For each "
          "hit, gain 1 SP. For each surge, choose 1 unit other than your Paragon. It gains 2 XP and 1 Setback."),
          "Your Paragon gains 2 XP and the Defining Trait Greedy."]),
    ],
)  # fmt: skip
def test_a_printed_mission(
    book: Rulebook, arc: str, end_of_game: list[str], victory: list[str], defeat: list[str]
) -> None:
    mission = book.story_arcs[arc].turning_point
    assert [end_of_game_text(book, entry).text for entry in mission.end_of_game] == end_of_game
    assert list(lines(reward_text(book, mission.victory, asks=mission.asks))) == victory
    assert list(lines(reward_text(book, mission.defeat, asks=mission.asks))) == defeat


def test_no_card_repeats_a_printed_sentence(book: Rulebook) -> None:
    for arc in book.story_arcs.values():
        mission = arc.turning_point
        rewards = [mission.victory, mission.defeat, *(agenda.reward for agenda in arc.agendas)]
        for reward in rewards:
            assert repeated("\n".join(lines(reward_text(book, reward, asks=mission.asks)))) == []


def test_a_shield(book: Rulebook) -> None:
    """R28."""
    shield = book.agendas["daring-defense"].casualty_shield
    text = "Instead of becoming a casualty, a marked unit gains 2 XP and 1 Setback."
    assert shield_text(book, shield) == Paragraph(text)


def test_which_units_are_marked(book: Rulebook) -> None:
    marks = [agenda.marks for agenda in book.agendas.values() if agenda.marks]
    assert [marks_text(each) for each in marks] == [
        "Mark 1 unit from your army.",
        "Mark 3 units other than your Paragon (you 1, opponent 2).",
        "Mark any number of undefeated units from your army.",
    ]


@pytest.mark.parametrize(
    ("reward", "text"),
    [
        ([SP, {"do": "gain_reputation", "amount": 1}], ["Gain 2 SP and gain 1 Reputation."]),
        ([SP, {"do": "opponent_loses_supply_points", "amount": 2}],
         ["Gain 2 SP and your opponent loses up to 2 SP."]),
        ([{"do": "gain_asset", "asset": "medevac"}], ["Gain the Strategic Asset Medevac."]),
        ([{"do": "choose_units", "count": 1, "each": [{"do": "gain_upgrade"}]}],
         ["Choose 1 unit. It gains 1 upgrade that it can equip."]),
        ([{"do": "paragon", "then": [{"do": "gain_upgrade", "types": ["gear", "comms"]}]}],
         ["Your Paragon gains 1 gear or comms upgrade that it can equip."]),
        ([{"do": "may", "then": [SP]}], ["You may gain 2 SP."]),
        ([{"do": "may", "then": [{"do": "choose_units", "count": 2, "each": [XP]}]}],
         ["You may choose 2 units. Each gains 1 XP."]),
        ([{"do": "may", "then": [{"do": "paragon", "then": [XP]}]}], ["Your Paragon may gain 1 XP."]),
        ([{"do": "may", "then": [{"do": "when", "condition": "won", "then": [SP]}]}],
         ["You may resolve the following:", "- If you won, gain 2 SP."]),
        ([{"do": "choose_one", "options": [[SP], [{"do": "gain_reputation", "amount": 1}]]}],
         ["Gain 2 SP or gain 1 Reputation."]),
        ([{"do": "choose_one", "options": [[SP], []]}], ["You may gain 2 SP."]),
        ([{"do": "choose_one", "options": [[SP], [{"do": "gain_reputation", "amount": 1}], []]}],
         ["You may gain 2 SP or gain 1 Reputation."]),
        ([{"do": "paragon", "then": [{"do": "may", "then": [{"do": "choose_one", "options": [[XP, SP], [HEAL]]}]}]}],
         ["You may choose one:", "- Your Paragon gains 1 XP and you gain 2 SP.",
          "- Your Paragon loses all its Setbacks."]),
        ([{"do": "paragon", "then": [
            {"do": "when", "condition": "unit_has_setbacks",
             "then": [{"do": "choose_units", "count": 1, "each": [XP]}]},
            {"do": "when", "condition": "unit_had_no_setbacks", "then": [SP]},
        ]}],
         ["Resolve the following in order:",
          "- If your Paragon has any Setbacks, choose 1 unit. That unit gains 1 XP.",
          "- If your Paragon had no Setbacks, gain 2 SP."]),
        ([{"do": "paragon", "then": [{"do": "when", "condition": {"has_keyword": "Hunted"},
                                      "then": [{"do": "lose_keyword", "keyword": "Hunted"}]}]}],
         ["Your Paragon loses Hunted if it has it."]),
        ([{"do": "paragon", "then": [
            XP,
            {"do": "when", "condition": {"has_keyword": "Hunted"},
             "then": [{"do": "lose_keyword", "keyword": "Hunted"}]},
            HEAL,
        ]}],
         ["Your Paragon gains 1 XP and loses Hunted if it has it, and it loses all its Setbacks."]),
        ([{"do": "choose_units", "count": 2, "each": [XP, SP], "distinct": True, "from": "fielded"}],
         [("Choose 2 units from your army that you have not chosen yet. For each of them, it gains 1 XP and you gain "
          "2 SP.")]),
        ([{"do": "choose_units", "count": 1, "each": [SP], "optional": True}],
         ["You may choose 1 unit. If you do, gain 2 SP."]),
        ([{"do": "roll", "die": "red_attack", "count": 1, "per_face": {"hit": [SP], "blank": []}}],
         ["Roll 1 red attack die. On a hit, gain 2 SP."]),
        ([{"do": "roll", "die": "red_attack", "count": "lost", "per_face": {"hit": [SP]}}],
         ["Units lost: roll that many red attack dice. For each hit, gain 2 SP."]),
        ([{"do": "draw_order_tokens", "count": "crates", "each": [XP]}],
         [("How many crates were loaded? Draw that many order tokens at random. For each token, choose a different "
          "unit of its rank. It gains 1 XP.")]),
        ([{"do": "draw_order_tokens", "count": 1, "each": [XP, HEAL]}],
         ["Draw 1 order token at random. Choose a unit of its rank. It gains 1 XP and loses all its Setbacks."]),
        ([{"do": "when", "condition": "won",
           "then": [{"do": "when", "condition": "paragon_not_defeated", "then": [SP]}]}],
         ["If you won and your Paragon was not defeated, gain 2 SP."]),
        ([{"do": "per_progression", "then": [{"do": "when", "condition": "won", "then": [SP]}, SP]}],
         ["For each progression, resolve the following in order:", "- If you won, gain 2 SP.", "- Gain 2 SP."]),
        ([{"do": "when", "condition": "won", "then": [
            {"do": "roll", "die": "red_attack", "count": "lost", "per_face": {}}]}],
         ["If you won, resolve the following:", "- Units lost: roll that many red attack dice."]),
        ([{"do": "paragon", "then": [{"do": "lose_keyword", "keyword": "Hunted"}]}], ["Your Paragon loses Hunted."]),
        ([{"do": "paragon", "then": [{"do": "may", "then": [XP, SP]}]}],
         ["You may resolve the following:", "- Your Paragon gains 1 XP and you gain 2 SP."]),
        ([{"do": "choose_units", "count": 2, "each": []}], ["Choose 2 units."]),
        ([{"do": "choose_units", "count": 1, "each": []}], ["Choose 1 unit."]),
        ([{"do": "choose_units", "count": 1, "each": [XP, SP]}], ["Choose 1 unit. It gains 1 XP and you gain 2 SP."]),
        ([{"do": "choose_units", "count": 1,
           "each": [{"do": "when", "condition": "paragon_not_defeated", "then": [XP]}]}],
         ["Choose 1 unit. If your Paragon was not defeated, that unit gains 1 XP."]),
        ([{"do": "roll", "die": "red_defense", "count": 2, "per_face": {
            "block": [{"do": "choose_one", "options": [[SP], [{"do": "choose_units", "count": 1, "each": [XP]}]]}],
            "surge": [SP]}}],
         ["Roll 2 red defense dice:", "- For each block, choose one:", "- - Gain 2 SP.",
          "- - Choose 1 unit. It gains 1 XP.", "- For each surge, gain 2 SP."]),
        ([{"do": "marked_units", "then": [SP, XP]}], ["For each marked unit, gain 2 SP and it gains 1 XP."]),
        ([{"do": "choose_one", "options": [[], []]}], ["Nothing happens."]),
        ([{"do": "choose_one", "options": [[SP]]}, {"do": "may", "then": []}], ["Gain 2 SP."]),
        ([{"do": "choose_one", "options": [
            [{"do": "may", "then": [{"do": "when", "condition": "won", "then": [SP]}]}], [SP], []]}],
         ["You may choose one:", "- If you won, gain 2 SP.", "- Gain 2 SP."]),
        ([{"do": "when", "condition": "lost", "then": []}], ["If you lost, nothing happens."]),
        ([XP], ["The unit gains 1 XP."]),
    ],
)  # fmt: skip
def test_an_effect_of_a_custom_arc(book: Rulebook, reward: list[dict[str, Any]], text: list[str]) -> None:
    assert text_of(book, *reward) == text


@pytest.mark.parametrize(
    ("only", "marks", "text"),
    [
        ("", 1, "The marked unit gains 1 XP."),
        ("", 3, "Each marked unit gains 1 XP."),
        ("undefeated", 1, "If the marked unit was not defeated, it gains 1 XP."),
        ("undefeated", None, "Each marked unit that was not defeated gains 1 XP."),
    ],
)
def test_marked_units(book: Rulebook, only: str, marks: int | None, text: str) -> None:
    effect = {"do": "marked_units", "then": [XP]} | ({"only": only} if only else {})
    assert text_of(book, effect, marks=Marks(marks, "you")) == [text]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ({"confirmed": "The gate stands."}, "the gate stands"),
        ({"confirmed": "Vader left"}, "Vader left"),
        ({"confirmed": "Does the gate stand?"}, "you confirm “Does the gate stand?”"),
        ({"confirmed": "The gate stands. Nobody fell"}, "you confirm “The gate stands. Nobody fell”"),
        ({"all": [{"tokens_at_least": 1}, {"won": True}]}, "you have 1 or more tokens and you won"),
        (
            {"all": [{"lost": True}, {"no_marked_unit_defeated": True}, {"tokens_at_least": 2}]},
            "you lost, no marked unit was defeated, and you have 2 or more tokens",
        ),
    ],
)
def test_a_condition(condition: dict[str, Any], text: str) -> None:
    assert condition_text(read_condition(condition, "")) == text


LEAVES = [
    c.GainSupplyPoints(2),
    c.GainCombatPotential(50),
    c.GainReputation(1),
    c.OpponentLosesSupplyPoints(3),
    c.GainAsset("medevac"),
    c.GainExperience(1),
    c.RemoveSetbacks(None),
    c.RemoveSetbacks(1),
    c.RemoveSetbacks(2),
    c.GainSetback(),
    c.GainKeyword("Agile 1"),
    c.LoseKeyword("Hunted"),
    c.GainTrait("greedy"),
    c.AwardCommendation(),
    c.GainUpgrade(),
    c.GainUpgrade(("gear", "comms")),
    c.AddUnit(("Scouts",)),
    c.AddUnit(("Scouts", "Guards", "Crew")),
]
COUNTS: list[int | str] = [1, 2, c.PROGRESSIONS, *ASKS, "forgotten"]
NESTING = (
    c.PerProgression, c.ChooseUnits, c.ChooseOne, c.May, c.When, c.RollDice, c.DrawOrderTokens, c.MarkedUnits,
    c.Paragon,
)  # fmt: skip


def an_effect(random: Random, depth: int) -> c.Clause:
    kind = random.choice(NESTING) if depth and random.random() < 0.6 else None
    inside = a_reward(random, depth - 1) if kind else ()
    flags = (random.random() < 0.5, random.random() < 0.5)
    if kind is None:
        return random.choice(LEAVES)
    if kind is c.ChooseUnits:
        return c.ChooseUnits(random.randint(1, 2), inside, random.choice(c.SOURCES), *flags)
    if kind is c.ChooseOne:
        return c.ChooseOne((inside, *(a_reward(random, depth - 1) for _ in range(random.randint(1, 2)))))
    if kind is c.When:
        word = random.choice((*c.WHEN_WORDS, "has_keyword"))
        return c.When(word, inside, "Hunted" if word == "has_keyword" else "")
    if kind is c.RollDice:
        die = random.choice(sorted(DICE))
        faces = tuple((face, a_reward(random, depth - 1)) for face in DICE[die])
        return c.RollDice(die, random.choice(COUNTS), faces)
    if kind is c.DrawOrderTokens:
        return c.DrawOrderTokens(random.choice(COUNTS), inside)
    return c.MarkedUnits(inside, flags[0]) if kind is c.MarkedUnits else kind(inside)


def a_reward(random: Random, depth: int) -> tuple[c.Clause, ...]:
    return tuple(an_effect(random, depth) for _ in range(random.choice((0, 1, 1, 1, 2, 3))))


#: What no card says: the words of a form, empty places, and two things that do not follow each other.
WRONG = re.compile(
    r"Option \d|nothing:|player likes|says so|  |[.,:;][.,:;]|\s[.,:;]|\{|\}|_|\ba \d|\b1 units\b"
    r"|\b(and|or|may|gain|gains|lose|loses) (and|or)\b|\b(gain|gains|lose|loses|may) may\b"
    r"|\b(and|or|the|a|each|if|may|you)[.:]|\bmay (gains|loses|chooses)\b|(?<![.:?] )\bOtherwise"
    r"|\b(it|unit|Paragon) (gain|lose)\b|\byou (gains|loses)\b"
)


def test_every_reward_is_complete_sentences(book: Rulebook) -> None:
    @given(seed=st.integers(0, 10**9), marks=st.sampled_from([None, Marks(1, "you"), Marks(None, "you")]))
    def check(seed: int, marks: Marks | None) -> None:
        for paragraph in every(reward_text(book, a_reward(Random(seed), 3), asks=ASKS, marks=marks)):
            assert paragraph.text.endswith(":" if paragraph.items else ".")
            assert not WRONG.search(paragraph.text), paragraph.text
            assert paragraph.text.count("(") == paragraph.text.count(")")
            assert all(sentence[0].isupper() for sentence in re.split(r"(?<=[.?]) ", paragraph.text))

    check()


def every(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    for paragraph in paragraphs:
        yield paragraph
        yield from every(paragraph.items)
