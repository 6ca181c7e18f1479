"""A roll falls the same for ever, and every seed is shown: after a battle has closed nobody fishes for better dice."""

from uuid import UUID

import pytest

from campaign.battles.models import Amendment, Battle, Draw, Side
from campaign.battles.services import amendments, fair_dice, sequence
from campaign.battles.services.sequence import APP, TABLE
from campaign.models import Activity
from registers.services import corrections
from rules.adjustments.corrections import WantedValue
from rules.core.dice import roll, text_of
from rules.post_battle.dialogue import Pool, Roll
from tests.campaign.battles.amending import applied, decide, fights_a_guest, least, planned, undo_amendment
from tests.campaign.battles.closing import closed, undo
from tests.campaign.first_blood import Fought

#: Two dice of blue's unit 2.
CHECKS = Roll(rule="R31", text="", pools=(Pool("check:2", "black_attack", 2),))


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed; ada organizes."""
    closed(fought)
    fought.ada_organizes()
    return fought


def throw(fought: Fought, question: Roll = CHECKS, ordinal: int = 1) -> Draw:
    """A roll of blue's by the app, as it is kept."""
    _, [number] = fair_dice.draw(actor=fought.ada, side=fought.blue, question=question, ordinal=ordinal)
    return fought.battle.draws.get(number=number)


def seeds(battle: Battle) -> list[tuple[int, bool]]:
    """The number of each seed, and whether it is shown."""
    return [(seed.number, bool(seed.shown)) for seed in battle.dice_seeds.all()]


def acts(battle: Battle) -> list[str]:
    """What the chronicle says was done with a battle, the newest last."""
    return list(Activity.objects.filter(battle=battle).order_by("pk").values_list("facts__act", flat=True))


def walk_with_the_app(fought: Fought, battle_id: UUID) -> None:
    """Blue goes through its sequence against a guest; the app rolls all dice."""
    while True:
        side, other = (
            Side.objects.select_related("register", "battle").get(battle=battle_id, colour=colour)
            for colour in ("blue", "red")
        )
        question = None if side.done else sequence.running_step(side, other).question
        if question is None:
            return
        given = {"source": APP} if isinstance(question, Roll) else {"answer": least(question)}
        sequence.answer(actor=fought.ada, side_id=side.pk, turn=side.turn, **given)


# --- The same roll -----------------------------------------------------------------------------------------------


def test_a_sequence_that_is_undone_after_the_end_falls_the_same(over):
    """What was typed in at first is new to the app: it has a seed of its own, once."""
    battle = fights_a_guest(over, ["1", "2", "3", "4"], ["2"])
    seen = []
    for _ in range(4):
        side = battle.sides.get(colour="blue")
        sequence.undo_answers(actor=over.ada, battle_id=battle.pk, colour="blue", turn=side.turn, what="sequence")
        before = battle.draws.count()
        walk_with_the_app(over, battle.pk)
        drawn = battle.draws.select_related("seed")[before:]
        seen.append([(draw.label, draw.seed.number, draw.faces) for draw in drawn])
    assert seen == [seen[0]] * 4
    assert {number for _label, number, _faces in seen[0]} == {2}
    assert seeds(battle) == [(number, True) for number in range(1, 6)]


def test_what_was_never_drawn_follows_from_a_seed_that_is_secret(fought):
    first = throw(fought)
    fair_dice.reveal(fought.battle)
    again, other = throw(fought), throw(fought, ordinal=2)
    assert (again.seed, again.faces, other.seed.number, other.seed.shown) == (first.seed, first.faces, 2, "")


def test_the_words_are_those_of_the_first_draw(fought):
    fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="sand")
    first = throw(fought)
    fair_dice.reveal(fought.battle)
    fair_dice.promise(fought.battle, number=2)
    fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="frost")
    assert (throw(fought).faces, throw(fought).seed.words) == (first.faces, ("sand", ""))


