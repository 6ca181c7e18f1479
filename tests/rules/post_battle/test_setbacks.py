"""What follows when a unit gains a Setback or becomes a casualty (R35 to R37)."""

from collections.abc import Iterable
from typing import Any

import pytest

from rules.core.reward_effects import GainExperience, GainKeyword, GainSetback, UnknownClause
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Pool, Progress, Roll
from rules.post_battle.setbacks import NO_SHIELD, Shield, aftermath, trait_gained
from rules.register.effects import Effect, SetbackGained, TraitGained, UnitFell
from rules.register.state import RegisterState
from tests.rules.build import OTHERS, PARAGON, TROOPERS, change, done, fell, house, noted, play, state, xp

INSTEAD = (GainExperience(2), GainSetback())

#: Every Story Arc's own Setback with what a second one does.
ARC_SETBACKS = [
    ("bring-peace-to-the-galaxy", "flat-footed", "casualty"),
    ("liberate-the-system", "compromised", "casualty"),
    ("root-out-the-corruption", "scrambled", "casualty"),
    ("peacekeeping-mission", "war-weary", "reroll"),
    ("the-weekend-war", "behind-schedule", "reroll"),
    ("birth-of-a-legend", "losing-faith", "reroll"),
    ("a-pirates-life", "self-serving", "reroll"),
]
ARC_TRAITS = [
    ("bring-peace-to-the-galaxy", "conspicuous"), ("liberate-the-system", "weight-of-responsibility"),
    ("peacekeeping-mission", "selfless-warden"), ("root-out-the-corruption", "embittered"),
    ("the-weekend-war", "on-the-back-foot"), ("birth-of-a-legend", "disillusioned"), ("a-pirates-life", "greedy"),
]  # fmt: skip


def follow(
    book: Rulebook,
    start: RegisterState,
    setbacks: Iterable[str] = (),
    *answers: dict[str, list[str]],
    casualties: Iterable[str] = (),
    shield: Shield = NO_SHIELD,
) -> Progress:
    return play(
        book, start, lambda context: aftermath(context, setbacks, casualties=casualties, shield=shield), answers
    )


def die(unit: str, *faces: str) -> list[dict[str, list[str]]]:
    """The Setback die of one unit, roll after roll."""
    return [{f"setback:{unit}": [face]} for face in faces]


def rolled(unit: str, face: str) -> Effect:
    return fell(unit, "R36", "Setback", face)


def gained(unit: str, slug: str) -> Effect:
    return SetbackGained(unit=unit, setback=slug, rule="R36")


ARC_XP = "Story Arc Setback"


def test_nothing_follows_from_nothing(book: Rulebook) -> None:
    assert done(follow(book, state())) == []


@pytest.mark.parametrize(
    ("face", "slug"), [("hit", "battle-fatigue"), ("blank", "battle-shaken"), ("surge", "downtrodden")]
)
def test_faces_of_the_setback_die(book: Rulebook, face: str, slug: str) -> None:
    """R36."""
    assert done(follow(book, state(), [TROOPERS], *die(TROOPERS, face))) == [
        rolled(TROOPERS, face), gained(TROOPERS, slug),
    ]  # fmt: skip


@pytest.mark.parametrize(("arc", "slug", "second"), ARC_SETBACKS)
def test_the_critical_gives_1_xp_and_the_arc_s_own(book: Rulebook, arc: str, slug: str, second: str) -> None:
    """R36."""
    assert done(follow(book, state(story_arc=arc), [TROOPERS], *die(TROOPERS, "critical"))) == [
        rolled(TROOPERS, "critical"), xp(TROOPERS, 1, "R36", ARC_XP), gained(TROOPERS, slug),
    ]  # fmt: skip
    assert (book.setbacks[slug].second, book.story_arcs[arc].setback) == (second, slug)


@pytest.mark.parametrize(("face", "slug"), [("hit", "battle-fatigue"), ("surge", "downtrodden")])
def test_battle_fatigue_and_downtrodden_stack(book: Rulebook, face: str, slug: str) -> None:
    """R36."""
    start = change(state(), TROOPERS, setbacks=(slug,))
    progress = follow(book, start, [TROOPERS], *die(TROOPERS, face))
    assert progress.state == change(start, TROOPERS, setbacks=(slug, slug))


def test_battle_shaken_cannot_be_had_twice(book: Rulebook) -> None:
    """R36: reroll, as often as it takes."""
    start = change(state(), TROOPERS, setbacks=("battle-shaken",))
    again = noted("R36", "Battle-Shaken, which a unit can have only once: roll again", TROOPERS)
    assert done(follow(book, start, [TROOPERS], *die(TROOPERS, "blank", "blank", "hit"))) == [
        rolled(TROOPERS, "blank"), again,
        rolled(TROOPERS, "blank"), again,
        rolled(TROOPERS, "hit"), gained(TROOPERS, "battle-fatigue"),
    ]  # fmt: skip


