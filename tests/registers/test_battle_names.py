"""What battles are called."""

from __future__ import annotations

from registers import battle_names as registers_battle_names
from registers.battle_names import BattleName, battle_names, name_battles


def test_a_battle_that_nobody_knows(monkeypatch):
    monkeypatch.setattr(registers_battle_names, "_namers", [])
    assert battle_names(["7", "", "7"]) == {"7": BattleName("a battle")}


def test_named_by_another_room(monkeypatch):
    monkeypatch.setattr(registers_battle_names, "_namers", [])
    asked = []

    def namer(ids):
        asked.append(ids)
        return {"7": BattleName("Battle 7", "/battles/7/")}

    name_battles(namer)
    assert battle_names(["7", "8"]) == {"7": BattleName("Battle 7", "/battles/7/"), "8": BattleName("a battle")}
    assert battle_names([""]) == {}
    assert asked == [{"7", "8"}]  # once for a page, and not at all without a battle
