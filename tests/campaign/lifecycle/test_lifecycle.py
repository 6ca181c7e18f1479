"""The life of a campaign: closed, archived, reopened, deleted, restored, and removed."""

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services.closing import DeletionRefused, delete_account
from bench.simulated_battles import walk
from bench.simulation import Supply
from campaign.archive.services.archive import note_export
from campaign.battles.models import Amendment, Battle
from campaign.battles.services import amendments, planning, reports
from campaign.enlistments.services import enlistments
from campaign.lifecycle import services
from campaign.lifecycle.tasks import remove_campaigns
from campaign.models import ActivityKind, Campaign, Enlistment
from campaign.people.services import joining
from campaign.services import campaigns
from catalogue.snapshot import rulebook
from members.services import membership
from registers.ledger.verification import differences
from registers.models import LedgerEntry, Register
from registers.projection import state_of
from rules.core.violations import RuleViolation
from tests.at_once import behind
from tests.campaign.factories import Table, activity_rows, address, in_play, planned, report_of
from tests.campaign.fights import gain_reputation, over
from tests.html import html_of


def now(table: Table) -> Campaign:
    return Campaign.everything.get(pk=table.campaign.pk)


def exported(table: Table, ago: timedelta = timedelta()) -> None:
    """The file of the campaign was downloaded."""
    Campaign.everything.filter(pk=table.campaign.pk).update(exported_at=timezone.now() - ago)


def deleted(table: Table, ago: timedelta = timedelta()) -> None:
    exported(table)
    services.delete(actor=table.cora, campaign=table.campaign)
    Campaign.everything.filter(pk=table.campaign.pk).update(deleted_at=timezone.now() - ago)


def sentences(refusal: pytest.ExceptionInfo[RuleViolation]) -> list[str]:
    return [violation.text for violation in refusal.value.violations]


class TestClosing:
    def test_closes_archives_and_reopens_each_once(self, table):
        for act, more, state in (
            (services.close, {}, "closed"),
            (services.close, {}, "closed"),
            (services.close, {"archive": True}, "archived"),
            (services.close, {"archive": True}, "archived"),
            (services.close, {}, "archived"),  # from a page of before
            (services.reopen, {}, "open"),
            (services.reopen, {}, "open"),
            (services.close, {"archive": True}, "archived"),
        ):
            act(actor=table.cora, campaign=table.campaign, **more)
            assert now(table).state == state
        told = [facts["act"] for _kind, _actor, facts in activity_rows(table.campaign, ActivityKind.LIFECYCLE)]
        assert told == ["close", "archive", "reopen", "archive"]

    @pytest.mark.parametrize("who", ["ada", "mia", "eve"])
    def test_nobody_but_an_organizer(self, table, who):
        for act in (services.close, services.reopen, services.delete, services.restore):
            with pytest.raises(RuleViolation, match="Only an organizer"):
                act(actor=getattr(table, who), campaign=table.campaign)

    def test_not_while_a_battle_is_under_way(self, table):
        battle = in_play(planned(table))
        with pytest.raises(RuleViolation) as refusal:
            services.close(actor=table.cora, campaign=table.campaign)
        assert sentences(refusal) == ["Battle 1 is not over (in play). Finish or cancel it first."]
        planning.cancel(actor=table.cora, battle_id=battle.pk)
        assert services.close(actor=table.cora, campaign=table.campaign).state == "closed"

    def test_not_while_a_battle_is_being_corrected(self, fought):
        cora, battle = fought.ada_organizes(), fought.battle
        amendments.open_amendment(actor=cora, battle_id=battle.pk, what=Amendment.What.ANNUL, reason="No.")
        Battle.objects.filter(pk=battle.pk).update(status="closed")
        with pytest.raises(RuleViolation) as refusal:
            services.close(actor=cora, campaign=battle.campaign)
        assert sentences(refusal) == ["A correction of Battle 1 is open. Apply or drop it first."]

    def test_cancels_the_planned_battles_that_were_agreed_to(self, table):
        first = planned(table)
        with pytest.raises(RuleViolation, match="A battle was planned a moment ago"):
            services.close(actor=table.cora, campaign=table.campaign)
        services.close(actor=table.cora, campaign=table.campaign, planned=[first.pk])
        first.refresh_from_db()
        assert (first.status, now(table).state) == ("cancelled", "closed")

    @pytest.mark.django_db(transaction=True)
    def test_a_battle_that_is_planned_in_the_same_moment_is_refused(self, table):
        refused = behind(lambda: services.close(actor=table.cora, campaign=table.campaign), lambda: planned(table))
        assert str(refused) == "Outer Rim Winter is closed. An organizer can reopen it."

    @pytest.mark.django_db(transaction=True)
    def test_an_undo_that_opens_a_battle_in_the_same_moment_is_heeded(self, table):
        battle = over(table)

        def reopened() -> None:
            Battle.objects.filter(pk=battle.pk).update(status="sequence")

        refused = behind(
            lambda: Battle.objects.select_for_update().get(pk=battle.pk),
            lambda: services.close(actor=table.cora, campaign=table.campaign),
            reopened,
        )
        assert "Battle 1 is not over" in str(refused)


