"""The people page of a campaign, and what an organizer does there."""

import re
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.urls import reverse

from campaign.battles.services import army as army_service
from campaign.people.services import joining
from members.services import invitations, membership
from rules.core.violations import RuleViolation, refuse
from tests.campaign.factories import address, army_of, enlisted, planned, side_of
from tests.campaign.people.kept_places import kept_for
from tests.html import html_of
from tests.registers.factories import make_player
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture(autouse=True)
def no_attempts_yet(db):
    cache.clear()


def roles(table) -> dict[str, str]:
    return dict(table.campaign.memberships.values_list("user__username", "role"))


EVERYBODY = {"cora": "organizer", "ada": "player", "ben": "player", "mia": "player"}


class TestPeople:
    def test_for_an_organizer(self, as_cora, table):
        invitations.invite(actor=table.cora, group=table.campaign)
        text = text_of(as_cora.get(address(table, "campaign:people")))
        for words in (
            "cora organizer",
            "ada Ashen Patrol",
            "Open to any number of players nobody joined yet",
            "Create invitation",
        ):
            assert words in text

    def test_for_a_player(self, client, table):
        client.force_login(table.ada)
        page = client.get(address(table, "campaign:people"))
        assert "ada Ashen Patrol" in text_of(page)
        assert "Create invitation" not in text_of(page)
        assert address(table, "campaign:person", table.ben.pk) not in html_of(page)

    def test_as_many_queries_for_three_of_everything(self, as_cora, table):
        invitations.invite(actor=table.cora, group=table.campaign)
        one = queries_of(as_cora, address(table, "campaign:people"))
        for name in ("Second", "Third"):
            enlisted(table.campaign, table.ada, name)
            made = invitations.invite(actor=table.cora, group=table.campaign)
            joining.join(actor=make_player(name.lower()), invitation=made)
        assert queries_of(as_cora, address(table, "campaign:people")) == one


class TestAdding:
    def test_by_sign_in_name(self, as_cora, table):
        answer = as_cora.post(address(table, "campaign:add_member"), {"username": "eve"}, follow=True)
        assert "eve was added to Outer Rim Winter." in text_of(answer)
        assert roles(table) == EVERYBODY | {"eve": "player"}

    def test_a_refusal_stands_beside_the_field_and_loses_nothing(self, as_cora, table):
        answer = as_cora.post(address(table, "campaign:add_member"), {"username": "zoe"})
        assert answer.status_code == 422
        assert "Nobody signs in as “zoe”." in text_of(answer)
        assert 'value="zoe"' in html_of(answer)

    def test_tries_are_limited(self, as_cora, table, settings):
        settings.ACCOUNT_RATE_LIMITS = {"add_member": "2/h/user"}
        found = [as_cora.post(address(table, "campaign:add_member")).status_code for _ in range(3)]
        assert found == [422, 422, 429]