@pytest.mark.parametrize(("arc", "slug"), [(arc, slug) for arc, slug, second in ARC_SETBACKS if second == "reroll"])
def test_four_of_the_arcs_are_rolled_again_before_the_xp(book: Rulebook, arc: str, slug: str) -> None:
    """R36 [reading]."""
    start = change(state(story_arc=arc), TROOPERS, setbacks=(slug,))
    assert done(follow(book, start, [TROOPERS], *die(TROOPERS, "critical", "surge"))) == [
        rolled(TROOPERS, "critical"),
        noted("R36", f"{book.setbacks[slug].name}, which a unit can have only once: roll again", TROOPERS),
        rolled(TROOPERS, "surge"), gained(TROOPERS, "downtrodden"),
    ]  # fmt: skip


@pytest.mark.parametrize(("arc", "slug"), [(arc, slug) for arc, slug, second in ARC_SETBACKS if second == "casualty"])
def test_three_of_the_arcs_make_a_casualty_after_the_xp(book: Rulebook, arc: str, slug: str) -> None:
    """R36."""
    start = change(state(story_arc=arc), TROOPERS, setbacks=(slug,))
    assert done(follow(book, start, [TROOPERS], *die(TROOPERS, "critical"))) == [
        rolled(TROOPERS, "critical"),
        xp(TROOPERS, 1, "R36", ARC_XP),
        noted("R36", f"{book.setbacks[slug].name} a second time: casualty", TROOPERS),
        UnitFell(unit=TROOPERS, rule="R35", why="casualty"),
    ]  # fmt: skip


@pytest.mark.parametrize(("arc", "slug"), [(arc, slug) for arc, slug, second in ARC_SETBACKS if second == "reroll"])
def test_or_they_are_rolled_again_after_the_xp(book: Rulebook, arc: str, slug: str) -> None:
    """R36, `rolled_again`: each time anew, and only for the arc's own."""
    after = house(book, rolled_again="after_experience")
    start = change(state(story_arc=arc), TROOPERS, setbacks=(slug, "battle-shaken"))
    again = [
        noted("R36", f"{book.setbacks[one].name}, which a unit can have only once: roll again", TROOPERS)
        for one in (slug, "battle-shaken")
    ]
    answers = die(TROOPERS, "critical", "critical", "blank", "surge")
    assert done(follow(after, start, [TROOPERS], *answers)) == [
        rolled(TROOPERS, "critical"), xp(TROOPERS, 1, "R36", ARC_XP), again[0],
        rolled(TROOPERS, "critical"), xp(TROOPERS, 1, "R36", ARC_XP), again[0],
        rolled(TROOPERS, "blank"), again[1],
        rolled(TROOPERS, "surge"), gained(TROOPERS, "downtrodden"),
    ]  # fmt: skip


@pytest.mark.parametrize(("arc", "slug"), [(arc, slug) for arc, slug, second in ARC_SETBACKS if second == "casualty"])
def test_or_the_casualty_gains_nothing(book: Rulebook, arc: str, slug: str) -> None:
    """R36, `second_of_the_arc`: the first one gives its XP all the same."""
    nothing = house(book, second_of_the_arc="no_experience")
    start = state(story_arc=arc)
    first = follow(nothing, start, [TROOPERS], *die(TROOPERS, "critical"))
    assert done(first) == [
        rolled(TROOPERS, "critical"), xp(TROOPERS, 1, "R36", ARC_XP), gained(TROOPERS, slug),
    ]  # fmt: skip
    assert done(follow(nothing, first.state, [TROOPERS], *die(TROOPERS, "critical"))) == [
        rolled(TROOPERS, "critical"),
        noted("R36", f"{book.setbacks[slug].name} a second time: casualty", TROOPERS),
        UnitFell(unit=TROOPERS, rule="R35", why="casualty"),
    ]  # fmt: skip


def test_a_setback_of_another_arc_is_another_setback(book: Rulebook) -> None:
    """R36: that of the *current* Story Arc is gained."""
    start = change(state(story_arc="liberate-the-system"), TROOPERS, setbacks=("flat-footed",))
    progress = follow(book, start, [TROOPERS], *die(TROOPERS, "critical"))
    assert progress.state == change(start, TROOPERS, setbacks=("flat-footed", "compromised"), experience=1)


