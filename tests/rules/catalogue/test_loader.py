"""From files to a Rulebook: what each card becomes, and that everything wrong is told at once."""

import pytest

from rules.catalogue.loader import make_rulebook, read_catalogue, read_rulebook
from rules.catalogue.tables import CatalogueErrors
from rules.core.card_types import (
    AidRequest,
    BattleCard,
    Commendation,
    Counterpart,
    DefiningTrait,
    Keyword,
    Marks,
    ParagonCommandCard,
    Requirement,
    Setback,
    StrategicAsset,
    Term,
    Unit,
)
from rules.core.reward_effects import GainExperience, GainSetback, MarkedUndefeatedAtLeast
from rules.core.rulebook import BattleForce, Listing, RankLimits
from tests.rules.catalogue.files import cards_with, edit_json, set_cell


def test_all_cards_are_there(book):
    assert {
        name: len(getattr(book, name))
        for name in (
            "units", "upgrades", "commendations", "setbacks", "defining_traits", "aid_requests", "assets",
            "command_cards", "keywords", "story_arcs", "agendas", "rank_limits", "counterparts", "battle_forces",
            "battle_cards",
        )
    } == {
        "units": 178, "upgrades": 434, "commendations": 35, "setbacks": 10, "defining_traits": 10, "aid_requests": 7,
        "assets": 8, "command_cards": 4, "keywords": 5, "story_arcs": 7, "agendas": 21, "rank_limits": 4,
        "counterparts": 5, "battle_forces": 20, "battle_cards": 43,
    }  # fmt: skip
    assert book.edition == "2026-04-21"


def test_a_unit(book):
    assert book.units["black-sun-vigo"] == Unit(
        slug="black-sun-vigo",
        name="Black Sun Vigo",
        title="",
        faction="mercenary",
        rank="commander",
        unit_class="trooper",
        unit_type="trooper",
        unique=False,
        unique_by_title=False,
        points=book.units["black-sun-vigo"].points,
        upgrade_slots=book.units["black-sun-vigo"].upgrade_slots,
        keywords=("Mercenary: Empire, Separatists", "Aid: Black Sun", "Dauntless", "Independent: Aim 1"),
        affiliation="black sun",
        hireable_by=("empire", "separatist"),
        defense_die=book.units["black-sun-vigo"].defense_die,
        wounds=4,
        minis=1,
        courage="2",
        speed=2,
    )


def test_a_battle_card_and_a_counterpart(book):
    assert book.battle_cards["black-ops"] == BattleCard("black-ops", "Black Ops", "advantage", "standard", "empire")
    card = book.counterparts["c-3po-made-to-suffer"].card
    assert book.counterparts["c-3po-made-to-suffer"] == Counterpart(
        "c-3po-made-to-suffer", card, ("r2-d2-independent-astromech",)
    )
    assert (card.full_name, card.points, card.rank) == ("C-3PO, Made to Suffer", 15, "")


def test_a_battle_force_has_the_cards_that_name_it(folder, book):
    battle_force = book.battle_forces["clan-kryze"]
    recon = {"commander": (1, 3), "operative": (0, 3), "corps": (2, 4), "special-forces": (0, 3), "support": (0, 2)}
    assert battle_force == BattleForce(
        slug="clan-kryze",
        name="Clan Kryze",
        faction="mandalorian",
        ranks={
            "recon": RankLimits("recon", "Clan Kryze", 0, {**recon, "heavy": (0, 0)}, together=3),
            "standard": battle_force.ranks["standard"],
        },
        units=battle_force.units,
        counterparts=frozenset(),
        unique_upgrades=battle_force.unique_upgrades,
        barred=frozenset({"champion-of-the-watch", "children-of-the-watch", "clan-saxon", "clan-wren"}),
    )
    assert battle_force.units["mandalorian-initiates"] == Listing("corps", 0, 2)
    assert battle_force.units["mandalorian-hunter"] == Listing("operative")
    assert "bo-katan-kryze" in battle_force.unique_upgrades
    cards = cards_with(folder, "battle_force_card", "clan-kryze--disallowed-upgrade--clan-wren", retired=True)
    assert "clan-wren" not in make_rulebook("x", cards).battle_forces["clan-kryze"].barred


def test_a_restriction_is_alternatives_of_conjunctions(book):
    assert book.upgrades["agent-kallus"].restrictions == (
        (Term("faction", "empire"), Term("rank", "corps")),
        (Term("faction", "empire"), Term("rank", "special-forces")),
    )
    negated = [card for card in book.upgrades.values() if any(term.negated for g in card.restrictions for term in g)]
    assert {card.restrictions for card in negated} == {
        ((Term("rank", "commander", negated=True), Term("rank", "operative", negated=True)),),
        ((Term("unit", "Mandalorian Initiates", negated=True), Term("unit_type", "mandalorian trooper")),),
        ((Term("unit", "Imperial Special Forces"), Term("unit_title", "Inferno Squad", negated=True)),),
    }


