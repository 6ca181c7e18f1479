"""The battle of tests/scenarios/first-blood.json, at the beginning of its sequence."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import Facts
from campaign.battles.services import army as army_service, planning, reports, sequence
from campaign.models import Campaign, Membership
from campaign.scenarios.play import play, read
from registers import projection
from rules.battle.army import Army
from rules.core import dice as fair_dice
from rules.core.dice import sides
from rules.post_battle.dialogue import Question
from tests.campaign.factories import agendas_chosen
from tests.once import once

SCENARIO = Path(__file__).parents[1] / "scenarios" / "first-blood.json"

#: The units by the handles of the scenario.
ALPHA = {"leader": "1", "t1": "2", "t2": "3", "t3": "4", "scout": "5", "bikes": "6", "walker": "7"}
BRAVO = {"leader": "1", "r1": "2", "r2": "3", "f1": "4", "com": "5", "rt": "6", "lander": "7"}


@dataclass
class Fought:
    """The battle, its sides by colour (blue is alpha's, red is bravo's) and their players."""

    battle: Battle
    ada: User
    ben: User

    def side(self, colour: str) -> Side:
        """The side as it is now."""
        return Side.objects.select_related("register", "battle").get(battle=self.battle, colour=colour)

    @property
    def blue(self) -> Side:
        return self.side("blue")

    @property
    def red(self) -> Side:
        return self.side("red")

    def ada_organizes(self) -> User:
        """Let ada organize the campaign, too."""
        Membership.objects.update_or_create(
            campaign=self.battle.campaign, user=self.ada, defaults={"role": Membership.Role.ORGANIZER}
        )
        return self.ada

    def question(self, colour: str) -> Question | None:
        """What the side is asked now."""
        side = self.side(colour)
        if side.done:
            return None
        return sequence.running_step(side, self.side("red" if colour == "blue" else "blue")).question

    def answer(self, colour: str, answer: Any, source: str = sequence.PLAYER) -> Side:
        """Answer for a side; the app's dice (`sequence.APP`) fall as it is said."""
        actor = self.ada if colour == "blue" else self.ben
        asked: dict[str, Any] = {"actor": actor, "side_id": self.side(colour).pk, "turn": None}
        if source != sequence.APP:
            return sequence.answer(**asked, answer=answer, source=source)
        pools = answer.values() if isinstance(answer, dict) else [answer]
        with pytest.MonkeyPatch.context() as patch:
            fall(patch, Stacked(*(face for faces in pools for face in faces)))
            return sequence.answer(**asked, source=source)


@once
def found_registers() -> tuple[Campaign, User, User]:
    """Both Registers of the scenario in a campaign of their own, and their players."""
    scenario = read(SCENARIO)
    campaign = Campaign.objects.create(name="First Blood")
    play(scenario | {"acts": scenario["acts"][:2]}, campaign)
    return campaign, User.objects.get(username="ada"), User.objects.get(username="ben")


@once
def begin(*, blue: dict[str, Any] | None = None, red: dict[str, Any] | None = None) -> Fought:
    """The battle of the scenario, reported and confirmed. `blue` and `red` change what their sides report."""
    fought = in_play()
    report_and_confirm(fought, blue=blue, red=red)
    return fought


def in_play() -> Fought:
    """The battle of the scenario, begun."""
    campaign, ada, ben = found_registers()
    alpha, bravo = ada.registers.get(), ben.registers.get()
    battle = planning.plan_battle(
        actor=ada, campaign=campaign, size=600,
        blue=planning.Contender(register_id=alpha.pk), red=planning.Contender(register_id=bravo.pk),
    )  # fmt: skip
    sides = {side.colour: side for side in battle.sides.all()}
    choose_army(ada, sides["blue"], [ALPHA[h] for h in ("leader", "t1", "t2", "t3", "scout", "walker")])
    choose_army(ben, sides["red"], list(BRAVO.values()))
    agendas_chosen(battle, blue="keep-them-in-line", red="midnight-strikes")
    army_service.begin(actor=ben, battle_id=battle.pk)
    return Fought(battle, ada, ben)


def report_and_confirm(
    fought: Fought, *, blue: dict[str, Any] | None = None, red: dict[str, Any] | None = None
) -> None:
    """Ada reports that blue won, and ben confirms."""
    facts = {
        "blue": {
            "agenda": "keep-them-in-line", "tokens": 3,
            "defeated": [ALPHA["t1"], ALPHA["scout"]], "contesting": [ALPHA["t2"], ALPHA["leader"]],
        } | (blue or {}),
        "red": {
            "agenda": "midnight-strikes", "tokens": 1,
            "defeated": [BRAVO["r1"], BRAVO["r2"], BRAVO["rt"]], "contesting": [BRAVO["f1"]],
        } | (red or {}),
    }  # fmt: skip
    reports.report(
        actor=fought.ada, battle_id=fought.battle.pk, version=None,
        report=reports.BattleReport(
            winner="blue", facts={colour: Facts(**args) for colour, args in facts.items()}, victory_points={}
        ),
    )  # fmt: skip
    reports.confirm_report(actor=fought.ben, battle_id=fought.battle.pk, version=None)
    fought.battle.refresh_from_db()


def choose_army(actor: User, side: Side, keys: list[str]) -> None:
    """Field these units with all their upgrades."""
    state = projection.state_of(side.own_register)
    fielded = {key: state.dossiers[key].upgrades for key in keys}
    army_service.choose_army(actor=actor, side_id=side.pk, army=Army(fielded=fielded))


def loaded(seed: int) -> random.Random:
    """Dice that fall the same way every time, whatever battle they fall in."""
    return random.Random(seed)


def fall(patch: pytest.MonkeyPatch, source: random.Random) -> None:
    """Let the app's dice and tokens come from there, in place of the seeds of their battles."""
    patch.setattr(fair_dice, "roll", lambda seed, text, die, count: source.choices(sides(die), k=count))
    patch.setattr(fair_dice, "take", lambda seed, text, bag, count: source.sample(bag, count))


class Stacked(random.Random):
    """Dice that fall as they are told, face by face, and tokens that come in this order."""

    def __init__(self, *faces: str) -> None:
        super().__init__(0)
        self.faces = list(faces)

    def choices(self, population: Any, *args: Any, k: int = 1, **words: Any) -> list[Any]:
        return [self._next(population) for _ in range(k)]

    def sample(self, population: Any, k: int, **words: Any) -> list[Any]:
        bag = list(population)
        return [bag.pop(bag.index(self._next(bag))) for _ in range(k)]

    def _next(self, population: Any) -> Any:
        face = self.faces.pop(0)
        if face not in population:
            raise AssertionError(f"{face} is not one of {sorted(set(population))}")
        return face


__all__ = ["ALPHA", "BRAVO", "Fought", "Stacked", "begin", "choose_army", "fall", "found_registers", "loaded"]
