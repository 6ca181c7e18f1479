"""A Register of a campaign, founded from a list."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.access import campaign_role
from campaign.battles.pages.activity import activity_lines
from campaign.battles.pages.candidates import UNSEEN, candidates
from campaign.battles.services import planning
from campaign.battles.services.planning import Contender
from campaign.enlistments.services import enlistments
from campaign.models import Activity, Enlistment
from registers.models import Register
from registers.projection import state_of
from rules.core.violations import RuleViolation
from rules.register.effects import VeteranRankReached
from tests.campaign.factories import activity_rows, happen
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.importing import KEPT_ELSEWHERE, form_of, tts
from tests.registers.views.reading import text_of


def address(table) -> str:
    return reverse("campaign:import_register", args=[table.campaign.pk])


def test_it_serves_in_the_campaign(client, table):
    client.force_login(table.mia)
    text = tts({"Snowtroopers": [], "Scout Troopers": []})
    page = client.post(address(table), {"text": text, "register": str(uuid4())})
    fields = form_of(page) | {"do": "create"}
    for _ in range(2):  # law 6: the form comes twice
        answer = client.post(address(table), fields)
        assert answer["Location"] == reverse("registers:building", args=[fields["register"]])
    register = Register.objects.get(pk=fields["register"])
    assert (register.owner, Enlistment.objects.get(register=register).campaign) == (table.mia, table.campaign)
    assert [dossier.card for dossier in state_of(register).dossiers.values()] == ["snowtroopers", "scout-troopers"]


def test_the_campaign_leads_there(client, table):
    client.force_login(table.mia)
    assert address(table) in html_of(client.get(table.campaign.get_absolute_url()))
    assert "Outer Rim Winter" in text_of(client.get(address(table)))


def test_a_stranger(client, table):
    client.force_login(table.eve)
    assert client.get(address(table)).status_code == 404
    assert client.post(address(table), {"text": "x"}).status_code == 404
    assert not table.eve.registers.exists()


class TestConsent:
    """What a Register took over counts in a campaign once an organizer has seen it."""

    def brought(self, client, table, user) -> Register:
        client.force_login(user)
        text = KEPT_ELSEWHERE
        page = client.post(address(table), {"text": text, "register": str(uuid4())})
        fields = form_of(page) | {"do": "create"}
        assert client.post(address(table), fields).status_code == 302
        Register.objects.filter(pk=fields["register"]).update(commissioned=True)
        return Register.objects.get(pk=fields["register"])

    def url(self, table, register) -> str:
        return reverse("campaign:consent", args=[table.campaign.pk, register.pk])

    def test_until_then_it_does_not_fight(self, client, table):
        register = self.brought(client, table, table.mia)
        assert Enlistment.objects.get(register=register).awaits_consent
        [why] = [one.why for one in candidates(campaign_role(table.mia, table.campaign), table.campaign) if one.own]
        assert why == UNSEEN
        with pytest.raises(RuleViolation) as refused:
            planning.plan_battle(
                actor=table.mia, campaign=table.campaign, size=600,
                blue=Contender(register_id=register.pk), red=Contender(register_id=table.bravo.pk),
            )  # fmt: skip
        assert [violation.text for violation in refused.value.violations] == [
            "An organizer has to approve the import of Ashen Patrol first."
        ]

    def test_an_organizer_sees_all_of_it_and_consents(self, client, table):
        register = self.brought(client, table, table.mia)
        own = client.get(table.campaign.get_absolute_url())
        waits = "Ashen Patrol was imported and waits for an organizer’s approval."
        assert (waits in text_of(own), self.url(table, register) in html_of(own)) == (True, False)
        client.force_login(table.cora)
        assert self.url(table, register) in html_of(client.get(table.campaign.get_absolute_url()))
        text = text_of(client.get(self.url(table, register)))
        assert "(taken over)" not in text
        assert "To choose" in text
        assert text.index("Combat Potential") < text.index("Captain Sorne") < text.index("Grim Hounds")
        events = Activity.objects.count()
        for _ in range(2):
            assert client.post(self.url(table, register)).headers["Location"] == table.campaign.get_absolute_url()
        assert not Enlistment.objects.get(register=register).awaits_consent
        event = Activity.objects.first()
        assert (Activity.objects.count(), event.kind, event.actor) == (events + 1, "enlisted", table.cora)
        assert event.facts == {
            "register": str(register.pk), "reason": "An organizer approved its imported values.",
        }  # fmt: skip
        assert "An organizer has approved this Register." in text_of(client.get(self.url(table, register)))

    def test_an_organizer_declines_and_it_leaves_as_it_is(self, client, table):
        register = self.brought(client, table, table.mia)
        entries, before = register.entries.count(), activity_rows(table.campaign)
        with pytest.raises(RuleViolation) as refused:
            enlistments.decline(actor=table.mia, campaign=table.campaign, register_id=register.pk)
        assert [violation.text for violation in refused.value.violations] == [
            "Only an organizer can decline imported values."
        ]
        client.force_login(table.cora)
        page = html_of(client.get(self.url(table, register)))
        assert '<button class="button button--danger" name="do" value="decline">' in page
        answer = client.post(self.url(table, register), {"do": "decline"}, follow=True)
        assert f"{register} was declined." in text_of(answer)
        enlistments.decline(actor=table.cora, campaign=table.campaign, register_id=register.pk)  # it comes twice
        assert not Enlistment.objects.filter(register=register).exists()
        assert register.entries.count() == entries
        assert activity_rows(table.campaign) == [*before, ("declined", table.cora, {"register": str(register.pk)})]
        words = activity_lines(Activity.objects.filter(kind="declined"))[0].text
        assert words == f"{register} was not added: an organizer declined its imported values."
        enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=register.pk)
        assert Enlistment.objects.get(register=register).awaits_consent

    def test_what_counts_is_not_declined_any_more(self, client, table):
        register = self.brought(client, table, table.cora)
        answer = client.post(self.url(table, register), {"do": "decline"}, follow=True)
        assert f"{register} is already approved." in text_of(answer)
        assert Enlistment.objects.filter(register=register).exists()

    def test_what_is_owed_is_said(self, client, table):
        register = self.brought(client, table, table.mia)
        happen(register, VeteranRankReached(unit="2", veteran_rank=1, rule="R14"))
        client.force_login(table.cora)
        assert "1 Commendation to choose. R15" in text_of(client.get(self.url(table, register)))

    def test_an_organizer_consents_by_bringing_it(self, client, table):
        register = self.brought(client, table, table.cora)
        assert not Enlistment.objects.get(register=register).awaits_consent

    def test_only_organizers_and_only_registers_of_the_campaign(self, client, table):
        register = self.brought(client, table, table.mia)
        assert client.post(self.url(table, register)).status_code == 404
        assert Enlistment.objects.get(register=register).awaits_consent
        client.force_login(table.cora)
        assert client.get(self.url(table, make_register(table.mia, name="Strays"))).status_code == 404

    def test_what_was_founded_here_needs_none(self, table):
        assert not Enlistment.objects.filter(awaits_consent=True).exists()
