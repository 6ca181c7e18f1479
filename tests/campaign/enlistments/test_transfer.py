"""What organizers give: awards to many, all or none; a Register to another player."""

import pytest
from django.urls import reverse

from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.enlistments.services import enlistments
from campaign.models import ActivityKind, Membership
from members.services import membership
from registers.ledger.verification import differences
from registers.models import EntryType
from rules.adjustments.awards import Gift
from rules.core.violations import RuleViolation
from tests.campaign.battles.closing import all_but_the_last, last
from tests.campaign.enlistments.awards import REASON, awarded, now
from tests.campaign.factories import activity_rows, address, in_play, planned
from tests.html import html_of
from tests.registers.views.reading import text_of


def violations_of(caught) -> list[tuple[str, str]]:
    return [(violation.rule, violation.text) for violation in caught.value.violations]


class TestAward:
    def test_one_entry_each(self, table):
        gifts = {table.alpha: Gift(supply_points=2), table.bravo: Gift(experience=3, units=("2",))}
        awarded(table, gifts)
        found = [register.entries.last() for register in gifts]
        assert [(e.act, e.reason, e.actor, e.on_behalf_of, len(e.effects)) for e in found] == [
            (EntryType.CORRECT, REASON, table.cora, table.ada, 1),
            (EntryType.CORRECT, REASON, table.cora, table.ben, 1),
        ]
        assert [now(table.alpha).supply_points, now(table.bravo).dossiers.get(key="2").experience] == [7, 3]
        assert [list(differences(now(register))) for register in gifts] == [[], []]

    def test_the_same_form_twice_counts_once(self, table):
        for _ in range(2):
            awarded(table, {table.alpha: Gift(supply_points=2)})
        assert now(table.alpha).supply_points == 7

    def test_all_or_none(self, table):
        gift = Gift(setback="downtrodden")
        with pytest.raises(RuleViolation) as caught:
            awarded(table, {table.alpha: Gift(supply_points=1), table.bravo: gift})
        assert violations_of(caught) == [("", "Dune Wardens: This award gives this Register nothing.")]
        assert (now(table.alpha).supply_points, now(table.alpha).position) == (5, table.alpha.position)

    def test_not_what_has_changed_meanwhile(self, table):
        old = now(table.alpha)
        awarded(table, {table.alpha: Gift(supply_points=2)})
        with pytest.raises(RuleViolation, match="has changed since"):
            awarded(table, {old: Gift(supply_points=3)})

    def test_by_organizers_to_their_own_with_a_reason(self, table):
        gifts = {table.alpha: Gift(supply_points=2)}
        for words, value in (({"actor": table.ada}, "Only an organizer"), ({"reason": ""}, "Give a reason")):
            with pytest.raises(RuleViolation, match=value):
                awarded(table, gifts, **words)
        with pytest.raises(RuleViolation, match="Choose at least one Register"):
            awarded(table, {})
        table.alpha.enlistment.delete()
        with pytest.raises(RuleViolation, match="is not in the campaign"):
            awarded(table, gifts)


class TestAwardPage:
    @pytest.fixture
    def page(self, client, table):
        client.force_login(table.cora)
        return address(table, "campaign:award")

    def sent(self, table, **more):
        return {
            "supply_points": 2, "experience": 0, "registers": [str(table.alpha.pk)], "reason": REASON, **more,
        }  # fmt: skip

    def test_looked_at_first_then_given(self, client, table, page):
        assert client.get(page).status_code == 200
        looked = client.post(page, self.sent(table))
        [preview] = looked.context["previews"]
        assert (preview.register, preview.lines) == (table.alpha, ["+2 SP"])
        assert now(table.alpha).supply_points == 5
        position = {f"position-{table.alpha.pk}": table.alpha.position}
        given = client.post(page, self.sent(table, do="give", **position))
        assert (given["Location"], now(table.alpha).supply_points) == (f"{page}#given", 7)

    def test_the_preview_is_open(self, client, table, page):
        pks = [str(table.alpha.pk), str(table.bravo.pk)]
        sent = self.sent(table, supply_points=0, experience=1, commendation="on", registers=pks)
        looked = client.post(page, sent)
        lines = ["+1 Experience: all 3 units", "one more Commendation to choose: all 3 units"]
        assert [preview.lines for preview in looked.context["previews"]] == [lines] * 2
        assert f"Ashen Patrol {' · '.join(lines)}" in text_of(looked)
        refused = client.post(page, self.sent(table, supply_points=0, setback="downtrodden"))
        assert [preview.lines for preview in refused.context["previews"]] == [()]
        assert '<details class="fold" open>' in html_of(refused)

    def test_the_preview_names_units_if_not_all_gain_the_same(self, client, table, page):
        pk = table.alpha.pk
        sent = self.sent(table, experience=1, **{f"asked-{pk}": 1, f"units-{pk}": ["1", "3"]})
        [preview] = client.post(page, sent).context["previews"]
        assert preview.lines == ["+2 SP", "+1 Experience: Captain Sorne, Stormtroopers (no. 3)"]

    def test_a_link_ticks_a_group(self, client, table, page):
        groups = client.get(page, {"group": ["all", "nobody"]}).context["form"]["groups"]
        assert [box.data["attrs"].get("checked", False) for box in groups] == [True]

    def test_units_can_be_left_out(self, client, table, page):
        pk = table.alpha.pk
        words = {"experience": 1, "do": "give", f"position-{pk}": table.alpha.position, f"asked-{pk}": 1}
        client.post(page, self.sent(table, **words, **{f"units-{pk}": ["2"]}))
        dossiers = now(table.alpha).dossiers.order_by("order")
        assert [dossier.experience for dossier in dossiers] == [0, 1, 0]

    def test_what_is_refused_is_said_and_kept(self, client, table, page):
        sent = self.sent(table, supply_points=0, setback="downtrodden")
        looked = client.post(page, sent)
        assert b"This award gives this Register nothing." in looked.content
        assert not looked.context["can_give"]
        position = {f"position-{table.alpha.pk}": table.alpha.position}
        refused = client.post(page, sent | {"do": "give", "reason": "", **position})
        assert refused.status_code == 422
        assert list(refused.context["form"].errors) == ["reason"]
        assert list(client.post(page, {**sent, "registers": []}).context["form"].errors) == ["registers"]

    def test_a_position_longer_than_any_gives_nothing(self, client, table, page):
        position = {f"position-{table.alpha.pk}": "9" * 5000}
        assert client.post(page, self.sent(table, do="give", **position)).status_code == 422
        assert now(table.alpha).supply_points == 5