class TestDeleting:
    def test_only_after_its_file_was_downloaded(self, table):
        with pytest.raises(RuleViolation, match="Download the campaign file first"):
            services.delete(actor=table.cora, campaign=table.campaign)
        note_export(table.campaign, timezone.now())
        membership.add_member(actor=table.cora, group=table.campaign, username="eve")
        with pytest.raises(RuleViolation, match="has changed since its file was downloaded"):
            services.delete(actor=table.cora, campaign=table.campaign)
        note_export(table.campaign, timezone.now())
        services.close(actor=table.cora, campaign=table.campaign)
        assert services.delete(actor=table.cora, campaign=table.campaign).deleted_at

    @pytest.mark.django_db(transaction=True)
    def test_not_in_the_moment_when_a_battle_is_reported(self, table):
        battle = in_play(planned(table))
        note_export(table.campaign, timezone.now())
        found = behind(
            lambda: reports.report(actor=table.ada, battle_id=battle.pk, version=0, report=report_of("blue")),
            lambda: services.delete(actor=table.cora, campaign=table.campaign),
        )
        assert "has changed since its file was downloaded" in str(found)

    def test_nobody_sees_it_until_it_is_restored(self, table, client):
        over(table)
        services.close(actor=table.cora, campaign=table.campaign)
        deleted(table)
        battle = table.campaign.battles.get()
        pages = [address(table, "campaign:detail"), address(table, "campaign:people"), battle.get_absolute_url()]
        for user in (table.cora, table.ada):
            client.force_login(user)
            assert [client.get(page).status_code for page in pages] == [404] * 3
        # A Register stays with its player, and nobody else sees it.
        alpha = reverse("registers:detail", args=[table.alpha.pk])
        assert "Outer Rim Winter was deleted. An organizer can restore it until" in html_of(client.get(alpha))
        client.force_login(table.ben)
        assert client.get(alpha).status_code == 404
        for _twice in range(2):
            services.restore(actor=table.cora, campaign=table.campaign)
        assert (now(table).state, client.get(pages[0]).status_code) == ("closed", 200)

    def test_what_is_done_in_the_meantime_is_refused(self, table):
        deleted(table)
        acts = (
            lambda: planned(table),
            lambda: membership.add_member(actor=table.cora, group=table.campaign, username="eve"),
            lambda: services.close(actor=table.cora, campaign=table.campaign),
            lambda: services.reopen(actor=table.cora, campaign=table.campaign),
        )
        for act in acts:
            with pytest.raises(RuleViolation, match="Outer Rim Winter was deleted"):
                act()

    def test_it_does_not_keep_its_only_organizer_from_closing_their_account(self, table):
        with pytest.raises(DeletionRefused):
            delete_account(actor=table.cora, user=table.cora)
        deleted(table)
        delete_account(actor=table.cora, user=table.cora)
        assert not now(table).memberships.filter(user=table.cora).exists()


class TestRemoving:
    LONG_AGO = timedelta(days=30, seconds=1)

    def test_the_registers_stay_and_are_free(self, table, settings, tmp_path):
        settings.EXPORT_DIR = tmp_path
        folder = Path(tmp_path) / str(table.campaign.pk)
        folder.mkdir()
        (folder / "2026-01-01.musterbook.zip").touch()
        gain_reputation(table.alpha, 2, over(table))
        before = LedgerEntry.objects.count()
        deleted(table, timedelta(days=29))
        remove_campaigns(0)
        assert Campaign.everything.count() == 1
        deleted(table, self.LONG_AGO)
        services.restore(actor=table.cora, campaign=table.campaign)
        remove_campaigns(0)
        assert Campaign.everything.count() == 1
        deleted(table, self.LONG_AGO)
        assert (services.remove_expired(), services.remove_expired()) == (1, 0)
        assert (Campaign.everything.count(), Battle.objects.count(), Enlistment.objects.count()) == (0, 0, 0)
        assert LedgerEntry.objects.count() == before
        assert [found for each in Register.objects.all() for found in differences(each)] == []
        elsewhere = campaigns.create_campaign(actor=table.ada, name="Elsewhere")
        assert enlistments.add_register(actor=table.ada, campaign=elsewhere, register_id=table.alpha.pk)

    @pytest.mark.django_db(transaction=True)
    def test_who_restores_it_in_the_moment_when_it_is_removed_is_told(self, table):
        deleted(table, self.LONG_AGO)
        found = behind(
            lambda: services.remove(campaign_id=table.campaign.pk),
            lambda: services.restore(actor=table.cora, campaign=table.campaign),
        )
        assert str(found) == "Outer Rim Winter was deleted a moment ago."

    @pytest.mark.parametrize("finished", [False, True])
    def test_a_register_leaves_its_battle_and_can_be_read(self, fought, client, finished):
        campaign, cora = fought.battle.campaign, fought.ada_organizes()
        if finished:
            walk(fought.battle, Random(1), Supply(rulebook()))
        Campaign.everything.filter(pk=campaign.pk).update(deleted_at=timezone.now() - self.LONG_AGO)
        assert services.remove(campaign_id=campaign.pk)
        registers = list(Register.objects.all())
        assert [state_of(each).in_field for each in registers] == [None, None]
        assert [found for each in registers for found in differences(each)] == []
        client.force_login(cora)
        own = next(each for each in registers if each.owner == cora)
        for page in ("registers:detail", "registers:ledger", "registers:supply", "registers:difference"):
            assert client.get(reverse(page, args=[own.pk])).status_code == 200

    def test_placeholders_become_former_players(self, table):
        nobody = joining.add_placeholder(actor=table.cora, campaign=table.campaign, name="Zoe")
        deleted(table, self.LONG_AGO)
        services.remove_expired()
        assert User.objects.get(pk=nobody.pk).get_username() == f"former player #{nobody.pk}"
        assert User.objects.get(pk=table.ada.pk).get_username() == "ada"
