"""The Agendas are chosen once both armies are ready: Blue first, openly (R22, R23)."""

from typing import Any

import pytest
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.battles.queries.battles import agendas_version, side_to_choose
from campaign.battles.services import army as army_service
from campaign.battles.services.agendas import choose_agenda
from rules.battle.army import Army
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import against_guest, armies_chosen, army_of, complete, planned, side_of
from tests.html import html_of
from tests.registers.views.reading import text_of

BLUE, RED = "gather-intelligence", "keep-them-in-line"


@pytest.fixture
def battle(table) -> Battle:
    return armies_chosen(planned(table))


def choose(battle: Battle, colour: str, agenda: str | None, **words: Any) -> Battle:
    side = side_of(battle, colour)
    return choose_agenda(**{"actor": side.own_register.owner, "side_id": side.pk, "agenda": agenda, **words})


def refusal(act: Any, *args: Any, **words: Any) -> tuple[Violation, ...]:
    with pytest.raises(RuleViolation) as caught:
        act(*args, **words)
    return caught.value.violations


def chosen(battle: Battle) -> list[str | None]:
    return [side.agenda for side in battle.sides.order_by("colour")]


def test_blue_first_then_red_then_the_battle_can_start(table, battle):
    start = {"actor": table.ben, "battle_id": battle.pk}
    for name, colour, agenda in (("Ashen Patrol", "blue", BLUE), ("Dune Wardens", "red", "")):
        text = f"{name} has not chosen an Agenda yet. Choose one, or none."
        assert refusal(army_service.begin, **start) == (Violation("R23", text, colour),)
        if colour == "blue":
            text = "Blue chooses first. Wait for Ashen Patrol."
            assert refusal(choose, battle, "red", RED) == (Violation("R23", text),)
        choose(battle, colour, agenda)
    assert chosen(battle) == [BLUE, ""]
    assert army_service.begin(**start).status == "in_play"


def test_a_double_tap_counts_once_and_a_stale_page_is_refused(battle):
    seen = agendas_version(battle.sides.all())
    for _ in range(2):
        choose(battle, "blue", BLUE, version=seen)
    assert battle.activity.filter(facts__act="choose_agenda").count() == 1
    text = "An army or Agenda changed a moment ago. Check the page, then choose again."
    assert refusal(choose, battle, "red", RED, version=seen) == (Violation("R23", text),)
    assert chosen(battle) == [BLUE, None]


def test_only_the_last_choice_can_be_undone(battle):
    choose(battle, "blue", BLUE)
    choose(battle, "red", RED)
    text = "Only the last choice can be undone. Ask your opponent to undo theirs first."
    assert refusal(choose, battle, "blue", None) == (Violation("R23", text),)
    text = "Dune Wardens has chosen already. Undo that choice first."
    assert refusal(choose, battle, "red", "") == (Violation("R23", text),)
    for colour in ("red", "blue"):
        choose(battle, colour, None)
    assert chosen(battle) == [None, None]


def test_another_army_opens_the_choice_again_and_another_hand_does_not(table, battle):
    choose(battle, "blue", BLUE)
    choose(battle, "red", RED)
    side = side_of(battle, "red")
    hand = (
        "ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders",
    )  # fmt: skip
    army_service.choose_army(actor=table.ben, side_id=side.pk, army=army_of(table.bravo), hand=hand)
    assert chosen(battle) == [BLUE, RED]
    army_service.choose_army(actor=table.ben, side_id=side.pk, army=Army(fielded={"1": ()}))
    assert chosen(battle) == [None, None]


def test_the_owner_of_a_turning_point_mission_is_not_asked(table):  # R22
    complete(table.alpha, 2)
    battle = armies_chosen(planned(table, owner="blue"))
    assert chosen(battle) == ["", None]
    assert side_to_choose(battle.sides.all()).colour == "red"
    text = "The owner of a Turning Point Mission cannot bring an Agenda."
    assert refusal(choose, battle, "blue", "persons-of-interest")[0] == Violation("R22", text, "agenda")
    choose(battle, "red", RED)
    assert refusal(choose, battle, "blue", None)[0].rule == "R23"


@pytest.mark.parametrize("agenda", [BLUE, "midnight-strikes", "nonsense"])
def test_an_agenda_that_is_complete_or_of_another_arc(table, agenda):
    complete(table.alpha, 1)
    battle = armies_chosen(planned(table))
    text = "Choose an Agenda of the current Story Arc that is not complete."
    assert refusal(choose, battle, "blue", agenda) == (Violation("R23", text, "agenda"),)


def test_against_a_guest_one_side_chooses(table):
    battle = armies_chosen(against_guest(table))
    choose(battle, "blue", BLUE)
    assert side_to_choose(battle.sides.all()) is None
    text = "A guest’s Agenda is not recorded here."
    guest = battle.sides.get(colour="red")
    assert refusal(choose_agenda, actor=table.ada, side_id=guest.pk, agenda=RED) == (Violation("R17", text),)


def test_not_for_another_player_nor_once_the_battle_has_started(table, battle):
    assert refusal(choose, battle, "blue", BLUE, actor=table.ben)[0].rule == ""
    choose(battle, "blue", BLUE)
    choose(battle, "red", RED)
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    assert refusal(choose, battle, "red", None)[0].rule == "R23"
    assert choose(battle, "red", RED).status == "in_play"  # the form comes twice


class TestThePage:
    def tap(self, client, battle, colour, agenda, **words):
        side = side_of(battle, colour)
        data = {"agenda": agenda, "version": str(agendas_version(battle.sides.all())), **words}
        return client.post(reverse("battles:agenda", args=[side.pk]), data, follow=True)

    def test_red_sees_what_blue_has_chosen(self, client, table, battle):
        client.force_login(table.ben)
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Waiting for Ashen Patrol" in text
        assert "Start battle" not in text
        client.force_login(table.ada)
        page = html_of(client.get(battle.get_absolute_url()))
        assert all(f'value="{agenda}"' in page for agenda in (BLUE, RED, "persons-of-interest", "none"))
        text = text_of(self.tap(client, battle, "blue", BLUE))
        assert "Ashen Patrol ( blue ): Gather Intelligence" in text.replace("(blue)", "( blue )")
        assert "Change Agenda" in text
        client.force_login(table.ben)
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Gather Intelligence" in text
        assert "Captain Sorne Paragon" not in text.split("Dune Wardens red")[0]
        text = text_of(self.tap(client, battle, "red", "none"))
        assert "no Agenda" in text
        assert "Start battle" in text

    def test_the_choice_is_undone_with_a_tap(self, client, table, battle):
        client.force_login(table.ada)
        self.tap(client, battle, "blue", BLUE)
        self.tap(client, battle, "blue", "undo")
        assert chosen(battle) == [None, None]

    def test_a_form_without_what_it_needs(self, as_ada, battle):
        text = text_of(self.tap(as_ada, battle, "blue", BLUE, version="x"))
        assert "This form is incomplete. Reload the page." in text

    def test_in_the_log(self, battle):
        from campaign.battles.pages.activity import activity_lines, of_battle

        choose(battle, "blue", BLUE)
        choose(battle, "red", "")
        choose(battle, "red", None)
        lines = [line.text for line in activity_lines(of_battle(Battle.objects.prefetch_related("sides").get()))]
        assert lines[:3] == [
            "Dune Wardens changes its Agenda.",
            "Dune Wardens brings no Agenda.",
            "Ashen Patrol brings the Agenda Gather Intelligence.",
        ]