class TestGiveRegister:
    def give(self, table, to, actor=None):
        return enlistments.transfer_register(
            actor=actor or table.cora, campaign=table.campaign, register_id=table.alpha.pk, to=to
        )

    def test_it_belongs_to_another_and_the_chronicle_tells(self, table):
        for _ in range(2):
            assert self.give(table, table.ben).owner == table.ben
        assert activity_rows(table.campaign, ActivityKind.GIVEN) == [
            (
                "given", table.cora,
                {"register": str(table.alpha.pk), "user": table.ben.pk, "before": table.ada.pk},
            ),
        ]  # fmt: skip
        assert now(table.alpha).position == table.alpha.position

    def test_only_to_who_plays_and_by_who_organizes(self, table):
        membership.give_role(actor=table.cora, group=table.campaign, user=table.mia, role=Membership.Role.VIEWER)
        for to, actor, text in (
            (table.eve, None, "is not a player"),
            (table.mia, None, "is not a player"),
            (table.ben, table.ada, "Only an organizer"),
        ):
            with pytest.raises(RuleViolation, match=text):
                self.give(table, to, actor)

    def test_not_in_the_middle_of_a_battle(self, table):
        in_play(planned(table))
        with pytest.raises(RuleViolation, match="is in a battle"):
            self.give(table, table.ben)

    def test_not_while_the_sequence_of_its_opponent_runs(self, fought):
        """The hand that it fought with is secret until the battle is closed (R24)."""
        all_but_the_last(fought)
        register, to = fought.red.own_register, fought.ada_organizes()
        words = {"actor": to, "campaign": fought.battle.campaign, "register_id": register.pk, "to": to}
        assert (fought.red.open, fought.blue.open) == (False, True)
        with pytest.raises(RuleViolation) as caught:
            enlistments.transfer_register(**words)
        assert violations_of(caught) == [("R11", f"{register} is in a battle. Finish the battle first.")]
        last(fought)
        assert enlistments.transfer_register(**words).owner == to

    def test_not_one_of_elsewhere(self, table):
        table.alpha.enlistment.delete()
        with pytest.raises(RuleViolation, match="is not in the campaign"):
            self.give(table, table.ben)

    def test_page(self, client, table):
        client.force_login(table.cora)
        page = address(table, "campaign:transfer_register", table.alpha.pk)
        labels = {option["label"] for option in client.get(page).context["form"]["to"].options}
        assert labels == {"cora", "ben", "mia"}
        refused = client.post(page, {"to": table.eve.pk})
        values = {"to": ["Choose a player of the campaign."]}
        assert (refused.status_code, refused.context["form"].errors) == (422, values)
        assert client.post(page, {"to": table.ben.pk}).status_code == 302
        assert now(table.alpha).owner == table.ben
        assert activity_lines(of_campaign(table.campaign))[0].text == "Ashen Patrol now belongs to ben."
        person = client.get(reverse("campaign:person", args=[table.campaign.pk, table.ben.pk]))
        assert page in html_of(person)
        gone = address(table, "campaign:transfer_register", "154a365f-c4d8-4b63-a1cb-d8400e091b92")
        assert client.get(gone).status_code == 404
