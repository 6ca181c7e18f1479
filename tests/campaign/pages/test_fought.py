"""What the pictures of a campaign are made from."""

from campaign.battles.models import Side
from campaign.battles.services.contenders import Contender
from campaign.pages.standings_chart import Bout, fought
from rules.register.effects import ReputationGained
from tests.campaign.factories import enlisted, happen
from tests.campaign.fights import over


def test_battles_as_each_register_saw_them(table):
    enlisted(table.campaign, table.mia, "Half Done", commissioned=False)
    happen(table.bravo, ReputationGained(amount=1, rule="R48"))
    first = over(table, "blue")
    over(table, status="cancelled")
    drawn = over(table)
    guest = over(table, "red", red=Contender(guest_name="Sal", guest_points=500))
    under_way = over(table, "blue", status="sequence")
    seen = fought(table.campaign)
    alpha, bravo = table.alpha.pk, table.bravo.pk
    assert [register.name for register in seen.registers] == ["Dune Wardens", "Ashen Patrol"]
    assert seen.battles == [first, drawn, guest, under_way]
    assert seen.bouts == {
        alpha: [Bout(first, alpha, bravo, "won"), Bout(drawn, alpha, bravo, "drawn"), Bout(guest, alpha, None, "lost")],
        bravo: [Bout(first, bravo, alpha, "lost"), Bout(drawn, bravo, alpha, "drawn")],
    }


def test_no_more_of_the_sides_is_read_than_who_fought(table):
    """Armies, reports and answers are the greater part of a battle."""
    over(table, "blue")
    [battle] = fought(table.campaign).battles
    read = [set(vars(side)) & {field.attname for field in Side._meta.concrete_fields} for side in battle.sides.all()]
    assert read == [{"id", "battle_id", "colour", "register_id"}] * 2