class TestPerson:
    def post(self, client, table, user, **words):
        return client.post(address(table, "campaign:person", user.pk), words, follow=True)

    def test_what_an_organizer_may_do(self, as_cora, table):
        text = text_of(as_cora.get(address(table, "campaign:person", table.ada.pk)))
        for words in ("Hand over to ada", "Remove ada", "can see everything but change nothing"):
            assert words in text
        own = text_of(as_cora.get(address(table, "campaign:person", table.cora.pk)))
        assert "Hand over to" not in own
        assert "Remove cora" not in own

    def test_whose_place_is_kept_is_not_here_yet(self, as_cora, table):
        kept_for(table.ben)
        [row] = re.findall(
            "ben #[^<]*</span>.*?</a>", html_of(as_cora.get(address(table, "campaign:people"))), re.DOTALL
        )
        assert "no account · Dune Wardens" in row
        text = text_of(as_cora.get(address(table, "campaign:person", table.ben.pk)))
        assert "Hand over campaign" not in text

    def test_another_role(self, as_cora, table):
        text = text_of(self.post(as_cora, table, table.ada, do="role", role="viewer"))
        assert "ada is now viewer of Outer Rim Winter." in text
        assert roles(table) == EVERYBODY | {"ada": "viewer"}

    def test_handed_over(self, as_cora, table):
        text = text_of(self.post(as_cora, table, table.ada, do="hand_over"))
        assert "ada is now an organizer of Outer Rim Winter. You are now a player." in text
        assert roles(table) == EVERYBODY | {"ada": "organizer", "cora": "player"}

    @pytest.mark.parametrize("do", ["hand_over", "remove"])
    def test_a_double_tap_ends_where_one_does(self, as_cora, table, do):
        text = [text_of(self.post(as_cora, table, table.ada, do=do)) for _ in range(2)]
        words = {
            "hand_over": "ada is now an organizer of Outer Rim Winter. You are now a player.",
            "remove": "ada was removed from Outer Rim Winter.",
        }
        assert [words[do] in page for page in text] == [True, True]
        handed_over = EVERYBODY | {"ada": "organizer", "cora": "player"}
        removed = {name: role for name, role in EVERYBODY.items() if name != "ada"}
        assert roles(table) == (handed_over if do == "hand_over" else removed)
        events = table.campaign.activity.filter(kind__in=("role", "removed"))
        assert events.count() == (2 if do == "hand_over" else 1)

    def test_who_has_handed_over_does_nothing_else_there(self, as_cora, table):
        self.post(as_cora, table, table.ada, do="hand_over")
        asked = [
            as_cora.get(address(table, "campaign:person", table.ada.pk)),
            *(self.post(as_cora, table, table.ada, do=do) for do in ("role", "remove", "")),
            self.post(as_cora, table, table.ben, do="hand_over"),
            self.post(as_cora, table, table.eve, do="remove"),
        ]
        assert [answer.status_code for answer in asked] == [404] * 6

    def test_nobody_hands_over_what_they_never_had(self, client, table):
        client.force_login(table.ben)
        assert self.post(client, table, table.cora, do="hand_over").status_code == 404

    def test_removed_keeps_the_register_and_sees_the_campaign_no_more(self, as_cora, client, table):
        text = text_of(self.post(as_cora, table, table.ben, do="remove"))
        assert "ben was removed from Outer Rim Winter." in text
        client.force_login(table.ben)
        found = [
            client.get(page).status_code
            for page in (address(table, "campaign:detail"), reverse("registers:edit", args=[table.bravo.pk]), "/")
        ]
        assert found == [404, 200, 200]

    def test_the_last_organizer_keeps_the_role(self, as_cora, table):
        answer = self.post(as_cora, table, table.cora, do="role", role="player")
        assert answer.status_code == 422
        assert "You are the only organizer. Make somebody else organizer first." in text_of(answer)
        assert roles(table) == EVERYBODY

    def test_who_is_not_in_it_has_no_page(self, as_cora, table):
        assert as_cora.get(address(table, "campaign:person", table.eve.pk)).status_code == 404


class TestAnOpenBattle:
    """Of somebody who is removed: an organizer acts for them, until they are back."""

    def musters(self, client, table, user) -> int:
        client.force_login(user)
        side = side_of(table.campaign.battles.get(), "red")
        return client.get(reverse("battles:army", args=[side.pk])).status_code

    def test_goes_on_without_them(self, client, table):
        battle = planned(table)
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        assert (self.musters(client, table, table.ben), self.musters(client, table, table.cora)) == (404, 200)
        red = side_of(battle, "red")
        army_service.choose_army(actor=table.cora, side_id=red.pk, army=army_of(table.bravo))
        assert side_of(battle, "red").army_chosen
        client.force_login(table.ben)
        assert "Dune Wardens against" not in text_of(client.get("/"))

    def test_is_theirs_again_when_they_come_back(self, client, table):
        planned(table)
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        made = invitations.invite(actor=table.cora, group=table.campaign)
        client.force_login(table.ben)
        client.post(made.get_absolute_url())
        assert self.musters(client, table, table.ben) == 200
        assert "Choose the army of Dune Wardens" in text_of(client.get("/"))

    def test_no_new_one_begins_meanwhile(self, as_cora, table):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        text = text_of(as_cora.get(address(table, "battles:plan")))
        assert "has no player in the campaign now" in text
        with pytest.raises(RuleViolation) as caught:
            planned(table)
        assert [violation.text for violation in caught.value.violations] == [
            "Dune Wardens has no player in the campaign now. Choose another Register."
        ]