def test_a_paragon_with_its_second_rolls_a_trait_and_keeps_the_one_it_has(book: Rulebook) -> None:
    """R36, R35."""
    start = change(state(), PARAGON, setbacks=("flat-footed",))
    progress = follow(book, start, [PARAGON], *die(PARAGON, "critical"), {f"trait:{PARAGON}": ["hit"]})
    assert done(progress) == [
        rolled(PARAGON, "critical"),
        xp(PARAGON, 1, "R36", ARC_XP),
        noted("R36", "Flat Footed a second time: casualty", PARAGON),
        noted("R35", "a Paragon is never a casualty: it gains a Defining Trait", PARAGON),
        fell(PARAGON, "R37", "Defining Trait", "hit"),
        TraitGained(trait="captious-command", games=2, rule="R37"),
    ]
    assert progress.state.dossiers[PARAGON].setbacks == ("flat-footed",)


def test_a_casualty_leaves(book: Rulebook) -> None:
    """R35."""
    assert done(follow(book, state(), casualties=[TROOPERS, OTHERS])) == [
        UnitFell(unit=TROOPERS, rule="R35", why="casualty"),
        UnitFell(unit=OTHERS, rule="R35", why="casualty"),
    ]


@pytest.mark.parametrize(
    ("face", "slug"), [("hit", "captious-command"), ("blank", "unsure"), ("surge", "tunnel-vision")]
)
def test_faces_of_the_trait_die(book: Rulebook, face: str, slug: str) -> None:
    """R35, R37: a Paragon rolls a Defining Trait instead."""
    assert done(follow(book, state(), [], {f"trait:{PARAGON}": [face]}, casualties=[PARAGON])) == [
        noted("R35", "a Paragon is never a casualty: it gains a Defining Trait", PARAGON),
        fell(PARAGON, "R37", "Defining Trait", face),
        TraitGained(trait=slug, games=2, rule="R37"),
    ]


@pytest.mark.parametrize(("arc", "slug"), ARC_TRAITS)
def test_the_critical_gives_1_xp_and_the_arc_s_trait(book: Rulebook, arc: str, slug: str) -> None:
    """R37."""
    start = state(story_arc=arc)
    assert done(follow(book, start, [], {f"trait:{PARAGON}": ["critical"]}, casualties=[PARAGON])) == [
        noted("R35", "a Paragon is never a casualty: it gains a Defining Trait", PARAGON),
        fell(PARAGON, "R37", "Defining Trait", "critical"),
        xp(PARAGON, 1, "R37", "Story Arc Defining Trait"),
        TraitGained(trait=slug, games=2, rule="R37"),
    ]


def test_a_trait_by_a_reward(book: Rulebook) -> None:
    """Section 8."""
    assert trait_gained(book.defining_traits["greedy"], rule="R29") == TraitGained(trait="greedy", games=2, rule="R29")


# --- Daring Defense ------------------------------------------------------------------------------------------


def test_a_shielded_unit_gains_2_xp_and_a_setback_instead(book: Rulebook) -> None:
    """R35, R28."""
    guard = Shield(frozenset([TROOPERS]), INSTEAD)
    assert done(follow(book, state(), [], *die(TROOPERS, "hit"), casualties=[TROOPERS, OTHERS], shield=guard)) == [
        xp(TROOPERS, 2, "R35", "shielded by the Agenda"),
        UnitFell(unit=OTHERS, rule="R35", why="casualty"),
        rolled(TROOPERS, "hit"), gained(TROOPERS, "battle-fatigue"),
    ]  # fmt: skip


def test_a_second_setback_of_a_shield_falls_after_the_first(book: Rulebook) -> None:
    """R35, R36: an arc of one's own may give two. Nothing is Battle-Shaken twice, so its die falls once more."""
    guard = Shield(frozenset([TROOPERS]), (GainSetback(), GainSetback()))
    answers = die(TROOPERS, "blank", "blank", "hit")
    assert done(follow(book, state(), [], *answers, casualties=[TROOPERS], shield=guard)) == [
        rolled(TROOPERS, "blank"), gained(TROOPERS, "battle-shaken"),
        rolled(TROOPERS, "blank"), noted("R36", "Battle-Shaken, which a unit can have only once: roll again", TROOPERS),
        rolled(TROOPERS, "hit"), gained(TROOPERS, "battle-fatigue"),
    ]  # fmt: skip


def test_a_shielded_paragon_too_and_before_its_trait(book: Rulebook) -> None:
    """R35."""
    guard = Shield(frozenset([PARAGON]), INSTEAD)
    assert done(follow(book, state(), [], *die(PARAGON, "blank"), casualties=[PARAGON], shield=guard)) == [
        xp(PARAGON, 2, "R35", "shielded by the Agenda"),
        rolled(PARAGON, "blank"), gained(PARAGON, "battle-shaken"),
    ]  # fmt: skip


