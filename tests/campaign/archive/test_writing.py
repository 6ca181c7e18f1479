"""What a campaign's file holds, and what it does not."""

import json
from datetime import date
from io import BytesIO
from itertools import pairwise
from typing import Any
from zipfile import ZipFile

import jsonschema_rs
import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from bench.speed import counted
from campaign.archive.parts.reading import CONTENT, schema
from campaign.battles.models import Battle, CommandHand, DiceSeed, Draw, Side, Tally
from campaign.battles.services import fair_dice, planning
from campaign.chronicle.models import BattlePhoto
from campaign.chronicle.services import stories
from campaign.chronicle.services.stories import add_battle_photo, set_campaign_photo
from campaign.models import Activity, ActivityKind, Enlistment
from campaign.services import webhooks
from members.services import invitations
from registers.models import Dossier
from tests.campaign.archive.digests import digest_of
from tests.campaign.archive.files import content_of, file_of, names_in
from tests.campaign.battles.closing import closed, to_step_4
from tests.campaign.factories import Table, army_chosen, enlisted, in_play, planned
from tests.uploads.photos import photo
from uploads.models import Picture, shelf


def test_it_is_as_its_schema_says(fought):
    jsonschema_rs.meta.validate(schema())
    closed(fought)
    content = content_of(file_of(fought.battle.campaign))
    assert list(jsonschema_rs.validator_for(schema()).iter_errors(content)) == []
    assert [battle["status"] for battle in content["battles"]] == ["closed"]
    assert len(content["registers"]) == 2


def test_the_digests_are_as_the_document_tells(fought):
    closed(fought)
    for register in content_of(file_of(fought.battle.campaign))["registers"]:
        first, *_ = ledger = register["ledger"]
        assert first["digest"] == digest_of(first, "", register["id"])
        for one, next_one in pairwise(ledger):
            assert next_one["digest"] == digest_of(next_one, one["digest"], register["id"])
        assert register["digest"] == ledger[-1]["digest"]


class TestPeople:
    def test_a_name_and_a_role_and_nothing_else(self, table):
        table.ada.email = "ada@example.org"
        table.ada.save()
        people = content_of(file_of(table.campaign))["people"]
        assert people == [
            {"id": user.pk, "name": name, "former": False, "role": role}
            for user, name, role in (
                (table.cora, "cora", "organizer"), (table.ada, "ada", "player"),
                (table.ben, "ben", "player"), (table.mia, "mia", "player"),
            )
        ]  # fmt: skip

    def test_a_former_player_has_no_name(self, table):
        table.ada.username = table.ada.former_name
        table.ada.is_active = False
        table.ada.save()
        people = content_of(file_of(table.campaign))["people"]
        assert people[1] == {"id": table.ada.pk, "name": "", "former": True, "role": "player"}


def forty_more(table: Table) -> None:
    """Battles 2 to 41 with all that hangs on one: sides and their tallies, a picture, a seed, a draw, five lines."""
    numbers = range(2, 42)
    fought = Battle.objects.bulk_create(
        Battle(campaign=table.campaign, number=number, size=600, date=date(2026, 1, 1)) for number in numbers
    )
    sides = Side.objects.bulk_create(
        Side(battle=battle, colour=colour, guest_name="Sal", open=False)
        for battle in fought
        for colour in (Side.BLUE, Side.RED)
    )
    Tally.objects.bulk_create(Tally(side=side, tokens=3) for side in sides)
    pictures = Picture.objects.bulk_create(
        Picture(alt="The ridge", width=9, height=6, sent_by=table.ada) for _ in numbers
    )
    BattlePhoto.objects.bulk_create(
        BattlePhoto(battle=battle, picture=picture) for battle, picture in zip(fought, pictures, strict=True)
    )
    seeds = DiceSeed.objects.bulk_create(
        DiceSeed(battle=battle, number=1, secret=b"x" * 32, revealed_at=timezone.now()) for battle in fought
    )
    Draw.objects.bulk_create(
        Draw(
            battle=seed.battle, seed=seed, number=1, colour="blue", step=4, ordinal=1, pool="check:2",
            die="black_attack", faces=["hit"], by=table.ada,
        )
        for seed in seeds
    )  # fmt: skip
    Activity.objects.bulk_create(
        Activity(campaign=table.campaign, battle=battle, kind=ActivityKind.BATTLE, facts={"act": "begin"})
        for battle in fought
        for _ in range(5)
    )


def test_forty_battles_more_take_no_statement_more(table):
    """With their sides, hands, tallies, pictures and dice: they are read fifty at a time."""

    def written() -> tuple[dict[str, Any], int]:
        with counted() as statements:
            content = content_of(file_of(table.campaign))
        return content, len(statements)

    planned(table)
    before, few = written()
    forty_more(table)
    content, many = written()
    assert [(each["number"], len(each["sides"]), len(each["dice"])) for each in content["battles"]] == [
        (1, 2, 0), *((number, 2, 1) for number in range(2, 42)),
    ]  # fmt: skip
    assert len(content["events"]) == len(before["events"]) + 200
    assert many <= few + 1  # the draws of the seeds


