"""Fair dice: promised before anybody rolls, drawn once, kept for ever, shown at the end."""

import pgtrigger
import pytest
from django.db import IntegrityError, InternalError, ProgrammingError, transaction

from campaign.battles.models import Battle, DiceSeed, Draw
from campaign.battles.services import fair_dice, planning, sequence
from campaign.battles.services.sequence import APP, TABLE
from campaign.models import Activity
from registers.models import LedgerEntry
from rules.core.dice import commitment, roll, take, text_of
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Pool, Roll
from tests.campaign.battles.closing import closed, to_step_4, undo
from tests.campaign.factories import planned
from tests.campaign.first_blood import Fought

REFUSED = (IntegrityError, InternalError, ProgrammingError)


def seed_of(battle: Battle) -> DiceSeed:
    return battle.dice_seeds.get()


def rolled(fought: Fought, colour: str = "blue", turn: int | None = None) -> list[str]:
    """Let the app answer; the labels of all draws of that side so far."""
    side = fought.side(colour)
    player = side.own_register.owner
    sequence.answer(actor=player, side_id=side.pk, turn=turn, source=APP)
    return [draw.label for draw in fought.battle.draws.filter(colour=colour)]


# --- The promise ---------------------------------------------------------------------------------------------


def test_a_plan_promises_a_seed_of_32_bytes(table):
    battle = planned(table)
    seed = seed_of(battle)
    secret = bytes(seed.secret)
    assert (len(secret), seed.number, seed.words, seed.revealed_at) == (32, 1, ("", ""), None)
    assert seed.commitment == commitment(secret)
    assert Activity.objects.get(battle=battle, facts__act="plan").facts["commitment"] == seed.commitment


def test_a_seed_is_shown_once_its_battle_is_over_and_not_before(fought):
    assert seed_of(fought.battle).shown == ""
    battle = closed(fought)
    seed = seed_of(battle)
    assert bytes.fromhex(seed.shown) == bytes(seed.secret)


def test_the_seed_of_a_battle_that_is_called_off_is_shown(table):
    battle = planned(table)
    planning.cancel(actor=table.ada, battle_id=battle.pk)
    assert seed_of(battle).shown


@pytest.mark.parametrize(
    "change", [{"secret": b"\0" * 32}, {"commitment": "0" * 64}, {"number": 2}], ids=lambda change: next(iter(change))
)
def test_the_database_lets_no_promise_be_changed(fought, change):
    with pytest.raises(REFUSED), transaction.atomic():
        DiceSeed.objects.filter(battle=fought.battle).update(**change)


def test_the_database_lets_no_promise_be_deleted_and_no_second_be_secret(fought):
    with pytest.raises(REFUSED), transaction.atomic():
        seed_of(fought.battle).delete()
    with pytest.raises(REFUSED), transaction.atomic():
        fair_dice.promise(fought.battle, number=2)


# --- Words ---------------------------------------------------------------------------------------------------


def test_both_players_mix_in_a_word_and_may_change_it(table):
    battle = planned(table)
    blue, red = battle.sides.order_by("colour")
    for word in ("sand", "Ash and  bone"):
        fair_dice.mix_in(actor=table.ada, side_id=blue.pk, word=word)
    fair_dice.mix_in(actor=table.ben, side_id=red.pk, word="frost")
    assert seed_of(battle).words == ("Ash and bone", "frost")


def test_a_word_is_its_players_own(table):
    battle = planned(table)
    blue, _ = battle.sides.order_by("colour")
    for other in (table.ben, table.cora, table.mia):
        with pytest.raises(RuleViolation) as refused:
            fair_dice.mix_in(actor=other, side_id=blue.pk, word="mine")
        assert refused.value.violations == (Violation("", "Only the player of this side can enter a word."),)
    assert seed_of(battle).words == ("", "")


def test_no_word_is_taken_once_the_dice_have_been_rolled(fought):
    fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="before")
    rolled(fought, "red")
    with pytest.raises(RuleViolation) as refused:
        fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="after")
    assert refused.value.violations == (
        Violation("", "The app has already rolled dice in this battle, so the word can no longer change.", "word"),
    )
    assert seed_of(fought.battle).words == ("before", "")


def test_no_word_is_taken_for_a_battle_that_is_over(table):
    battle = planned(table)
    blue, _ = battle.sides.order_by("colour")
    planning.cancel(actor=table.ada, battle_id=battle.pk)
    with pytest.raises(RuleViolation):
        fair_dice.mix_in(actor=table.ada, side_id=blue.pk, word="late")


# --- Draws ---------------------------------------------------------------------------------------------------


