"""Battles of a Register outside campaigns, against guests (R17), through the pages."""

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.services.closing import delete_account
from campaign.achievements.queries import careers_of
from campaign.battles.models import Battle
from campaign.battles.pages.register_lines import register_lines
from campaign.battles.services import sequence
from campaign.battles.services.contenders import Contender
from campaign.battles.services.solo import plan_solo_battle
from campaign.chronicle.services import stories
from campaign.data_export import campaigns_of
from campaign.enlistments.services import enlistments
from campaign.models import Campaign, Enlistment
from registers.ledger.verification import differences
from registers.models import Register
from rules.core.violations import RuleViolation
from tests.at_once import behind
from tests.campaign.factories import address, make_table, refused
from tests.form_walk import FormWalk
from tests.once import once
from tests.registers.factories import make_player, make_register
from tests.registers.views.reading import text_of
from tests.uploads.photos import photo


def page_of(register: Register, name: str = "registers:detail") -> str:
    return reverse(name, args=[register.pk])


def planned(walk: FormWalk, register: Register) -> Battle:
    """A battle against Sal, planned from the Register's page."""
    walk.open(page_of(register))
    walk.follow("Play a battle")
    walk.press("Create battle", guest_name="Sal")
    return Battle.objects.get(campaign__solo=register, status="planned")


@once
def played(register: Register) -> Battle:
    """The same battle, won by its Register, in whose sequence it has answered nothing yet."""
    walk = FormWalk(register.owner)
    battle = planned(walk, register)
    walk.press("Save army", field=["1", "2", "3"])
    walk.press("No Agenda")
    walk.press("Start battle")
    walk.follow("Report battle")
    walk.press("Report battle", winner="blue")
    return battle


def closed(register: Register, battle: Battle) -> None:
    """Resolve the rest of the sequence: supplies, no rival, no Aid Requests, no edits."""
    [side] = battle.sides.filter(register=register)
    for source in (sequence.APP, sequence.PLAYER, sequence.PLAYER, sequence.PLAYER):
        sequence.answer(actor=register.owner, side_id=side.pk, turn=None, source=source)


@pytest.fixture
def strays(book) -> Register:
    return make_register(make_player("sol"), name="Strays")


def test_a_register_plays_the_whole_sequence_without_a_campaign(strays):
    battle, walk = played(strays), FormWalk(strays.owner)
    walk.open("/")
    assert "Roll for Supply Points Battle 1: Strays against Sal" in walk.words
    walk.open(reverse("battles:sequence", args=[battle.pk]))
    walk.press("Roll die")
    assert "5/10 Award Experience" in walk.words
    walk.press("Undo my last answer")
    assert "3/10 Award Supply Points" in walk.words
    closed(strays, battle)
    battle.refresh_from_db()
    assert (battle.status, battle.campaign.name) == ("closed", "")
    walk.open(page_of(strays, "registers:ledger"))
    assert "Solo battle 1" in walk.words
    walk.follow("Go to Solo battle 1")
    walk.follow("Solo battles")
    assert "Strays against Sal Battle 1, 600 points: Strays won" in walk.words
    walk.follow("Strays")
    assert "Play a battle" in walk.words
    strays.refresh_from_db()
    assert list(differences(strays)) == []


def test_it_is_shown_nowhere_as_a_campaign(strays, client):
    planned(FormWalk(strays.owner), strays)
    assert not Campaign.objects.exists()
    [solo] = Campaign.everything.all()
    client.force_login(strays.owner)
    pages = ("campaign:detail", "campaign:people", "campaign:lifecycle", "battles:plan")
    assert {client.get(reverse(page, args=[solo.pk])).status_code for page in pages} == {404}
    home = client.get("/")
    assert (list(home.context["home"].campaigns), "Choose the army of Strays" in text_of(home)) == ([], True)
    client.force_login(make_player("eve"))
    assert client.get(page_of(strays, "battles:solo")).status_code == 404