def test_tunnel_vision_takes_the_xp_of_the_shield(book: Rulebook) -> None:
    """R27: the Setback stands."""
    guard = Shield(frozenset([TROOPERS]), INSTEAD, withheld=True)
    assert done(follow(book, state(), [], *die(TROOPERS, "hit"), casualties=[TROOPERS], shield=guard)) == [
        noted("R27", "Tunnel Vision: no Experience from the Agenda", TROOPERS),
        rolled(TROOPERS, "hit"), gained(TROOPERS, "battle-fatigue"),
    ]  # fmt: skip


def test_the_shield_holds_as_often_as_the_unit_would_become_a_casualty(book: Rulebook) -> None:
    """R35, R36."""
    start = change(state(), TROOPERS, setbacks=("flat-footed",))
    guard = Shield(frozenset([TROOPERS]), INSTEAD)
    progress = follow(book, start, [TROOPERS], *die(TROOPERS, "critical", "surge"), shield=guard)
    assert done(progress) == [
        rolled(TROOPERS, "critical"),
        xp(TROOPERS, 1, "R36", ARC_XP),
        noted("R36", "Flat Footed a second time: casualty", TROOPERS),
        xp(TROOPERS, 2, "R35", "shielded by the Agenda"),
        rolled(TROOPERS, "surge"), gained(TROOPERS, "downtrodden"),
    ]  # fmt: skip
    assert progress.state.dossiers[TROOPERS].setbacks == ("flat-footed", "downtrodden")


def test_a_shield_gives_nothing_else(book: Rulebook) -> None:
    """Section 8: an error, not a silent skip."""
    guard = Shield(frozenset([TROOPERS]), (GainKeyword("Hunted"),))
    with pytest.raises(UnknownClause, match="a casualty shield gives Experience and Setbacks, not GainKeyword"):
        follow(book, state(), casualties=[TROOPERS], shield=guard)


# --- One question for all dice that can fall together --------------------------------------------------------


def pool(what: str, unit: str, text: str) -> Pool:
    """Of "whose: what for"."""
    whose, note = text.split(": ")
    return Pool(f"{what}:{unit}", "black_attack", 1, whose, note, {"setback": "R36", "trait": "R37"}[what])


@pytest.mark.parametrize(
    ("setbacks", "casualties", "rule", "text", "pools"),
    [
        ([TROOPERS], [], "R36", "Roll the Setback.", [pool("setback", TROOPERS, "Grim Hounds: Setback")]),
        ([TROOPERS, OTHERS], [], "R36", "Roll the Setbacks.",
         [pool("setback", TROOPERS, "Grim Hounds: Setback"), pool("setback", OTHERS, "Night Shift: Setback")]),
        ([TROOPERS], [PARAGON], "R36", "Roll the Setback and the Defining Trait.",
         [pool("setback", TROOPERS, "Grim Hounds: Setback"), pool("trait", PARAGON, "Captain Sorne: Defining Trait")]),
        ([], [PARAGON], "R37", "Roll the Defining Trait.",
         [pool("trait", PARAGON, "Captain Sorne: Defining Trait")]),
    ],
)  # fmt: skip
def test_dice_that_fall_together_are_one_question(
    book: Rulebook, setbacks: list[str], casualties: list[str], rule: str, text: str, pools: list[Pool]
) -> None:
    progress = follow(book, state(), setbacks, casualties=casualties)
    assert progress.question == Roll(rule=rule, text=text, pools=tuple(pools))


def test_a_face_that_is_none_breaks_the_rule_of_its_die(book: Rulebook) -> None:
    """R37, though a Setback (R36) falls along with the Trait."""
    wrong = {f"setback:{TROOPERS}": ["hit"], f"trait:{PARAGON}": ["block"]}
    with pytest.raises(RuleViolation) as caught:
        follow(book, state(), [TROOPERS], wrong, casualties=[PARAGON])
    assert caught.value.violations == (Violation("R37", "This die has no face 'block'.", f"trait:{PARAGON}"),)


def test_only_what_must_be_rolled_again_is_asked_again(book: Rulebook) -> None:
    """R36."""
    start = change(state(), TROOPERS, setbacks=("battle-shaken",))
    first: dict[str, Any] = {f"setback:{TROOPERS}": ["blank"], f"setback:{OTHERS}": ["blank"]}
    progress = follow(book, start, [TROOPERS, OTHERS], first | {f"trait:{PARAGON}": ["hit"]}, casualties=[PARAGON])
    assert progress.question == Roll(
        rule="R36", text="Roll the Setback.", pools=(pool("setback", TROOPERS, "Grim Hounds: Setback"),)
    )