def test_unreleased_cards_carry_their_mark(book):
    assert sum(bool(unit.release) for unit in book.units.values()) == 12
    assert sum(bool(upgrade.release) for upgrade in book.upgrades.values()) == 28


def test_general_and_arc_commendations(book):
    assert book.commendations["flexible-response"] == Commendation(
        slug="flexible-response",
        name="Flexible Response",
        effect=book.commendations["flexible-response"].effect,
        requires=Requirement(veteran_rank=2, unit_class="trooper", rank=("corps",)),
        upgrade_slots=("heavy-weapon",),
    )
    assert book.commendations["born-to-lead"].high
    assert book.commendations["unity"] == Commendation(
        slug="unity",
        name="Unity",
        effect="Courage +1 while another clone trooper unit is within range 1.",
        requires=Requirement(veteran_rank=3, unit_type=("clone trooper",)),
        story_arc="peacekeeping-mission",
    )


def test_setbacks_say_what_a_second_one_does(book):
    assert {slug: (setback.second, setback.face, setback.story_arc) for slug, setback in book.setbacks.items()} == {
        "battle-fatigue": ("stacks", "hit", ""),
        "battle-shaken": ("reroll", "blank", ""),
        "downtrodden": ("stacks", "surge", ""),
        "flat-footed": ("casualty", "", "bring-peace-to-the-galaxy"),
        "compromised": ("casualty", "", "liberate-the-system"),
        "war-weary": ("reroll", "", "peacekeeping-mission"),
        "scrambled": ("casualty", "", "root-out-the-corruption"),
        "behind-schedule": ("reroll", "", "the-weekend-war"),
        "losing-faith": ("reroll", "", "birth-of-a-legend"),
        "self-serving": ("reroll", "", "a-pirates-life"),
    }
    assert book.setbacks["downtrodden"].army_points_each == 15
    assert book.setbacks["war-weary"] == Setback(
        slug="war-weary",
        name="War Weary",
        effect=book.setbacks["war-weary"].effect,
        second="reroll",
        add_die_or_reroll_blanks=True,
        story_arc="peacekeeping-mission",
    )


def test_traits_say_what_they_do_to_a_sequence(book):
    assert book.defining_traits["selfless-warden"] == DefiningTrait(
        slug="selfless-warden",
        name="Selfless Warden",
        effect=book.defining_traits["selfless-warden"].effect,
        games=2,
        aid_die="white_defense",
        aid_dice=3,
        aid_faces_lost=("block", "surge"),
        story_arc="peacekeeping-mission",
    )
    assert book.defining_traits["tunnel-vision"] == DefiningTrait(
        slug="tunnel-vision",
        name="Tunnel Vision",
        effect=book.defining_traits["tunnel-vision"].effect,
        games=2,
        face="surge",
        blocks_agenda_rewards=True,
        casualty_check_without_progress=True,
    )
    assert book.trait_by_face == {"hit": "captious-command", "blank": "unsure", "surge": "tunnel-vision"}


def test_the_cost_of_aid_requests_is_known_where_it_is_fixed(book):
    assert {slug: (request.cost, request.cost_text) for slug, request in book.aid_requests.items()} == {
        "active-recruiting": (1, "1"),
        "request-medical-supplies": (None, "veteran rank, minimum 1"),
        "request-strategic-asset": (None, "the asset's"),
        "request-reinforcements": (None, "veteran rank, minimum 1"),
        "special-training": (1, "1"),
        "supplies-and-provisions": (1, "1 per unit"),
        "reassign-unit": (1, "1"),
    }
    assert book.aid_requests["reassign-unit"] == AidRequest(
        slug="reassign-unit",
        name="Reassign Unit",
        effect=book.aid_requests["reassign-unit"].effect,
        cost=1,
        cost_text="1",
        repeatable=True,
    )


def test_an_asset_a_command_card_and_a_keyword(book):
    assert book.assets["contingency-plan"] == StrategicAsset(
        slug="contingency-plan",
        name="Contingency Plan",
        effect=book.assets["contingency-plan"].effect,
        cost=1,
        per_sequence=1,
        kept_if_unused=True,
    )
    assert book.command_cards["paragon-enemy-down"] == ParagonCommandCard(
        "paragon-enemy-down", "Enemy Down!", 2, "Paragon and 1 unit"
    )
    assert book.keywords["Disgraced"] == Keyword(
        "Disgraced", "Allies may use its courage for panic only within range 2."
    )


def test_a_story_arc_has_its_parts(book):
    arc = book.story_arcs["peacekeeping-mission"]
    assert (arc.commendation, arc.setback, arc.defining_trait) == ("unity", "war-weary", "selfless-warden")
    assert {agenda.story_arc for agenda in arc.agendas} == {arc.turning_point.story_arc} == {arc.slug}
    shielded = arc.agendas[2]
    assert (shielded.marks, shielded.casualty_shield) == (Marks(1, "you"), (GainExperience(2), GainSetback()))


