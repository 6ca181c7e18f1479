"""Command Hands (R24): recorded with the army, seen by their player alone until the battle is closed."""

import pytest
from django.db import IntegrityError, transaction

from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models import Battle, CommandHand, Side
from campaign.battles.pages.table import HandView, hands_of
from campaign.battles.services import army as army_service
from campaign.battles.services.transition import act_for_side
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import agendas_chosen, army_chosen, army_of, planned, refused, side_of
from tests.registers.factories import make_player

HAND = (
    "ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders",
)  # fmt: skip


def with_hand(table, battle: Battle, hand=HAND, *, actor=None) -> CommandHand | None:
    """Alpha's side mustered with this hand."""
    side = side_of(battle, "blue")
    army_service.choose_army(actor=actor or table.ada, side_id=side.pk, army=army_of(table.alpha), hand=hand)
    return CommandHand.objects.filter(side=side).first()


class TestRecording:
    def test_with_the_army(self, table):
        hand = with_hand(table, planned(table))
        assert (tuple(hand.cards), hand.discarded, str(hand)) == (HAND, [], "7 cards")

    def test_another_one_takes_its_place_and_none_takes_it_away(self, table):
        battle = planned(table)
        with_hand(table, battle)
        other = tuple(reversed(HAND))
        assert tuple(with_hand(table, battle, other).cards) == other
        assert tuple(with_hand(table, battle, None).cards) == other
        assert with_hand(table, battle, ()) is None

    def test_everything_wrong_with_army_and_hand_at_once(self, table):
        side = side_of(planned(table, size=60), "blue")
        with pytest.raises(RuleViolation) as refusal:
            army_service.choose_army(actor=table.ada, side_id=side.pk, army=army_of(table.alpha), hand=HAND[1:])
        assert refused(refusal) == {"R19", "R24"}
        assert not CommandHand.objects.exists()

    def test_an_organizer_enters_one_for_an_absent_player(self, table):
        assert with_hand(table, planned(table), actor=table.cora) is not None

    def test_the_opponent_never_does_even_as_an_organizer(self, table):
        table.campaign.memberships.filter(user=table.ben).update(role="organizer")
        battle = planned(table)
        act_for_side(actor=table.ben, side_id=side_of(battle, "blue").pk)
        with pytest.raises(RuleViolation) as refusal:
            with_hand(table, battle, actor=table.ben)
        assert refused(refusal) == {"R24"}

    def test_the_database_knows_what_a_hand_is(self, table):
        hand = with_hand(table, planned(table))
        for values in ({"cards": ["ambush"]}, {"discarded": ["blast-off"]}):
            with pytest.raises(IntegrityError), transaction.atomic():
                CommandHand.objects.filter(pk=hand.pk).update(**values)


class TestWhenTheBattleBegins:
    """A hand is looked at once more; who begins learns that it is wrong, and neither which card nor why."""

    SAID = Violation("R24", "Ashen Patrol’s Command Hand is no longer legal. Its player has to change it.", "blue")

    def begun(self, table, battle: Battle, actor) -> tuple[Violation, ...] | str:
        agendas_chosen(battle)
        try:
            return army_service.begin(actor=actor, battle_id=battle.pk).status
        except RuleViolation as refusal:
            return refusal.violations

    def test_a_legal_one(self, table):
        battle = planned(table)
        army_chosen(battle)
        with_hand(table, battle)
        assert self.begun(table, battle, table.ben) == "in_play"

    def test_a_card_has_left_the_catalogue(self, table):
        battle = army_chosen(planned(table))
        CommandHand.objects.create(side=side_of(battle, "blue"), cards=["gone", *HAND[1:]])
        sentences = [self.begun(table, battle, actor) for actor in (table.ada, table.ben, table.cora)]
        assert sentences == [(self.SAID,)] * 3
        battle.refresh_from_db()
        assert (battle.status, side_of(battle, "blue").register.in_field_battle) == ("ready", "")

    def test_it_does_not_fit_the_army_any_more(self, table):
        """An organizer fields another army for the player, and cannot see that the hand is not for it."""
        battle = army_chosen(planned(table))
        side = side_of(battle, "blue")
        state = army_of(table.alpha, battle_force="blizzard-force")
        of_the_force = [slug.replace("assault", "debark-for-ground-assault") for slug in HAND]
        army_service.choose_army(actor=table.ada, side_id=side.pk, army=state, hand=of_the_force)
        army_service.choose_army(actor=table.cora, side_id=side.pk, army=army_of(table.alpha), hand=None)
        assert self.begun(table, battle, table.ben) == (self.SAID,)
        army_service.choose_army(actor=table.ada, side_id=side.pk, army=army_of(table.alpha), hand=HAND)
        assert self.begun(table, battle, table.ben) == "in_play"


class TestSeeing:
    def test_its_player_and_nobody_else_until_it_is_closed(self, table):
        battle = planned(table)
        with_hand(table, battle)
        root = make_player("root", is_staff=True, is_superuser=True)
        everybody = (table.ada, table.ben, table.cora, table.mia, root)
        for status in Battle.Status:
            Battle.objects.update(status=status)
            side = Side.objects.get(battle=battle, colour="blue")
            closed = status == Battle.Status.CLOSED
            assert [battle_access.may_see_hand(user, side) for user in everybody] == [True, *[closed] * 4], status

    def test_size_and_discards_are_open(self, table, book):
        battle = planned(table)
        hand = with_hand(table, battle)
        hand.discarded = ["push"]
        hand.save()
        cards = [book.commands[slug] for slug in HAND if slug != "push"]
        push = [book.commands["push"]]
        assert hands_of(table.ada, battle, book) == {hand.side_id: HandView(6, push, cards)}
        assert hands_of(table.ben, battle, book) == {hand.side_id: HandView(6, push, None)}

    def test_a_card_that_has_left_the_catalogue_is_left_out(self, table, book):
        battle = planned(table)
        hand = with_hand(table, battle)
        hand.cards = ["gone", *hand.cards[1:]]
        hand.save()
        [view] = hands_of(table.ada, battle, book).values()
        assert (view.size, [card.slug for card in view.cards]) == (7, list(HAND[1:]))

    def test_who_may_enter_one(self, table):
        battle = planned(table)
        blue = side_of(battle, "blue")
        table.campaign.memberships.filter(user=table.ben).update(role="organizer")
        may = {
            user.username: battle_access.may_enter_hand(access.campaign_role(user, table.campaign), blue)
            for user in (table.ada, table.ben, table.cora, table.mia)
        }
        assert may == {"ada": True, "ben": False, "cora": True, "mia": False}