def test_of_more_dice_the_first_are_those_that_fell(fought):
    first = throw(fought)
    fair_dice.reveal(fought.battle)
    more = throw(fought, Roll(rule="R31", text="", pools=(Pool("check:2", "black_attack", 5),)))
    secret, text = bytes(first.seed.secret), text_of(str(fought.battle.pk), ("", ""), first.label)
    assert (more.seed, more.faces[:2]) == (first.seed, first.faces)
    assert more.faces == roll(secret, text, "black_attack", 5)


def test_a_revision_falls_the_same_each_time(over):
    seen = []
    for _ in range(3):
        amendment = undo_amendment(over, "step", step=4)
        decide(over, amendment, None, APP)
        [row] = over.battle.draws.select_related("seed").filter(pool="check:2").order_by("-number")[:1]
        seen.append((row.label, row.seed.number, row.faces))
        amendments.drop(actor=over.ada, amendment_id=amendment.pk)
    assert seen == [("blue/4/1/check:2", 2, seen[0][2])] * 3


# --- Promised before, shown after --------------------------------------------------------------------------------


def test_what_a_revision_will_roll_is_sealed_before_and_shown_when_it_is_dropped(over):
    amendment = undo_amendment(over, "step", step=4)
    promised = over.battle.dice_seeds.last()
    assert (seeds(over.battle), over.battle.draws.filter(step=4).exists()) == ([(1, True), (2, False)], False)
    line = Activity.objects.get(battle=over.battle, facts__act="seal")
    assert (line.actor, line.facts["commitment"]) == (over.ada, promised.commitment)
    decide(over, amendment, None, APP)
    for _ in range(2):
        amendments.drop(actor=over.ada, amendment_id=amendment.pk)
    assert (seeds(over.battle), acts(over.battle)[-2:]) == ([(1, True), (2, True)], ["seal", "let_go"])
    assert Activity.objects.get(battle=over.battle, facts__act="let_go").facts["reason"] == "A wrong tap."


def test_one_that_rolled_nothing_leaves_no_line_and_no_secret(over):
    amendment = undo_amendment(over, "step", step=4)
    amendments.drop(actor=over.ada, amendment_id=amendment.pk)
    assert (seeds(over.battle), acts(over.battle)[-1]) == ([(1, True), (2, True)], "seal")


def test_what_a_later_battle_promises_for_it_is_shown_too(fought):
    """With another Setback from battle 1 the dice of battle 2, which is closed, are asked for."""
    ada, blue = fought.ada_organizes(), fought.blue.own_register
    corrections.correct(
        actor=ada, register_id=blue.pk, position=blue.position,
        wishes=[WantedValue("setbacks", ["downtrodden"], unit="2")], reason="A slip of the pen.", override=True,
    )  # fmt: skip
    closed(fought)
    later = fights_a_guest(fought, ["1", "2", "3", "4"], ["2"])
    amendment = undo_amendment(fought, "step", step=4)
    decide(fought, amendment, {"check:2": ["hit"], "check:5": ["blank"]}, TABLE)
    decide(fought, amendment, {"setback:2": ["surge"]}, TABLE)
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.battle, seeds(later), acts(later)[-1]) == (later, [(1, True), (2, False)], "seal")
    while (halt := planned(amendment).halt) and halt.question:
        by_the_app = isinstance(halt.question, Roll)
        decide(fought, amendment, *((None, APP) if by_the_app else (least(halt.question),)))
    applied(fought, amendment)
    assert (seeds(later), later.draws.exists()) == ([(1, True), (2, True)], True)


def test_a_battle_that_is_opened_again_while_a_revision_is_open_keeps_the_seed_it_promised(over):
    decide(over, undo_amendment(over, "step", step=4), None, APP)
    undo(over, "blue")
    assert seeds(over.battle) == [(1, True), (2, False)]
    [reopened] = Activity.objects.filter(battle=over.battle, facts__act="reopen")
    assert reopened.facts["commitment"] == over.battle.dice_seeds.last().commitment
    assert Amendment.objects.get().state == "open"