class TestLeaving:
    def test_a_player_leaves(self, client, table):
        client.force_login(table.ada)
        text = text_of(client.post(address(table, "campaign:leave"), follow=True))
        assert "You left Outer Rim Winter." in text
        assert "ada" not in roles(table)

    def test_a_double_tap_ends_where_one_does(self, client, table):
        client.force_login(table.ada)
        answers = [client.post(address(table, "campaign:leave")) for _ in range(2)]
        assert [(answer.status_code, answer.headers.get("Location")) for answer in answers] == [(302, "/")] * 2
        assert table.campaign.activity.filter(kind="left").count() == 1

    def test_who_was_never_in_it_or_was_removed_finds_nothing(self, client, table):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        for user in (table.eve, table.ben):
            client.force_login(user)
            assert client.post(address(table, "campaign:leave")).status_code == 404

    def test_the_last_organizer_does_not(self, as_cora, table):
        text = text_of(as_cora.post(address(table, "campaign:leave"), follow=True))
        assert "You are the only organizer. Make somebody else organizer first." in text
        assert "organizer first, or close or delete the campaign. Close, archive or delete" in text
        assert roles(table) == EVERYBODY


class TestDeletingAnAccount:
    def test_the_only_organizer_reads_why_not(self, as_cora, table):
        answer = as_cora.post("/accounts/delete/", {"password": "steel-4-parade"})
        assert answer.status_code == 422
        assert "You are the only organizer of Outer Rim Winter. Hand it over first." in text_of(answer)

    def test_nor_does_the_admin_delete_it(self, client, table, settings):
        settings.ZEAL_ALLOWLIST = [*settings.ZEAL_ALLOWLIST, {"model": "accounts.User", "field": "*"}]
        client.force_login(make_player("root", is_staff=True, is_superuser=True))
        chosen = {"action": "make_former_players", "_selected_action": [table.cora.pk, table.eve.pk], "delete": "1"}
        text = text_of(client.post("/admin/accounts/user/", chosen, follow=True))
        assert "cora: You are the only organizer of Outer Rim Winter" in text
        assert "1 deleted." in text
        assert roles(table) == EVERYBODY


class TestFormerPlayers:
    def test_they_stay_reachable(self, as_cora, client, table):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        page = html_of(as_cora.get(address(table, "campaign:people")))
        assert "Former players" in page
        there = address(table, "campaign:person", table.ben.pk)
        assert f'href="{there}"' in page
        former = as_cora.get(there)
        assert "Former player of Outer Rim Winter" in text_of(former)
        assert "Invite again" in text_of(former)
        assert address(table, "campaign:transfer_register", table.bravo.pk) in html_of(former)
        client.force_login(table.ada)
        assert "Former players" in text_of(client.get(address(table, "campaign:people")))
        assert client.get(there).status_code == 404

    def test_they_are_invited_again(self, as_cora, client, table):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        page = html_of(as_cora.get(address(table, "campaign:person", table.ben.pk)))
        form = dict(re.findall(r'type="hidden" name="(invitation|max_uses|role|days)" value="([^"]+)"', page))
        as_cora.post(address(table, "campaign:invite"), form)
        client.force_login(table.ben)
        client.post(table.campaign.invitations.get().get_absolute_url())
        assert roles(table) == EVERYBODY

    def test_one_without_an_account_is_added_again(self, as_cora, table):
        tom = joining.add_placeholder(actor=table.cora, campaign=table.campaign, name="Tom")
        membership.remove_member(actor=table.cora, group=table.campaign, user=tom)
        there = address(table, "campaign:person", tom.pk)
        assert "Tom has no account." in text_of(as_cora.get(there))
        assert "Tom was added to Outer Rim Winter." in text_of(as_cora.post(there, {"do": "readmit"}, follow=True))

    def test_as_many_queries_for_three(self, as_cora, table):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        one = queries_of(as_cora, address(table, "campaign:people"))
        for user in (table.ada, table.mia):
            membership.remove_member(actor=table.cora, group=table.campaign, user=user)
        assert queries_of(as_cora, address(table, "campaign:people")) == one


