"""Teams, the star map, painted units, phases and rounds go along with a campaign."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

import jsonschema_rs
import pytest

from campaign.achievements.models import PaintedBonus
from campaign.achievements.services.painting import award_bonus as award_painted_bonus, set_bonus
from campaign.archive.parts.reading import schema
from campaign.battles.models import Battle
from campaign.models import Campaign
from campaign.schedule.services import rounds
from campaign.schedule.services.phases import save_phase
from campaign.star_map.models import BonusAward, System
from campaign.star_map.queries import awarded_in, settings_of, star_map_of
from campaign.star_map.services.star_map import (
    award_bonus,
    fight_for,
    give_system,
    save_system,
    set_winner_takes,
    start_turn,
)
from campaign.teams.models import Colour, Emblem, TeamPlace
from campaign.teams.services.teams import assign_registers, let_players_choose, players_choose, save_team
from registers.painting.models import PaintedUnit
from registers.painting.services import set_painted
from rules.catalogue.csv_fields import ALL_FACTIONS
from rules.core.violations import RuleViolation
from tests.campaign.archive.files import (
    alike,
    brought,
    content_of,
    elsewhere,
    file_of,
    pictures_of,
    statements_taken,
    zipped,
)
from tests.campaign.factories import Table, army_chosen, enlisted, make_table, planned
from tests.campaign.fights import over
from tests.once import once
from tests.registers.factories import make_player

PARTS = ("teams", "systems", "phases", "rounds")


def system_of(table: Table, name: str, **words: Any) -> System:
    values = {"system_id": uuid4(), "name": name, "x": 30, "y": 40, **words}
    return save_system(actor=table.cora, campaign=table.campaign, **values)


def add(table: Table, number: int) -> None:
    """Add a team with two Registers, two systems with their history, a painted army, a phase and a round."""
    cora, campaign = table.cora, table.campaign
    ash, dust = (
        enlisted(campaign, user, f"{name} {number}") for user, name in ((table.ada, "Ash"), (table.ben, "Dust"))
    )
    team = save_team(
        actor=cora, campaign=campaign, team_id=uuid4(), name=f"Dawn {number}", colour="rose", emblem="disc"
    )
    assign_registers(actor=cora, campaign=campaign, teams={ash.pk: team.pk, dust.pk: team.pk})
    one = system_of(table, f"Talvos {number}", bonus_supply=2)
    two = system_of(table, f"Verge {number}", x=100, y=0, lanes=[one.pk])
    battle = over(table, "blue")
    fight_for(actor=cora, battle=planned(table), system_id=two.pk)
    give_system(actor=cora, campaign=campaign, system_id=one.pk, holder="faction:empire")
    give_system(actor=cora, campaign=campaign, system_id=one.pk, holder=f"team:{team.pk}")
    award_bonus(actor=cora, campaign=campaign, system_id=one.pk, turn=settings_of(campaign).turn)
    assert battle.status == "closed"
    first = date(2026, number + 1, 1)
    save_phase(
        actor=cora, campaign=campaign, phase_id=uuid4(), version=0, name=f"Season {number}", size=800, note="Snow.",
        first_day=first, last_day=first.replace(day=28),
    )  # fmt: skip
    found = rounds.open_draft(
        actor=cora, campaign=campaign, round_id=uuid4(), due=first.replace(day=12), size=800, place="The attic"
    )
    rounds.create_battles(actor=cora, campaign=campaign, number=found.number, version=found.version)
    campaign.rounds.filter(pk=found.pk).update(mates="together", stakes="neighbors")


def painted(table: Table) -> None:
    """Let alpha win a battle with a painted army, for which it gets the bonus."""
    battle = army_chosen(planned(table))
    Battle.objects.filter(pk=battle.pk).update(status="closed", winner="blue")
    for key in "123":
        set_painted(actor=table.ada, register_id=table.alpha.pk, key=key, painted=True)
    set_bonus(actor=table.cora, campaign=table.campaign, supply_points=3)
    side = battle.sides.get(colour="blue")
    award_painted_bonus(actor=table.cora, campaign=table.campaign, side_id=side.pk)


@once
def full(table: Table) -> Campaign:
    """The campaign with everything that this file is about."""
    painted(table)
    add(table, 0)
    let_players_choose(actor=table.cora, campaign=table.campaign, allowed=True)
    set_winner_takes(actor=table.cora, campaign=table.campaign, automatic=False)
    talvos = table.campaign.systems.get(name="Talvos 0")
    fight_for(actor=table.cora, battle=planned(table), system_id=talvos.pk)
    start_turn(actor=table.cora, campaign=table.campaign, after=1)
    return table.campaign


@pytest.fixture
def file(table) -> bytes:
    """The file of a full campaign, which is here as well."""
    return written(table)


@once
def written(table: Table) -> bytes:
    return file_of(full(table))


def history(campaign: Campaign) -> list[Any]:
    """What the page of the star map shows: systems, their lanes, who held them, and what is fought for."""
    found = star_map_of(campaign)
    systems = [
        (
            each.name, each.row.x, each.row.y, each.row.bonus_supply,
            [(change.at, change.holder and change.holder.name, change.by) for change in each.changes],
            [(battle.number, battle.status) for battle in each.battles],
        )
        for each in found.systems
    ]  # fmt: skip
    settings = settings_of(campaign)
    return [settings.winner_takes, settings.turn, systems, len(found.lanes)]


def test_all_of_it_comes_along(book):
    with elsewhere():
        table = make_table()
        file, shown = file_of(full(table)), history(table.campaign)
    before = alike(content_of(file))
    assert [len(before[part]) for part in PARTS] == [1, 2, 1, 1]
    assert list(jsonschema_rs.validator_for(schema()).iter_errors(content_of(file))) == []

    olga = make_player("olga")
    there = brought(olga, file, {"cora": olga})
    assert players_choose(there)
    olga.username = "cora"
    olga.save()
    after = alike(content_of(file_of(there)))
    assert after["events"].pop()["kind"] == "carried"
    assert after == before
    assert history(there) == shown
    assert [*there.rounds.values_list("mates", "stakes")] == [("together", "neighbors")]
    assert awarded_in(there, 1) == {there.systems.get(name="Talvos 0").pk}
    assert PaintedBonus.objects.get().side.battle.campaign == there


def test_a_copy_has_its_own(file, table):
    copy = brought(table.cora, file, {"cora": table.cora}, as_copy=True)
    assert history(copy)[2:] == history(table.campaign)[2:]
    for one, other in (
        (table.campaign.teams, copy.teams), (table.campaign.systems, copy.systems), (table.campaign.phases, copy.phases)
    ):  # fmt: skip
        assert {each.pk for each in one.all()} & {each.pk for each in other.all()} == set()
    [pairing, *_] = copy.rounds.get().pairings.all()
    assert (pairing.battle.campaign, pairing.pk) == (copy, pairing.battle.pk)
    assert BonusAward.objects.get(system__campaign=copy).entries.count() == 2


def test_three_of_each_take_as_many_statements_as_one(book):
    def add_with_paint(table: Table, number: int) -> None:
        painted(table)
        add(table, number)

    def arrived(there: Campaign) -> int:
        count = there.teams.count()
        assert (there.systems.count(), there.rounds.count(), there.phases.count()) == (2 * count, count, count)
        assert PaintedBonus.objects.filter(side__battle__campaign=there).count() == count
        return count

    writing, bringing = statements_taken(add_with_paint, arrived)
    assert writing == writing[:1] * 3
    assert bringing == bringing[:1] * 2


def test_a_draft_of_a_round_and_what_names_another_register_stay(table):
    full(table)
    gone = enlisted(table.campaign, table.mia, "Gone")
    draft = rounds.open_draft(
        actor=table.cora, campaign=table.campaign, round_id=uuid4(), due=date(2026, 9, 1), size=800, place=""
    )
    before = named(table.campaign)
    team = table.campaign.teams.get()
    assign_registers(actor=table.cora, campaign=table.campaign, teams={gone.pk: team.pk})
    table.campaign.rounds.exclude(pk=draft.pk).get().pairings.create(place=99, blue=gone)
    BonusAward.objects.get().entries.add(gone.entries.first())
    with_gone = named(table.campaign)
    assert [len(one) - len(other) for one, other in zip(with_gone, before, strict=True)] == [1, 1, 1]
    gone.enlistment.delete()
    assert named(table.campaign) == before


def named(campaign: Campaign) -> list[list[Any]]:
    """The Registers in the only team, the pairings of the only round, and the awards of the only bonus in its file."""
    content = content_of(file_of(campaign))
    [team], [held] = content["teams"], content["rounds"]
    [bonus] = [bonus for system in content["systems"] for bonus in system["bonuses"]]
    return [team["registers"], held["pairings"], bonus["awards"]]


def test_a_file_from_before_has_none_of_it(file, table):
    content = content_of(file)
    for part in PARTS:
        del content[part]
    for name in ("players_choose_teams", "star_map", "painted_bonus"):
        del content["campaign"][name]
    for register in content["registers"]:
        del register["painted"]
    for battle in content["battles"]:
        for side in battle["sides"]:
            del side["painted_award"]
    counts = [TeamPlace.objects.count(), System.objects.count(), PaintedUnit.objects.count()]
    brought(table.cora, zipped(content, **pictures_of(file)), as_copy=True)
    assert [TeamPlace.objects.count(), System.objects.count(), PaintedUnit.objects.count()] == counts


NOBODY = "00000000-0000-0000-0000-000000000000"


def _double(part: str) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        content[part].append(content[part][0])

    return change


def _put(*path: str | int) -> Callable[[dict[str, Any]], None]:
    """Put the last of these at the place that the others name."""
    *steps, last, value = path

    def change(content: Any) -> None:
        for step in steps:
            content = content[step]
        content[last] = value

    return change


def _in_two_teams(content: dict[str, Any]) -> None:
    content["teams"].append({**content["teams"][0], "id": NOBODY, "name": "Dusk"})


def _not_in_the_campaign(content: dict[str, Any]) -> None:
    [key, *_] = content["teams"][0]["registers"]
    for register in content["registers"]:
        register["serves"] = register["serves"] and register["id"] != key


def _two_phases(content: dict[str, Any]) -> None:
    content["phases"].append({**content["phases"][0], "id": NOBODY})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_double("teams"), "Two items in teams have the same id."),
        (_double("systems"), "Two items in systems have the same id."),
        (_double("phases"), "Two items in phases have the same id."),
        (_put("systems", 0, "lanes", [NOBODY]), f"{NOBODY} is missing from systems."),
        (_put("systems", 0, "changes", 0, "team", NOBODY), f"{NOBODY} is missing from teams."),
        (_put("systems", 0, "changes", 0, "battle", NOBODY), f"{NOBODY} is missing from battles."),
        (_put("systems", 0, "changes", 0, "by", 9999999), "Person 9999999 is missing from people."),
        (_put("systems", 0, "bonuses", 0, "awards", 0, "register", NOBODY), f"{NOBODY} is missing from registers."),
        (_put("systems", 0, "bonuses", 0, "awards", 0, "position", 999), "This campaign file is invalid"),
        (_put("systems", 1, "battles", 0, "battle", NOBODY), f"{NOBODY} is missing from battles."),
        (_put("systems", 0, "changes", 0, "changed_at", "2026-02-31T00:00:00.000000+00:00"), "date that is not valid"),
        (_put("rounds", 0, "phase", NOBODY), f"{NOBODY} is missing from phases."),
        (_put("rounds", 0, "due", "2026-02-31"), "date that is not valid"),
        (_put("rounds", 0, "pairings", 0, "red", NOBODY), f"{NOBODY} is missing from registers."),
        (_put("rounds", 0, "pairings", 0, "battle", NOBODY), f"{NOBODY} is missing from battles."),
        (_put("phases", 0, "first_day", "2026-02-31"), "date that is not valid"),
        (_put("phases", 0, "last_day", "2025-12-31"), "Two phases share a day, or one ends before it starts."),
        (_two_phases, "Two phases share a day, or one ends before it starts."),
        (_in_two_teams, "A Register is in two teams."),
        (_not_in_the_campaign, "is in a team but not in the campaign."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(file, table, change, sentence):
    content = content_of(file)
    change(content)
    with pytest.raises(RuleViolation) as refusal:
        brought(table.cora, zipped(content, **pictures_of(file)), as_copy=True)
    assert sentence in " ".join(violation.text for violation in refusal.value.violations)
    assert Campaign.objects.get() == table.campaign


def test_the_schema_knows_every_color_emblem_and_faction():
    of = schema()["$defs"]
    assert of["team"]["properties"]["colour"]["enum"] == Colour.values
    assert of["team"]["properties"]["emblem"]["enum"] == Emblem.values
    assert of["system"]["properties"]["changes"]["items"]["properties"]["faction"]["enum"] == ["", *ALL_FACTIONS]