def test_joining_a_campaign_keeps_the_history_and_ends_corrections(strays):
    battle, sol = played(strays), strays.owner
    table = make_table()
    table.campaign.memberships.create(user=sol, role="player")

    def join() -> None:
        enlistments.add_register(actor=sol, campaign=table.campaign, register_id=strays.pk)

    with pytest.raises(RuleViolation) as refusal:
        join()
    assert refused(refusal) == {"R11"}
    walk = FormWalk(sol)
    closed(strays, battle)
    entries = strays.entries.count()
    join()
    assert (strays.entries.count(), Enlistment.objects.get(register=strays).awaits_consent) == (entries, True)
    [line], [(_, career)] = register_lines([strays]), careers_of([strays.pk])
    assert (line.won, line.drawn, line.lost, career.fights) == (0, 0, 0, [])  # the campaign counts its own battles
    walk.open(page_of(strays))
    walk.follow("Solo battles")
    assert "Strays: is in a campaign" in walk.words
    assert "Strays against Sal" in walk.words
    assert walk.client.get(reverse("battles:amend", args=[battle.pk])).status_code == 409
    mia = FormWalk(table.mia)
    mia.open(page_of(strays, "registers:ledger"))
    assert "Solo battle 1" in mia.words
    assert mia.client.get(battle.get_absolute_url()).status_code == 404
    cora = FormWalk(table.cora)
    cora.open(address(table, "campaign:consent", strays.pk))
    assert "It has fought 1 battle outside this campaign." in cora.words
    enlistments.decline(actor=table.cora, campaign=table.campaign, register_id=strays.pk)
    plan_solo_battle(
        actor=sol, register_id=strays.pk, size=600,
        blue=Contender(register_id=strays.pk), red=Contender(guest_name="Sal"),
    )  # fmt: skip
    assert Battle.objects.filter(campaign__solo=strays).count() == 2


@pytest.mark.django_db(transaction=True)
def test_who_joins_while_the_first_one_is_planned_waits_and_is_refused(strays):
    table = make_table()
    table.campaign.memberships.create(user=strays.owner, role="player")
    sides = {"blue": Contender(register_id=strays.pk), "red": Contender(guest_name="Sal", guest_points=500)}
    found = behind(
        lambda: plan_solo_battle(actor=strays.owner, register_id=strays.pk, size=600, **sides),
        lambda: enlistments.add_register(actor=strays.owner, campaign=table.campaign, register_id=strays.pk),
    )
    assert ([each.rule for each in found.violations], Enlistment.objects.filter(register=strays).exists()) == (
        ["R11"], False,
    )  # fmt: skip


def test_its_pictures_its_download_and_the_end_of_its_account(strays, client):
    sol, sides = strays.owner, {"blue": Contender(register_id=strays.pk), "red": Contender(guest_name="Sal")}
    battle = plan_solo_battle(actor=sol, register_id=strays.pk, size=600, **sides)
    stories.add_battle_photo(actor=sol, battle=battle, sent=photo("PNG"), alt="The yard")
    data = campaigns_of(sol)
    [side], [picture] = data["battles"], data["pictures"]
    assert (data["member of"], side["register__name"], picture["alt"]) == ([], "Strays", "The yard")
    client.force_login(make_player("eve"))
    assert client.get(picture["address"]).status_code == 404
    client.force_login(sol)
    assert client.get(picture["address"]).status_code == 200
    pictures = reverse("chronicle:battle_photos", args=[battle.pk])
    assert "The yard" in client.get(pictures).text
    delete_account(actor=sol, user=sol)
    assert not Campaign.everything.get(solo=strays).memberships.exists()
    assert "former player" in str(Register.objects.get(pk=strays.pk).owner)


def test_only_its_player_plans_for_it(strays, client):
    client.force_login(User.objects.create_user("staff", is_staff=True, is_superuser=True))
    assert client.get(page_of(strays, "battles:solo")).status_code == 404
    assert client.post(page_of(strays, "battles:solo"), {"guest_name": "Sal"}).status_code == 404
