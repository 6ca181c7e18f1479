"""First Blood with dice of all kinds: drawn by the app, drawn and undone, and typed in."""

from campaign.battles.services import fair_dice, sequence
from campaign.battles.services.sequence import APP, TABLE
from rules.post_battle.dialogue import Roll
from tests.campaign.battles.closing import undo
from tests.campaign.first_blood import Fought


def by_the_app(fought: Fought, colour: str) -> None:
    """The app rolls, by the seed of the battle."""
    actor = fought.ada if colour == "blue" else fought.ben
    sequence.answer(actor=actor, side_id=fought.side(colour).pk, turn=None, source=APP)


def rolled(fought: Fought) -> Fought:
    """Blue types in all it rolls, up to its checks; red's supplies are drawn, undone and drawn again, and its
    three checks with all that comes of them are drawn.
    """
    fair_dice.mix_in(actor=fought.ada, side_id=fought.blue.pk, word="Måne & <sand>")
    fought.answer("blue", ["corps", "heavy"], TABLE)
    fought.answer("blue", "3")
    fought.answer("blue", {"supply": ["block"]}, TABLE)
    by_the_app(fought, "red")
    undo(fought, "red")
    while isinstance(fought.question("red"), Roll):
        by_the_app(fought, "red")
    return fought


def revealed(fought: Fought) -> Fought:
    """Return the draws with the seed shown, as when a battle has closed."""
    rolled(fought)
    fair_dice.reveal(fought.battle)
    return fought