def test_the_faces_follow_from_seed_battle_words_and_label(fought):
    fair_dice.mix_in(actor=fought.ben, side_id=fought.red.pk, word="frost")
    assert rolled(fought, "blue") == ["blue/1/1/tokens"]
    assert rolled(fought, "red")[:1] == ["red/3/1/supply"]
    seed, tokens, supply = seed_of(fought.battle), *fought.battle.draws.all()[:2]
    secret, words = bytes(seed.secret), ("", "frost")
    of_tokens, of_supply = (
        text_of(str(fought.battle.pk), words, label) for label in ("blue/1/1/tokens", "red/3/1/supply")
    )
    assert (tokens.die, tokens.faces) == ("", take(secret, of_tokens, tokens.bag, 2))
    assert (supply.die, supply.bag, supply.faces) == (
        "red_defense", [], roll(secret, of_supply, "red_defense", 1),
    )  # fmt: skip
    assert [(draw.number, draw.seed, draw.by) for draw in (tokens, supply)] == [
        (1, seed, fought.ada), (2, seed, fought.ben),
    ]  # fmt: skip


def test_each_pool_is_a_draw_and_the_answer_names_them(fought):
    to_step_4(fought)
    rolled(fought)
    drawn = list(fought.battle.draws.filter(step=4, colour="blue", ordinal=1))
    assert [draw.label for draw in drawn] == ["blue/4/1/check:2", "blue/4/1/check:5"]
    [kept, *_] = fought.blue.answers or sequence.finished_steps(fought.blue)[-1].answers
    assert (kept["answer"], kept["source"], kept["draws"]) == (
        {draw.pool: draw.faces for draw in drawn}, APP, [draw.number for draw in drawn],
    )  # fmt: skip


def test_rolls_of_a_step_are_counted_typed_ones_too(fought):
    to_step_4(fought)
    fought.answer("blue", {"check:2": ["hit"], "check:5": ["hit"]}, TABLE)
    assert set(rolled(fought)[1:]) == {"blue/4/2/setback:2", "blue/4/2/setback:5"}


def test_a_roll_undone_leaves_its_row_and_falls_the_same_again(fought):
    labels = rolled(fought, "red")
    first = fought.battle.draws.get()
    undo(fought, "red")
    assert (fought.red.answers, list(fought.battle.draws.all())) == ([], [first])
    assert rolled(fought, "red") == labels * 2
    again, kept = fought.battle.draws.get(number=2), sequence.finished_steps(fought.red)[-1].answers
    assert (again.faces, kept[0]["draws"]) == (first.faces, [2])


def test_a_post_that_comes_twice_draws_once(fought):
    assert rolled(fought, turn=0) == rolled(fought, turn=0) == ["blue/1/1/tokens"]


def test_what_dice_do_not_answer_is_refused_and_draws_nothing(fought):
    fought.answer("blue", ["corps", "heavy"])
    with pytest.raises(RuleViolation) as refused:
        rolled(fought)
    assert (refused.value.violations, Draw.objects.count()) == (
        (Violation("R26", "This question is not answered by dice."),), 0,
    )  # fmt: skip


def test_nobody_draws_for_the_other_side(fought):
    with pytest.raises(RuleViolation):
        sequence.answer(actor=fought.ben, side_id=fought.blue.pk, turn=None, source=APP)
    assert not Draw.objects.exists()


def test_the_database_lets_no_draw_be_changed_or_deleted(fought):
    rolled(fought)
    for change in (lambda: Draw.objects.update(faces=["heavy"]), lambda: Draw.objects.all().delete()):
        with pytest.raises(REFUSED), transaction.atomic():
            change()


def test_a_battle_that_is_opened_again_goes_on_with_another_seed(fought):
    """What falls then could be foreseen by the seed that was shown when it closed."""
    battle = closed(fought)
    undo(fought, "blue")
    first, second = battle.dice_seeds.all()
    assert (bool(first.shown), second.number, second.shown) == (True, 2, "")
    assert first.commitment != second.commitment
    assert Activity.objects.get(battle=battle, facts__act="reopen").facts["commitment"] == second.commitment
    side = fought.blue
    supply = Roll(rule="R30", text="", pools=(Pool("supply", "red_defense", 1),))
    fair_dice.draw(actor=fought.ada, side=side, question=supply, ordinal=1)
    assert [draw.seed.number for draw in battle.draws.select_related("seed")] == [1, 2]


def test_an_older_battle_gets_its_seed_with_its_next_draw(fought):
    with pgtrigger.ignore("battles.DiceSeed:kept"):
        seed_of(fought.battle).delete()
    with pytest.raises(RuleViolation):
        fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="too early")
    rolled(fought)
    assert fought.battle.draws.get().seed == seed_of(fought.battle)


def test_every_answer_of_the_app_in_the_ledger_names_its_draws(fought):
    closed(fought)
    answers = [item for entry in LedgerEntry.objects.filter(battle=str(fought.battle.pk)) for item in entry.answers]
    named = [number for item in answers if item["source"] == APP for number in item["draws"]]
    assert sorted(named) == [draw.number for draw in fought.battle.draws.all()] == [1]
