"""A campaign that goes to another installation is the same there."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from bench.simulated_battles import play
from campaign.archive.parts import checking
from campaign.archive.services import archive
from campaign.battles.access import battle_for
from campaign.battles.models import Battle, CommandHand, Side
from campaign.battles.pages.dice import entries_of, unsealed
from campaign.battles.services import fair_dice, reports
from campaign.battles.services.contenders import Contender
from campaign.chronicle.services import stories
from campaign.chronicle.services.stories import add_battle_photo, focus_campaign_photo, set_campaign_photo
from campaign.models import Campaign, Invitation, Membership
from campaign.people.services import joining
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services import story_arcs
from catalogue import snapshot
from catalogue.snapshot import forget, rulebook
from members.services import invitations
from registers.ledger.verification import differences
from registers.models import LedgerEntry, Register
from registers.services.corrections import correct
from registers.services.editing import set_portrait
from rules.adjustments.corrections import WantedValue
from rules.core.violations import RuleViolation
from rules.post_battle.dialogue import Pool, Roll
from rules.register.effects import StoryArcBegun
from tests.campaign.archive.files import alike, brought, content_of, elsewhere, file_of, statements_taken
from tests.campaign.battles.closing import SCOUT_AND_T1, TABLE, closed, to_step_4
from tests.campaign.battles.pages.armies import shown
from tests.campaign.battles.rolling import revealed, rolled
from tests.campaign.factories import Table, enlisted, happen, in_play, make_table, planned, reported
from tests.campaign.first_blood import begin
from tests.campaign.story_arcs.factories import published
from tests.registers.factories import make_player
from tests.rules.arcs.arcs import printed
from tests.uploads.photos import photo

#: Those in which nobody is named by who came to stand for them.
PARTS = ("campaign", "registers", "battles", "events", "stories", "pictures")


def verified() -> list[str]:
    return [str(found) for register in Register.objects.all() for found in differences(register)]


def rich_campaign() -> Campaign:
    """First Blood, closed, in a campaign with everything that a campaign can have."""
    fought = begin()
    closed(fought, TABLE)
    campaign = fought.battle.campaign
    cora = make_player("cora")
    Membership.objects.create(campaign=campaign, user=cora, role="organizer")
    arc = story_arcs.begin(actor=cora, campaign=campaign, name="Yard by Yard")
    draft = {**printed("a-pirates-life"), "name": "Yard by Yard"}
    story_arcs.change(actor=cora, arc_id=arc.pk, revision=1, draft=draft)
    story_arcs.publish(actor=cora, arc_id=arc.pk, revision=2)
    stories.write(actor=fought.ada, campaign=campaign, battle=fought.battle, title="The ridge", text="*Snow.*")
    set_campaign_photo(actor=cora, campaign=campaign, sent=photo(), alt="The ridge")
    focus_campaign_photo(actor=cora, campaign=campaign, point=(30, 20))
    add_battle_photo(actor=fought.ada, battle=fought.battle, sent=photo(), alt="The valley")
    alpha = fought.ada.registers.get()
    set_portrait(actor=fought.ada, register=alpha, key="1", sent=photo(), alt="The leader")
    Register.objects.filter(pk=alpha.pk).update(biography="They came from the *north*.")
    CommandHand.objects.create(side=fought.blue, cards=[f"card-{number}" for number in range(7)])
    return campaign


def test_the_armies_of_its_battles_are_those_that_fought(book):
    """The file says nothing of it but the ledgers: what became of the units since is not in their armies."""
    with elsewhere():
        fought = begin()
        before = shown(fought.ada, fought.battle)
        closed(fought, TABLE)
        file = file_of(fought.battle.campaign)
    olga = make_player("olga")
    assert shown(olga, brought(olga, file).battles.get()) == before


def test_a_rich_campaign(book):
    with elsewhere():
        file = file_of(rich_campaign())
        kept = set(Register.objects.values_list("pk", "position"))
    before = alike(content_of(file))
    assert [len(before[part]) for part in ("registers", "battles", "story_arcs", "stories", "pictures")] == [
        2, 1, 1, 1, 3,
    ]  # fmt: skip

    olga = make_player("olga")
    there = brought(olga, file, {"cora": olga})

    olga.username = "cora"
    olga.save()
    after = alike(content_of(file_of(there)))
    assert after["events"].pop()["kind"] == "carried"
    assert after == before
    assert set(Register.objects.values_list("pk", "position")) == kept
    assert verified() == []
    made = Invitation.objects.order_by("placeholder")
    assert [(each.placeholder.carried_name, each.role) for each in made] == [("ada", "player"), ("ben", "player")]


def test_what_was_corrected_by_hand_comes_along(book):
    """A correction follows from no ruling."""
    with elsewhere():
        fought = begin()
        closed(fought, TABLE)
        campaign, alpha = fought.battle.campaign, fought.ada.registers.get()
        cora = make_player("cora")
        Membership.objects.create(campaign=campaign, user=cora, role="organizer")
        wishes = [WantedValue("supply_points", 1)]
        correct(actor=cora, register_id=alpha.pk, position=alpha.position, wishes=wishes, reason="typed wrong")
        file = file_of(campaign)
    brought(make_player("olga"), file)
    assert Register.objects.get(name=alpha.name).supply_points == 1
    assert verified() == []


def test_dice_that_were_shown_follow_from_their_seed_here_too(book):
    with elsewhere():
        campaign = revealed(begin()).battle.campaign
        file = file_of(campaign)
    [before] = alike(content_of(file))["battles"]
    there = brought(make_player("olga"), file)
    [after] = alike(content_of(file_of(there)))["battles"]
    assert (after, len(before["dice"][0]["draws"]) > 3) == (before, True)


def test_no_answer_names_a_draw_whose_seed_stayed_secret(book):
    """Numbers begin anew, and what is drawn here is not what was drawn there."""
    with elsewhere():
        file = file_of(rolled(begin()).battle.campaign)
    [before] = content_of(file)["battles"]
    olga = make_player("olga")
    [battle] = brought(olga, file).battles.all()
    entries = LedgerEntry.objects.filter(battle=str(battle.pk))
    answers = [item for entry in entries for item in entry.answers]
    drawn = [item for item in answers if item["source"] == "app"]
    assert (before["dice"], len(drawn) > 2, [item for item in drawn if "draws" in item]) == ([], True, [])
    battle, _ = battle_for(olga, battle.pk)
    assert (unsealed(battle, entries_of(battle)), verified()) == (True, [])


def test_there_are_no_gaps_in_what_was_drawn(book):
    """Rolls that were made again by a seed that is shown stay behind with the first one by a seed that is secret."""
    with elsewhere():
        fought = revealed(begin())
        count = fought.battle.draws.count()
        for label in ("check:2", "check:4", "check:2"):
            ask = Roll(rule="R31", text="", pools=(Pool(label, "black_attack", 1),))
            fair_dice.draw(actor=fought.ben, side=replaced_step(fought.red, 4), question=ask, ordinal=1)
        numbers = [(draw.seed.number, draw.number) for draw in fought.battle.draws.select_related("seed")]
        file = file_of(fought.battle.campaign)
    assert numbers[count:] == [(1, count + 1), (2, count + 2), (1, count + 3)]
    [battle] = content_of(file)["battles"]
    [seed] = battle["dice"]
    assert [draw["number"] for draw in seed["draws"]] == list(range(1, count + 2))
    assert brought(make_player("olga"), file).battles.get().draws.count() == count + 1


def replaced_step(side: Side, step: int) -> Side:
    """The side as it was in that step."""
    side.step = step
    return side


def test_a_battle_in_its_sequence_goes_on(book):
    with elsewhere():
        fought = begin()
        to_step_4(fought, TABLE)
        file, question = file_of(fought.battle.campaign), fought.question("blue")
    olga = make_player("olga")
    brought(olga, file, {"ada": olga})
    assert fought.question("blue") == question
    assert fought.side("blue").own_register.owner == olga
    fought.ada = olga
    fought.answer("blue", SCOUT_AND_T1, TABLE)
    entry = LedgerEntry.objects.filter(register__owner=olga, step=4).get()
    assert {each["by"] for each in entry.answers if "by" in each} == {olga.pk}
    assert verified() == []


@pytest.mark.nightly
def test_simulated_battles(book):
    with elsewhere():
        play(battles=3, seed=3)
        file = file_of(Campaign.objects.get())
    before = alike(content_of(file))
    there = brought(make_player("olga"), file)
    after = alike(content_of(file_of(there)))
    assert after["events"].pop()["kind"] == "carried"
    olga = after["people"].pop([each["name"] for each in after["people"]].index("olga"))
    assert olga["role"] == "organizer"
    assert after == before
    assert verified() == []


def in_sequence(table: Table, **sides: Contender) -> Battle:
    """A battle whose sequence has begun, with a picture."""
    battle = reported(in_play(planned(table, **sides)), table.ada)
    reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=None)
    add_battle_photo(actor=table.ada, battle=battle, sent=photo(), alt="The valley")
    return battle


def test_three_of_each_take_as_many_statements_as_one(book):
    """Of battles in their sequence, Registers, Story Arcs, pieces and pictures: to write a file, and to bring it."""

    def add(table: Table, number: int) -> None:
        names = {"blue": (table.ada, f"Ash {number}"), "red": (table.ben, f"Dust {number}")}
        registers = {colour: enlisted(table.campaign, *owned) for colour, owned in names.items()}
        in_sequence(table, **{colour: Contender(register_id=each.pk) for colour, each in registers.items()})
        set_portrait(actor=table.ada, register=registers["blue"], key="1", sent=photo(), alt="The leader")
        stories.write(actor=table.ada, campaign=table.campaign, title="The ridge", text="Snow.")
        published(table, f"Yard by Yard {number}")

    def arrived(there: Campaign) -> int:
        assert there.stories.count() == there.battles.filter(status="sequence").count()
        return there.stories.count()

    writing, bringing = statements_taken(add, arrived)
    assert writing == writing[:1] * 3
    assert bringing == bringing[:1] * 2


def test_a_rich_campaign_by_its_pages(book, client, settings, tmp_path):
    """With a Story Arc that comes with Musterbook, and lines of the log that name people: no more is asked for."""
    settings.ARRIVALS_DIR = tmp_path
    with elsewhere():
        campaign = rich_campaign()
        story_arcs.load_arcs()
        cora = campaign.memberships.get(role="organizer").user
        version = ArcVersion.objects.get(arc__origin="lamps-on-the-ridge")
        story_arcs.adopt(actor=cora, campaign=campaign, version_id=version.pk)
        for name in ("dan", "eve"):
            way = invitations.invite(actor=cora, group=campaign)
            joining.join(actor=make_player(name), invitation=way)
        file = file_of(campaign)
    story_arcs.load_arcs()
    client.force_login(make_player("olga"))
    sent = client.post(reverse("archive:import"), {"file": SimpleUploadedFile("x.zip", file)})
    assert client.post(sent.headers["Location"]).status_code == 302
    there = Campaign.objects.get()
    assert {taken.arc.origin for taken in there.adopted_arcs.all()} == {"", "lamps-on-the-ridge"}
    after = alike(content_of(file_of(there)))
    before = alike(content_of(file))
    assert after["events"].pop()["kind"] == "carried"
    assert [after[part] for part in PARTS] == [before[part] for part in PARTS]


class TestCopy:
    def test_beside_the_first(self, fought):
        closed(fought, TABLE)
        first = fought.battle.campaign
        file = file_of(first)
        second = brought(fought.ada, file, {"ada": fought.ada}, as_copy=True)
        assert second.name == f"First Blood (copy of {content_of(file)['made_at'][:10]})"
        assert (Campaign.objects.count(), Register.objects.count(), first.pk == second.pk) == (2, 4, False)
        there = str(second.battles.get().pk)
        battles = LedgerEntry.objects.filter(register__enlistment__campaign=second).exclude(battle="")
        assert set(battles.values_list("battle", flat=True)) == {there}
        assert str(fought.battle.pk) not in str(list(battles.values_list("effects", flat=True)))
        assert verified() == []

    def test_of_a_story_arc_that_cannot_be_played(self, table):
        arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Yard by Yard")
        draft = {**printed("a-pirates-life"), "name": "Yard by Yard"}
        story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=draft)
        story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=2)
        data = content_of(file_of(table.campaign))
        [args] = data["story_arcs"]
        assert checking.violations(data) == []
        args["draft"] = {**args["draft"], "briefing": ""}
        assert checking.violations(data) == []
        args["versions"][0]["content"]["briefing"] = "x" * 2001
        assert [violation.text for violation in checking.violations(data)] == [
            "The Story Arc “Yard by Yard” is not playable (Use up to 2000 characters.)."
        ]
        args["draft"] = {"name": "Yard by Yard", "agendas": 5}
        assert checking.violations(data)[-1].text.startswith("The Story Arc “Yard by Yard” cannot be read (")

    def test_of_a_story_arc_of_its_own(self, table):
        arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Yard by Yard")
        draft = {**printed("a-pirates-life"), "name": "Yard by Yard"}
        story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=draft)
        version = story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=2)
        there = brought(table.cora, file_of(table.campaign), {"cora": table.cora}, as_copy=True)
        copied = there.custom_arcs.get().versions.get()
        assert (copied.content, copied.story_arc_id == version.story_arc_id) == (draft, False)
        assert there.registers.first().adopted_arcs == [copied.story_arc_id]


def test_a_long_name_leaves_room_for_its_origin(table):
    Campaign.objects.update(name="x" * 80)
    file = file_of(table.campaign)
    copy = brought(table.cora, file, {"cora": table.cora}, as_copy=True)
    day = content_of(file)["made_at"][:10]
    assert (copy.name, len(copy.name)) == (f"{'x' * 59} (copy of {day})", 80)


def test_constraints_hold_to_the_end(table):
    brought(table.cora, file_of(table.campaign), {"cora": table.cora}, as_copy=True)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class TestOwnStoryArcInPlay:
    """A battle whose sequence needs the cards of a Story Arc that comes with it."""

    @pytest.fixture
    def file(self, book, monkeypatch) -> bytes:
        monkeypatch.setattr(snapshot, "monotonic", lambda: 1000.0)  # the snapshot that is held stays fresh
        with elsewhere():
            table = make_table()
            version = published(table)
            slug = version.story_arc_id
            forget()
            happen(table.alpha, StoryArcBegun(story_arc=slug, rule="R10"))
            agenda = rulebook().story_arcs[slug].agendas[0].slug
            battle = in_play(planned(table), blue={"agenda": agenda})
            reported(battle, table.ada, blue={"agenda": agenda, "tokens": 3})
            confirmed = reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=None)
            assert confirmed.status == Battle.Status.SEQUENCE
            return file_of(table.campaign)

    def test_it_is_brought_to_where_the_arc_is_not(self, file):
        [before] = alike(content_of(file))["battles"]
        there = brought(make_player("olga"), file)
        assert alike(content_of(file_of(there)))["battles"] == [before]
        assert verified() == []

    def test_nobody_else_sees_its_cards_before_it_is_there(self, file, monkeypatch):
        """Nor are they left behind where it comes to nothing after all."""
        before = rulebook()

        def fail(*_: object) -> None:
            forget()
            rulebook()
            raise ValueError("it comes to nothing")

        monkeypatch.setattr(archive.registers, "bring_happenings", fail)
        with pytest.raises(RuleViolation):
            brought(make_player("olga"), file)
        assert rulebook() == before
