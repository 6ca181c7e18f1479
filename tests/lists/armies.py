"""Army lists in text."""

from rules.battle.plain_army import PlainArmy, PlainUnit
from tests.rules.battle.decks import RECON as DECK

OFFICER = PlainUnit("imperial-officer-ruthless-efficiency", ("academy-trained",))
SNOW = PlainUnit("snowtroopers")
HAND = ("ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire")
ARMY = PlainArmy(
    faction="empire",
    size=600,
    title="Ashen Patrol",
    units=(OFFICER, SNOW, SNOW),
    command_cards=HAND,
    battle_cards=tuple(DECK),
)
COMMANDS = "•Ambush •Covert Observation ••Push ••Pinned Down •••Assault •••Coordinated Fire ••••Standing Orders"
MINIMAL = f"""Ashen Patrol
149/600 (3 activations)
Imperial Officer (Academy Trained)
2× Snowtroopers
Commands: {COMMANDS}"""
