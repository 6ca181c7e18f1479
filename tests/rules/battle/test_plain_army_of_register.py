"""The army of a Register beside the core rules."""

from rules.battle.army import Army, BattleSetup
from rules.battle.plain_army import PlainArmy, PlainUnit, as_plain, differences, plain_army_violations
from rules.battle.report import Lent
from rules.core.rulebook import Rulebook
from tests.rules.battle.decks import RECON
from tests.rules.build import OFFICER, PARAGON, STORMTROOPERS, TROOPERS, change, state

VADER = "darth-vader-dark-lord-of-the-sith"


def test_cards_and_nothing_that_happened_to_them(book: Rulebook) -> None:
    start = change(state(), PARAGON, setbacks=("downtrodden",), veteran_rank=2)
    army = Army(
        fielded={PARAGON: ("vigilance",), TROOPERS: (), "99": ()},
        lent=(
            Lent("heroic-intervention", "L1", book.units[VADER], (book.upgrades["force-choke"],)),
            Lent("requisition-special-equipment", upgrades=(book.upgrades["trusted-agent"],), bearer=PARAGON),
            Lent("requisition-special-equipment", upgrades=(book.upgrades["vigilance"],), bearer="L1"),
            Lent("requisition-special-equipment", upgrades=(book.upgrades["force-reflexes"],), bearer="L1"),
            Lent("requisition-special-equipment", upgrades=(book.upgrades["up-close-and-personal"],)),
            Lent("authorized-extraordinary-use", bearer=TROOPERS),
        ),
        agenda="keep-them-in-line",
        battle_force="tempest-force",
        battle_deck=tuple(RECON),
    )
    hand = ("ambush", "paragon-enemy-down", "standing-orders")
    assert as_plain(book, start, army, 600, hand) == PlainArmy(
        faction="empire",
        battle_force="tempest-force",
        size=600,
        title="Ashen Patrol",
        units=(
            PlainUnit(OFFICER, ("vigilance", "trusted-agent")),
            PlainUnit(STORMTROOPERS),
            PlainUnit(VADER, ("force-choke", "vigilance", "force-reflexes")),
        ),
        command_cards=("ambush",),
        battle_cards=tuple(RECON),
    )


def test_a_slot_that_a_commendation_gave_is_not_there(book: Rulebook) -> None:
    card = next(card for card in book.commendations.values() if card.upgrade_slots)
    start = change(state(), TROOPERS, commendations=("resilient", card.slug), setbacks=("downtrodden", "downtrodden"))
    equipment = Lent("requisition-special-equipment", upgrades=(book.upgrades["trusted-agent"],))
    army = Army(fielded={PARAGON: (), TROOPERS: ()}, agenda="keep-them-in-line", lent=(equipment,))
    assert list(differences(book, start, army, BattleSetup(size=600, reinforcements=50))) == [
        "The 30 points that Setbacks add are not counted.",
        "The 50 points of reinforcements are not counted.",
        f"Grim Hounds lacks the slot that {card.name} gives.",
        "Special equipment without a unit is not counted.",
        "The Agenda is not counted.",
    ]
    assert list(differences(book, state(), Army(fielded={PARAGON: ()}), BattleSetup(size=600))) == []


def test_a_register_is_checked_like_any_army(book: Rulebook) -> None:
    plain = as_plain(book, state(), Army(fielded={PARAGON: ()}), 600)
    assert [violation.text for violation in plain_army_violations(book, plain)] == [
        "Recon: at least 2 corps (the army has 0).", "Imperial Officer needs a Doctrine upgrade.",
    ]  # fmt: skip