class TestWithoutAnAccount:
    def test_added_by_name_and_given_a_register(self, as_cora, table):
        page = as_cora.post(address(table, "campaign:add_placeholder"), {"name": "Tom"}, follow=True)
        text = text_of(page)
        assert "Tom was added to Outer Rim Winter." in text
        assert "New Register for Tom" in text
        assert "no account" in text_of(as_cora.get(address(table, "campaign:people")))
        tom = table.campaign.memberships.get(user__known_as="Tom").user
        new = address(table, "campaign:new_register_for", tom.pk)
        refused = as_cora.post(new, {"register": uuid4()})
        assert (refused.status_code, "Choose a Faction." in text_of(refused)) == (422, True)
        answer = as_cora.post(new, {"register": uuid4(), "faction": "rebel"})
        register = tom.registers.get()
        assert answer.headers["Location"] == reverse("registers:building", args=[register.pk])
        assert as_cora.get(answer.headers["Location"]).status_code == 200

    @pytest.mark.parametrize(
        ("name", "words"),
        [("", "Enter the name of the player."), ("Тоm", "This name mixes letters of different alphabets.")],
    )
    def test_a_refusal_stands_beside_the_field(self, as_cora, table, name, words):
        answer = as_cora.post(address(table, "campaign:add_placeholder"), {"name": name})
        assert answer.status_code == 422
        assert words in text_of(answer)

    def test_a_table_adds_all_of_them_after_a_look(self, as_cora, table, monkeypatch):
        page = address(table, "campaign:import_players")
        sent = {"text": "Spieler;Ort\nAnn;Hof\nBen;Hof"}
        refused = as_cora.post(page, sent)
        assert (refused.status_code, "ben is in this campaign already" in text_of(refused)) == (422, True)
        good = {"text": "Spieler;Ort\nAnn;Hof\nBo;Hof"}
        looked = as_cora.post(page, good)
        assert (looked.status_code, "Add 2 players" in text_of(looked)) == (200, True)
        assert not table.campaign.memberships.filter(user__known_as="Ann").exists()
        with monkeypatch.context() as patched:
            patched.setattr(joining, "add_placeholders", Mock(side_effect=refuse("", "Somebody was faster.")))
            shown = text_of(late := as_cora.post(page, good | {"do": "add"}))
        assert (late.status_code, "Somebody was faster." in shown, "Add 2 players" in shown) == (422, True, True)
        answer = as_cora.post(page, good | {"do": "add"})
        assert answer.headers["Location"] == address(table, "campaign:people")
        assert table.campaign.memberships.filter(user__known_as__in=["Ann", "Bo"]).count() == 2

    def test_a_list_is_imported_for_them(self, as_cora, client, table):
        tom = joining.add_placeholder(actor=table.cora, campaign=table.campaign, name="Tom")
        pages = [f"{address(table, 'campaign:import_register')}?player={key}" for key in (tom.pk, table.ben.pk, "x")]
        assert [as_cora.get(page).status_code for page in pages] == [200, 404, 404]
        client.force_login(table.ada)
        assert client.get(pages[0]).status_code == 404


def test_who_looks_for_merging_reads_why_not(as_cora, table):
    page = address(table, "campaign:person", table.ben.pk)
    assert "Only an administrator of this site can merge two accounts." in text_of(as_cora.get(page))
    planned(table)
    assert "ben is in a battle. Accounts can be merged once it is finished." in text_of(as_cora.get(page))


def test_a_player_without_a_register_is_led_to_building_one(client, table):
    client.force_login(table.mia)
    page = html_of(client.get(address(table, "campaign:people")))
    assert f'href="{table.campaign.get_absolute_url()}#registers"' in page
    assert reverse("registers:detail", args=[table.alpha.pk]) in page
