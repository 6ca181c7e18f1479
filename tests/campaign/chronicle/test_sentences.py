"""The sentences of the chronicle: varied, always the same for the same battle, and never false."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings

from campaign.chronicle.narrative.battle_story import (
    NEVER_LED,
    OF_BATTLE,
    BattleNarrative,
    BattleStory,
    SideNarrative,
    SideStory,
    _battle_facts,
    _found,
    listed,
    narrate,
)
from campaign.chronicle.narrative.sayings import SAYINGS
from core.sentences import said
from tests.campaign.chronicle.battle_stories import a_battle_story
from tests.campaign.chronicle.strategies import battle_stories
from tests.rules.arcs.arcs import PRINTED
from tests.thoroughness import examples


def names_in(side: SideStory) -> set[str]:
    pairs = [name for pair in (*side.setbacks, *side.commendations) for name in pair]
    units = [pair[0] for pair in (*side.ranks, *side.agendas)]
    units += [unit for unit, _ in side.escaped]
    single = (side.name, side.rival, side.trait, side.arc_ended, side.arc_begun, side.saved)
    return {*side.fallen, *side.joined, *pairs, *units, *filter(None, single)}


def may_be_named(side: SideStory) -> set[str]:
    """The names that some sentences leave out: whom a Register fears, its arc, its Paragon."""
    return {*names_in(side), *filter(None, (side.feared, side.arc, side.paragon))}


def numbers_in(side: SideStory) -> set[int]:
    counts = {side.battles, side.defeated, len(side.escaped), *(len(faces) for _, faces in side.escaped)}
    counts |= {len(side.fallen), len(side.setbacks), len(side.ranks), len(side.commendations), len(side.joined)}
    return counts | {pair[1] for pair in (*side.ranks, *side.agendas)} | {side.reputation, side.arcs}


#: Numbers that stories write in words; "one" and "first" say more than a number.
IN_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "twice": 2, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
}  # fmt: skip


def numbers_of(text: str) -> set[int]:
    words = re.findall(r"\d+|[a-z]+", text.lower())
    return {IN_WORDS.get(word) or int(word) for word in words if word in IN_WORDS or word.isdecimal()}


@settings(max_examples=examples(15, 300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(battle_stories())
def test_every_name_and_number_stands_in_the_facts(battle_story):
    found = narrate(battle_story)
    of_battle = " ".join([found.headline, *found.battle])
    assert set(re.findall(r"Q\w+?q", of_battle)) <= {
        battle_story.blue.name, battle_story.red.name, battle_story.mission, battle_story.turning_point
    }  # fmt: skip
    assert numbers_of(of_battle) <= {
        battle_story.size,
        battle_story.blue.victory_points,
        battle_story.red.victory_points,
        battle_story.meeting,
        *battle_story.lead,
        len(battle_story.sides),
    }
    by_name = {side.name: side for side in battle_story.sides}
    for side in found.sides:
        facts, text = by_name[side.name], " ".join(side.sentences)
        opponent = {each.name for each in battle_story.sides} - {side.name}
        assert set(re.findall(r"Q\w+?q", text)) <= may_be_named(facts) | opponent
        assert numbers_of(text) <= numbers_in(facts)


@settings(max_examples=examples(15, 300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(battle_stories())
def test_everything_that_happened_is_told(battle_story):
    found = {side.name: " ".join(side.sentences) for side in narrate(battle_story).sides}
    assert set(found) == {side.name for side in battle_story.sides if side.has_sequence}
    for side in battle_story.sides:
        if side.has_sequence:
            assert names_in(side) - set(re.findall(r"Q\w+?q", found[side.name])) <= {side.name}


def other(story: BattleStory, side: SideStory) -> SideStory:
    return story.blue if side is story.red else story.red


#: Words, and what must be so where they are said.
CLAIMS = {
    "conceded": lambda t, s: t.blue.conceded or t.red.conceded,
    "q conceded": lambda t, s: s or t.blue.conceded != t.red.conceded,
    "Both sides conceded": lambda t, s: t.blue.conceded and t.red.conceded,
    "won clearly": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) >= 4,
    "In the end": lambda t, s: t.lead[0],
    "routed": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) >= 4,
    "crushed": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) >= 4,
    "edged out": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) == 1,
    "narrowly": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) == 1,
    "ingle Victory Point": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) == 1,
    "One Victory Point": lambda t, s: abs(t.blue.victory_points - t.red.victory_points) == 1,
    "Neither side won": lambda t, s: not t.winner,
    "a draw": lambda t, s: not t.winner,
    "Turning Point": lambda t, s: t.turning_point,
    "triumphed": lambda t, s: t.turning_point and t.winner == "blue",
    "stopped": lambda t, s: t.turning_point and t.winner == "red",
    " mission": lambda t, s: t.mission and not t.turning_point,
    "without a single unit": lambda t, s: not s.defeated and t.winner == s.colour,
    "no unit defeated": lambda t, s: not s.defeated and not s.fallen,
    "not one unit": lambda t, s: not s.defeated and t.winner == s.colour,
    "on its feet": lambda t, s: not s.defeated and not s.fallen,
    "came through": lambda t, s: not s.conceded,
    "it came home": lambda t, s: s.defeated == 1 and not s.fallen,
    "went down": lambda t, s: s.defeated and not s.fallen,
    "was lost": lambda t, s: s.defeated > 1 and not s.fallen,
    "lost nobody": lambda t, s: s.conceded and s.defeated and not s.fallen,
    "still on its feet": lambda t, s: s.conceded and not s.defeated,
    "a single unit of theirs": lambda t, s: s.conceded and not s.defeated,
    "still had every unit": lambda t, s: t.winner == s.colour and not s.defeated and other(t, s).conceded,
    "had a unit defeated": lambda t, s: t.winner == s.colour and not s.defeated and other(t, s).conceded,
    "them came home": lambda t, s: s.defeated and not s.fallen,
    "mourned nobody": lambda t, s: s.defeated and not s.fallen,
    "The victory cost": lambda t, s: s.fallen and t.winner == s.colour,
    "nobody for good": lambda t, s: s.defeated and not s.fallen,
    "for good.": lambda t, s: s.fallen or s.conceded,
    "for good:": lambda t, s: s.fallen,
    "escape": lambda t, s: s.escaped,
    "the fate of": lambda t, s: s.escaped,
    "ended well": lambda t, s: len(s.escaped) > 1,
    "Medevac": lambda t, s: s.saved,
    "first Commendation": lambda t, s: {unit for unit, _ in s.commendations} & {*s.first_honors},
    "the first honor": lambda t, s: {unit for unit, _ in s.commendations} & {*s.first_honors},
    "each of them": lambda t, s: len(s.first_honors) > 1 and {unit for unit, _ in s.commendations} == {*s.first_honors},
    "never been honored": lambda t, s: {*s.first_honors},
    "nobody more than": lambda t, s: s.feared and not other(t, s).has_sequence,
    "more than anyone": lambda t, s: s.rival,
    "had won": lambda t, s: t.last_winner and t.meeting > 1,
    "level at": lambda t, s: t.winner and t.blue.victory_points == t.red.victory_points,
    "Nobody was ahead": lambda t, s: t.winner and t.blue.victory_points == t.red.victory_points,
    "although the score": lambda t, s: t.blue.victory_points != t.red.victory_points,
    "the same Story Arc": lambda t, s: s.arc_begun == s.arc_ended,
    "still led": lambda t, s: t.lead[0] and t.winner,
    "trailed": lambda t, s: t.lead[0] and t.winner,
    "first meeting": lambda t, s: t.meeting == 1,
    "never met": lambda t, s: t.meeting == 1,
    "had met before": lambda t, s: t.meeting > 1,
    "fought each other": lambda t, s: t.meeting > 1,
    "for loot": lambda t, s: s.arc_slug == "a-pirates-life",
    "a name for": lambda t, s: s.arc_slug == "birth-of-a-legend",
    "won, but lost": lambda t, s: s.fallen and t.winner == s.colour,
    "lost Q": lambda t, s: s.fallen,
    "did not return": lambda t, s: s.fallen and t.winner != s.colour,
    "mourned Q": lambda t, s: s.fallen and t.winner != s.colour,
    "Setback": lambda t, s: s.setbacks,
    "left its mark": lambda t, s: s.setbacks,
    "reached Veteran": lambda t, s: s.ranks,
    "rose": lambda t, s: s.ranks,
    "promoted": lambda t, s: s.ranks,
    "Commendation": lambda t, s: s.commendations,
    "joined": lambda t, s: s.joined,
    "new unit": lambda t, s: s.joined,
    "Most Feared": lambda t, s: s.rival,
    "No enemy worried": lambda t, s: s.rival,
    "Trait": lambda t, s: s.trait,
    "The Agenda": lambda t, s: s.agendas,
    "advanced": lambda t, s: s.agendas,
    "came to its end": lambda t, s: s.arc_ended and t.winner != s.colour,
    "With this victory": lambda t, s: s.arc_ended and t.winner == s.colour,
    "ended in victory": lambda t, s: s.arc_ended and t.winner == s.colour,
    "finished the Story Arc": lambda t, s: s.arc_ended and t.winner != s.colour,
    "is complete": lambda t, s: s.arcs,
    "a new Story Arc": lambda t, s: s.arc_begun and s.arc_ended,
    "Next for": lambda t, s: s.arc_begun and s.arc_ended,
    "began the Story Arc": lambda t, s: s.arc_begun and not s.arc_ended,
}


@settings(max_examples=examples(15, 300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(battle_stories())
def test_no_claim_is_false(battle_story):
    found = narrate(battle_story)
    by_name = {side.name: side for side in battle_story.sides}
    sentences = [(None, sentence) for sentence in (found.headline, *found.battle)]
    sentences += [(by_name[side.name], sentence) for side in found.sides for sentence in side.sentences]
    false = [
        (words, sentence)
        for side, sentence in sentences
        for words, holds in CLAIMS.items()
        if words in sentence and not holds(battle_story, side)
    ]
    assert false == []


@given(battle_stories())
def test_the_score_is_the_right_way_round(battle_story):
    told = narrate(replace(battle_story, lead=NEVER_LED))
    points = battle_story.blue.victory_points, battle_story.red.victory_points
    for found in re.finditer(r"(\d+)(?: to |–)(\d+)", " ".join([told.headline, *told.battle])):
        assert tuple(map(int, found.groups())) == (points[::-1] if battle_story.winner == "red" else points)


@given(battle_stories())
@example(a_battle_story())
def test_read_twice_it_says_the_same(battle_story):
    assert narrate(battle_story) == narrate(replace(battle_story))


def test_another_battle_is_told_in_other_words():
    values = {narrate(a_battle_story(key=str(key), winner="blue")).battle[0] for key in range(40)}
    assert values == {
        "Ashen Patrol met Sal in a battle of 600 points.",
        "Ashen Patrol took the field against Sal, with 600 points.",
        "Sal stood in the way of Ashen Patrol in a battle of 600 points.",
    }


@pytest.mark.parametrize("number", [1, 2])
def test_every_way_of_saying_it_has_its_places_filled(number):
    """Whichever way the hash picks: the facts have all that it names."""
    pairs = tuple((f"unit {place}", "what") for place in range(number))
    side = SideStory(
        name="Ashen Patrol", colour="blue", has_sequence=True, fallen=("a",) * number, setbacks=pairs,
        ranks=(("a", 1),) * number, commendations=pairs, joined=("a",) * number, agendas=(("a", number),),
        rival="r", trait="t", arc_ended="e", reputation=1, arc_begun="b", arcs=number, defeated=number,
        escaped=(("a", ("blank",)),) * number, saved="a", feared="a", battles=2, arc="now",
    )  # fmt: skip
    battle_story = a_battle_story(blue=side, winner="blue", lead=(2, 3, 1))
    facts = {"side": side.name, "They": "They", "them": "them", "opponent": "Sal", "won": True, "guest": True}
    found = [(fact, {**facts, **own}) for fact, own in _found(battle_story, side)]
    found += [(fact, _battle_facts(battle_story)) for fact in OF_BATTLE]
    assert {fact for fact, _ in found} == SAYINGS.keys()
    sentences = [
        said(way, own, number) for fact, own in found for group in SAYINGS[fact].values() for way in group.values()
    ]
    assert [each for each in sentences if "%" in each] == []


def test_every_condition_names_facts():
    """A word of a condition that is no fact would never hold."""
    side = SideStory(name="Ashen Patrol", colour="blue", has_sequence=True, agendas=(("a", 1),))
    battle_story = a_battle_story(blue=side)
    of_every_side = {"won", "guest", "conceded", "given", "otherwise", *(arc["slug"] for arc in PRINTED)}
    known = {fact: {*own, *of_every_side} for fact, own in _found(battle_story, side)}
    known |= {fact: {*_battle_facts(battle_story), "otherwise"} for fact in OF_BATTLE}
    assert [
        (fact, word)
        for fact, groups in SAYINGS.items()
        for word in " ".join(groups).replace("!", "").split()
        if word not in known[fact]
    ] == []


def test_a_whole_battle():
    blue = SideStory(
        name="Ashen Patrol", colour="blue", faction="empire", victory_points=8, has_sequence=True,
        fallen=("Old Guard", "Grim Hounds"), agendas=(("Keep Them in Line", 2),),
    )  # fmt: skip
    battle_story = a_battle_story(
        key="first", winner="blue", blue=blue, red=SideStory(name="Sal", colour="red", victory_points=5)
    )
    assert narrate(battle_story) == BattleNarrative(
        "Ashen Patrol defeated Sal 8–5",
        ["Ashen Patrol took the field against Sal, with 600 points.", "The victory went to Ashen Patrol, 8 to 5."],
        [
            SideNarrative(
                "Ashen Patrol",
                "empire",
                [
                    "Ashen Patrol won, but lost two units for good: Old Guard and Grim Hounds.",
                    "They advanced the Agenda Keep Them in Line twice.",
                ],
            )
        ],
    )


@pytest.mark.parametrize("key", range(6))
def test_they_are_the_register_and_no_unit_whose_name_begins_like_it(key):
    scouts = "Dune Wardens Scouts"
    happened = {"setbacks": ((scouts, "Downtrodden"),), "ranks": ((scouts, 1),), "rival": "Old Guard"}
    blue = SideStory(name="Dune Wardens", colour="blue", has_sequence=True, **happened)
    [told] = narrate(a_battle_story(key=str(key), blue=blue)).sides
    promotion, rival = told.sentences[-2:]
    assert (promotion.startswith(scouts), "Dune Wardens" in rival) == (True, True)


def test_sixty_battles_have_no_two_equal_paragraphs():
    """Three Registers that meet again and again, always with the same end."""
    names, paragraphs = ("Ashen Patrol", "Dune Wardens", "Sal’s Own"), []
    fought, met = Counter[str](), Counter[tuple[str, ...]]()
    for number in range(60):
        blue, red = (names[number % 3], names[(number + 1) % 3])
        fought.update((blue, red))
        met[pair := tuple(sorted((blue, red)))] += 1
        sides = {
            colour: SideStory(name=name, colour=colour, has_sequence=True, battles=fought[name])
            for colour, name in (("blue", blue), ("red", red))
        }
        found = narrate(a_battle_story(key=str(number), meeting=met[pair], winner="blue", **sides))
        paragraphs += [" ".join(found.battle), *(" ".join(side.sentences) for side in found.sides)]
    assert [words for words, times in Counter(paragraphs).items() if times > 1] == []


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        ("", "Both sides conceded at 3 to 5, and nobody won."),
        ("red", "Both sides conceded at 5 to 3, and the victory went to Sal."),
    ],
)
def test_both_conceded(winner, expected):
    blue, red = a_battle_story().sides
    sides = {
        "blue": replace(blue, victory_points=3, conceded=True),
        "red": replace(red, victory_points=5, conceded=True),
    }
    assert narrate(a_battle_story(winner=winner, **sides)).battle[1] == expected


@pytest.mark.parametrize("key", range(4))
def test_the_turning_of_a_lead(key):
    told = narrate(a_battle_story(key=str(key), winner="blue", lead=(3, 4, 2)))
    assert told.battle[1] in {
        "After round 3, Sal still led 4 to 2. Then the battle turned.",
        "Ashen Patrol trailed 2 to 4 after round 3, and came back.",
    }


@pytest.mark.parametrize("key", range(4))
def test_the_third_meeting_remembers_the_second(key):
    told = narrate(a_battle_story(key=str(key), winner="blue", meeting=3, last_winner="red"))
    assert told.battle[1] in {
        "It was their third meeting. Sal had won the one before.",
        "They had met before: this was their third battle against each other, and Sal had won the last.",
        "The two fought each other for the third time. The last time, Sal had won.",
    }


def test_equal_things_stand_in_one_row():
    ranks = (("A", 1), ("B", 2), ("C", 1))
    escaped = (("A", ("blank",)), ("B", ("blank",)))
    blue = replace(a_battle_story().blue, ranks=ranks, escaped=escaped, defeated=2)
    told = " ".join(narrate(a_battle_story(blue=blue)).sides[0].sentences)
    assert ("A and C to Veteran Rank 1; B to Veteran Rank 2" in told, "A and B, each on a blank" in told) == (
        True,
        True,
    )


@pytest.mark.parametrize("key", range(4))
def test_two_of_the_same_for_one_unit(key):
    setbacks, honors = (("A", "Downtrodden 1"),) * 2, (("A", "Resilient"), ("A", "Loyal"))
    blue = replace(a_battle_story().blue, setbacks=setbacks, commendations=honors, first_honors=("A",))
    told = " ".join(narrate(a_battle_story(key=str(key), blue=blue)).sides[0].sentences)
    assert (": Downtrodden 1 for A (twice)." in told, "each of them" in told) == (True, False)


def test_a_register_of_another_name_is_told_in_the_same_words():
    battle_story = a_battle_story(winner="blue")
    renamed = [
        " ".join(narrate(replace(battle_story, key=str(key), blue=blue)).sides[0].sentences).replace(blue.name, "X")
        for key in range(9)
        for blue in (replace(battle_story.blue, name=name) for name in ("Ashen Patrol", "Dune Wardens"))
    ]  # fmt: skip
    assert renamed[::2] == renamed[1::2]


def test_names_in_a_row():
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