def test_marks_may_be_any_number_of_some_units(book):
    assert {agenda.slug: agenda.marks for agenda in book.agendas.values() if agenda.marks} == {
        book.story_arcs["peacekeeping-mission"].agendas[2].slug: Marks(1, "you"),
        book.story_arcs["birth-of-a-legend"].agendas[2].slug: Marks(3, "you 1, opponent 2", "non_paragon"),
        "loot-and-plunder": Marks(None, "you", "undefeated"),
    }
    assert MarkedUndefeatedAtLeast(2) in book.story_arcs["birth-of-a-legend"].agendas[2].progress


def test_the_questions_of_a_turning_point_mission(book):
    assert {
        arc.turning_point.slug: list(arc.turning_point.asks)
        for arc in book.story_arcs.values()
        if arc.turning_point.asks
    } == {"golden-opportunity": ["equipment_removed"]}
    assert len(book.story_arcs["liberate-the-system"].turning_point.end_of_game) == 2


def test_rank_limits_by_size(book):
    assert book.rank_limits[0] == RankLimits(
        "recon",
        "Recon",
        600,
        {
            "commander": (1, 1),
            "operative": (0, 1),
            "corps": (2, 4),
            "special-forces": (0, 2),
            "support": (0, 2),
            "heavy": (0, 1),
        },
    )


def test_a_rulebook_cannot_be_changed(book):
    with pytest.raises(TypeError):
        book.units["new"] = None


def test_the_same_files_make_equal_rulebooks(book, folder):
    assert read_rulebook(folder) == book


def test_a_battle_force_has_its_limits_by_format(folder):
    cards = read_catalogue(folder).cards
    assert cards["battle_force"][0] == {
        "slug": "blizzard-force",
        "name": "Blizzard Force",
        "faction": "empire",
        "link_id": "bf",
        "formats": {
            "recon": {
                "combined_commander_operative_max": None,
                "limits": {
                    "commander": [1, 2],
                    "operative": [0, 0],
                    "corps": [2, 4],
                    "special-forces": [0, 3],
                    "support": [0, 3],
                    "heavy": [0, 1],
                },
            },
            "standard": {
                "combined_commander_operative_max": None,
                "limits": {
                    "commander": [1, 2],
                    "operative": [0, 0],
                    "corps": [3, 6],
                    "special-forces": [0, 3],
                    "support": [1, 4],
                    "heavy": [0, 2],
                },
            },
        },
    }
    assert [card["slug"] for card in cards["battle_force_card"] if card["card_slug"] == "grogu"] == [
        "children-of-the-watch--counterpart--grogu",
        "mandalorian-clans--counterpart--grogu",
    ]
    assert cards["keyword"][1]["slug"] == "faulty-equipment"


def test_a_story_arc_whose_parts_are_all_retired_keeps_them(folder, book):
    cards = read_catalogue(folder).cards
    retired = {
        kind: [card | {"retired": True} if card.get("story_arc") == "a-pirates-life" else card for card in of_kind]
        for kind, of_kind in cards.items()
    }
    assert make_rulebook("x", retired).story_arcs == book.story_arcs


@pytest.mark.parametrize("kind", ["commendation", "setback", "defining_trait", "turning_point", "agenda"])
def test_a_story_arc_without_one_of_its_parts_is_not_offered_yet(folder, book, kind):
    cards = read_catalogue(folder).cards
    part = [card for card in cards[kind] if card["story_arc"] != "a-pirates-life"]
    assert make_rulebook("x", {**cards, kind: part}).story_arcs == {
        slug: arc for slug, arc in book.story_arcs.items() if slug != "a-pirates-life"
    }


def test_everything_wrong_is_told_at_once(folder):
    set_cell(folder, "units.csv", "rebel-troopers", points="forty", rank="troops")
    set_cell(folder, "upgrades.csv", "agent-kallus", restrictions="unit:Nobody")
    edit_json(
        folder, "story_arcs.json", lambda data: data["arcs"][0]["agendas"][0].update(reward=[{"do": "gain_luck"}])
    )

    with pytest.raises(CatalogueErrors) as refused:
        read_rulebook(folder)

    assert [str(error) for error in refused.value.errors] == [
        (
            "units.csv, row 99: rank: unknown value 'troops'; known are commander, operative, corps, special-forces, "
            "support, heavy"
        ),
        "units.csv, row 99: points: expected a whole number, not 'forty'",
        (
            "story_arcs.json, arcs[0] bring-peace-to-the-galaxy.agendas[0] persons-of-interest: "
            "reward: entry[0]: unknown clause {'do': 'gain_luck'}"
        ),
        "upgrades.csv, row 2: restrictions: there is no unit 'Nobody'",
    ]
    assert str(refused.value) == "\n".join(str(error) for error in refused.value.errors)


def test_with_a_file_missing_nothing_is_said_of_references(folder):
    (folder / "units.csv").unlink()
    with pytest.raises(CatalogueErrors) as refused:
        read_rulebook(folder)
    assert [str(error) for error in refused.value.errors] == ["units.csv: the file is missing"]
