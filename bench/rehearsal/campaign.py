"""The campaign itself: who fights whom until every Story Arc has ended, and what is special about each battle."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bench.rehearsal import at_the_table, mishaps, organizer
from bench.rehearsal.battle import Fought, Player, begin, choose_agendas, choose_army, confirm, plan, report
from bench.rehearsal.person import Person
from bench.rehearsal.sequence import Walker, walk
from bench.rehearsal.site import Site

#: How often something goes wrong in a battle that has nothing else to show.
OFTEN = 0.2
MISHAPS: tuple[Callable[[Walker], None], ...] = (mishaps.lost_connection, mishaps.double_tap, mishaps.stale_tab)


@dataclass
class Played:
    """A campaign while it is played: its page, its people, and the battles so far."""

    path: str
    organizer: Person
    players: list[Player]
    site: Site
    random: Random
    battles: list[Fought] = field(default_factory=list)
    copy: str = ""

    def play(self) -> None:
        """Fight until every Register has completed its saga."""
        while waiting := [player for player in self.players if not player.done]:
            self.random.shuffle(waiting)
            for first, second in zip(waiting[::2], [*waiting[1::2], None], strict=False):
                self.fight(first, second)

    def fight(self, first: Player, second: Player | None) -> Fought:
        """One battle from its plan to the end of its sequences."""
        number = len(self.battles)
        name = f"battle {number + 1}: {first.name} against {second.name if second else 'a guest'}"
        with self.organizer.record.phase(name):
            battle = plan(self.path, first, second)
            self.battles.append(battle)
            if number == 0:
                at_the_table.before(battle)
            for player in battle.players:
                choose_army(player, battle, hand=number == 0)
                if number == 0 and player is not battle.players[-1]:
                    player.person.hears("battles:poll")
            choose_agendas(battle)
            begin(battle.players[-1], battle)
            self._report(battle, number)
            if self._is_second_of_organizer(battle):
                organizer.act_for(self.players[0], battle)
            walkers = [Walker(player, battle) for player in battle.players]
            for walker in walkers:
                walker.open()
            self._go_wrong(number, walkers)
            walk(*walkers)
        self.organizer.record.counts["battles"] += 1
        for player in battle.players:
            player.look()
        return battle

    def _is_second_of_organizer(self, battle: Fought) -> bool:
        """Whether this is the second battle that the player who organizes, too, fights against somebody."""
        own = [each for each in self.battles if each.second and self.players[0] in each.players]
        return len(own) == 2 and own[-1] is battle

    def _report(self, battle: Fought, number: int) -> None:
        """Two of the battles are not agreed on at once."""
        if number == 0 and battle.second:
            at_the_table.sheets(battle)
            at_the_table.tally(battle)
            at_the_table.disputed(battle, battle.second)
        elif number == 2 and battle.second:
            at_the_table.settled(battle, battle.second, self.organizer)
        else:
            report(battle.first, battle)
            if battle.second:
                confirm(battle.second, battle)

    def _go_wrong(self, number: int, walkers: list[Walker]) -> None:
        """In the first battle the connection goes, in the second the server; later now and then something."""
        planned = {0: MISHAPS, 1: (self._kill, *MISHAPS)}.get(number, ())
        if not planned and self.random.random() < OFTEN:
            planned = (self.random.choice((*MISHAPS, self._kill)),)
        for mishap in planned:
            for _ in range(4):  # until one tap answers what is asked
                asked = [each for each in walkers if each.is_asked]
                if not asked:
                    return  # both are done, or wait for what only a new page shows
                walker = self.random.choice(asked)
                if walker.tap() is not None:
                    break
                walker.answer()
            if walker.is_asked:
                mishap(walker)

    def _kill(self, walker: Walker) -> None:
        mishaps.killed(walker, self.site)