def test_three_registers_take_as_many_statements_as_one(table):
    Enlistment.objects.filter(register=table.bravo).delete()
    Dossier.objects.filter(register=table.alpha, key="1").update(biography="From the *north*.")

    def written() -> tuple[list[tuple[str, int]], int]:
        with counted() as statements:
            registers = content_of(file_of(table.campaign))["registers"]
        assert all(each["ledger"][-1]["digest"] == each["digest"] for each in registers)
        return [(each["id"], len(each["dossiers"])) for each in registers], len(statements)

    found, statements = written()
    more = [enlisted(table.campaign, user, "Dust Company") for user in (table.ada, table.ben)]
    assert found == [(str(table.alpha.pk), 1)]
    assert written() == ([*found, *((str(each.pk), 0) for each in more)], statements)


class TestSecrets:
    def test_no_link_leads_out_of_it(self, table):
        invitation = invitations.invite(actor=table.cora, group=table.campaign)
        link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
        address = "https://discord.com/api/webhooks/123456789012345678/" + "s" * 68
        webhooks.set_webhook(
            actor=table.cora, campaign=table.campaign, address=address, kinds=["battles"], site="http://here"
        )
        text = json.dumps(content_of(file_of(table.campaign)))
        for secret in (invitation.token, link.token, "discord", table.cora.password):
            assert secret not in text

    def test_an_army_is_hidden_until_it_begins(self, table):
        battle = army_chosen(planned(table))
        [hidden] = content_of(file_of(table.campaign))["battles"]
        assert hidden["status"] == "planned"
        assert [(side["army_chosen"], side["army"], side["version"]) for side in hidden["sides"]] == [
            (False, {}, 0)
        ] * 2
        in_play_now = Battle.objects.get(pk=battle.pk)
        in_play(in_play_now)
        [shown] = content_of(file_of(table.campaign))["battles"]
        assert all(side["army_chosen"] and side["army"]["fielded"] for side in shown["sides"])

    def test_an_army_stays_hidden_if_it_never_begins(self, table):
        battle = army_chosen(planned(table))
        planning.cancel(actor=table.ben, battle_id=battle.pk)
        [hidden] = content_of(file_of(table.campaign))["battles"]
        assert hidden["status"] == "cancelled"
        assert [(side["army_chosen"], side["army"], side["version"]) for side in hidden["sides"]] == [
            (False, {}, 0)
        ] * 2

    @pytest.mark.parametrize("status", ["sequence", "closed"])
    def test_a_hand_is_in_it_once_the_battle_is_closed(self, table, status):
        battle = in_play(planned(table))
        cards = [f"card-{number}" for number in range(7)]
        side = battle.sides.get(colour="blue")
        CommandHand.objects.create(side=side, cards=cards)
        Battle.objects.filter(pk=battle.pk).update(status=status)
        [carried] = content_of(file_of(table.campaign))["battles"]
        blue = next(side for side in carried["sides"] if side["colour"] == "blue")
        assert blue["hand"] == ({"cards": cards, "discarded": []} if status == "closed" else None)


class TestDice:
    def test_a_seed_is_in_it_once_it_is_shown(self, fought):
        to_step_4(fought)
        [battle] = content_of(file_of(fought.battle.campaign))["battles"]
        assert (battle["dice"], fought.battle.draws.exists()) == ([], True)
        fair_dice.reveal(fought.battle)
        [battle] = content_of(file_of(fought.battle.campaign))["battles"]
        [seed] = battle["dice"]
        assert bytes.fromhex(seed["secret"]) == bytes(fought.battle.dice_seeds.get().secret)
        assert [draw["number"] for draw in seed["draws"]] == [*range(1, len(seed["draws"]) + 1)]


class TestPictures:
    def test_each_in_its_full_size(self, table):
        set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo(size=(90, 60)), alt="The ridge")
        battle = in_play(planned(table))
        add_battle_photo(actor=table.ada, battle=battle, sent=photo(), alt="The valley")
        file = file_of(table.campaign)
        content = content_of(file)
        assert [(each["alt"], each["width"], each["height"]) for each in content["pictures"]] == [
            ("The ridge", 90, 60), ("The valley", 60, 40),
        ]  # fmt: skip
        first, second = (f"pictures/{each['id']}.jpg" for each in content["pictures"])
        assert names_in(file) == ["campaign.json", first, second]
        with ZipFile(BytesIO(file)) as archive, Image.open(archive.open(first)) as picture:
            assert (picture.format, picture.size) == ("JPEG", (90, 60))

    def test_one_whose_file_is_lost_is_left_out(self, table):
        battle = in_play(planned(table))
        lost = add_battle_photo(actor=table.ada, battle=battle, sent=photo(), alt="The valley")
        shelf().delete(lost.file("full"))
        file = file_of(table.campaign)
        content = content_of(file)
        assert (content["pictures"], content["battles"][0]["pictures"], names_in(file)) == ([], [], [CONTENT])


class TestPage:
    def test_the_organizer_gets_it(self, as_cora, table):
        page = as_cora.get(reverse("archive:export", args=[table.campaign.pk]))
        address = reverse("archive:download", args=[table.campaign.pk])
        assert (page.status_code, address in page.text) == (200, True)
        answer = as_cora.get(address)
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="outer-rim-winter-')
        content = content_of(b"".join(answer.streaming_content))
        assert content["campaign"]["name"] == "Outer Rim Winter"

    def test_what_was_withdrawn_is_not_in_it(self, table):
        for title in ("The ridge", "The valley"):
            story = stories.write(actor=table.ada, campaign=table.campaign, title=title, text="Snow.")
        stories.withdraw(actor=table.ada, story_id=story.pk)
        assert [each["title"] for each in content_of(file_of(table.campaign))["stories"]] == ["The ridge"]
