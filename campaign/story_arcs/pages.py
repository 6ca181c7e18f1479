"""The pages of the Story Arc editor: rewards and conditions, and the preview of both."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from campaign.battles.pages.sequence_events import dice_of
from catalogue.snapshot import rulebook
from registers.ledger.text import names_of, sentence
from rules.arcs.card_text import Paragraph, condition_text, end_of_game_text, progress_text, reward_text, shield_text
from rules.arcs.custom_arcs import DRAFT, Arc, arc_violations, book_with, named, part_at
from rules.arcs.describe import EffectNode, outline
from rules.arcs.preview import PreviewQuestion, Rehearsal, rehearse_agenda, rehearse_mission, rehearse_shield
from rules.core.card_types import Agenda, TurningPoint
from rules.core.reward_effects import Clause, read_condition, read_reward
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import Violation
from rules.register.effects import Effect

AGENDAS = tuple(f"agendas.{number}" for number in range(3))
MISSION = "turning_point"


class Reward(Value):
    """A reward of an arc: its path, title, effects, its text on the card, and its violations as a whole."""

    path: str
    title: str
    clauses: Sequence[EffectNode]
    text: Sequence[Paragraph] = ()
    violations: Sequence[Violation] = ()


class Condition(Value):
    """A condition for an Agenda to progress, or for an `end_of_game` entry to give its reward."""

    path: str
    text: str
    violations: Sequence[Violation] = ()
    reward: Reward | None = None


class EditorPage:
    """An arc in the editor, with the Rulebook it is played by and all its violations."""

    def __init__(self, arc: Arc) -> None:
        self.arc = arc
        self.book: Rulebook = book_with(rulebook(), arc)
        self.violations = tuple(arc_violations(rulebook(), arc))
        self._whole = named(arc, DRAFT)

    def missing(self, path: str) -> list[Violation]:
        """Return all violations below a path; for the empty path, those of the arc's own texts."""
        if not path:
            return [violation for violation in self.violations if "." not in violation.about]
        return [violation for violation in self.violations if f"{violation.about}.".startswith(f"{path}.")]

    def reward(self, path: str) -> Reward:
        """Return the reward at a path."""
        clauses = read_reward(part_at(self._whole, path), path)
        nodes = outline(self.book, clauses, f"{path}.", asks=self._mission.asks, violations=self.violations)
        return Reward(path, self.title(path), nodes, self._text(path, clauses), self._about(path))

    @property
    def _mission(self) -> TurningPoint:
        return self.book.story_arcs[DRAFT].turning_point

    def _text(self, path: str, clauses: Sequence[Clause]) -> Sequence[Paragraph]:
        if not clauses:
            return ()
        if path.endswith("casualty_shield.instead"):
            return [shield_text(self.book, clauses)]
        if ".end_of_game." in path:
            number = int(path.split(".")[2])
            return [end_of_game_text(self.book, self._mission.end_of_game[number], asks=self._mission.asks)]
        marks = self._agenda(path).marks if path.startswith("agendas.") else None
        return reward_text(self.book, clauses, asks=self._mission.asks, marks=marks)

    def _agenda(self, path: str) -> Agenda:
        return self.book.story_arcs[DRAFT].agendas[int(path.split(".")[1])]

    def conditions(self, path: str) -> list[Condition]:
        """Return the conditions of progress, or the entries of `end_of_game`, at a path."""
        return [self._condition(f"{path}.{number}", entry) for number, entry in enumerate(part_at(self._whole, path))]

    def rewards_of(self, path: str) -> Iterator[Reward]:
        """Yield the rewards of an Agenda or of the Turning Point Mission, except those of `end_of_game`."""
        if path in AGENDAS:
            yield self.reward(f"{path}.reward")
            if "casualty_shield" in part_at(self.arc, path):
                yield self.reward(f"{path}.casualty_shield.instead")
        if path == MISSION:
            yield from (self.reward(f"{path}.{which}") for which in ("victory", "defeat"))

    def title(self, path: str) -> str:
        """Return the title of the reward at a path."""
        if path.endswith("casualty_shield.instead"):
            return _("Instead of becoming a casualty")
        if ".end_of_game." in path:
            entry = part_at(self.arc, path.removesuffix(".reward"))
            return _("At the end of the game, if %(condition)s") % {"condition": _words(entry["when"])}
        return {"victory": _("Victory Reward"), "defeat": _("Loss Reward (also for a draw)")}.get(
            path.rpartition(".")[2], _("Reward")
        )

    def _condition(self, path: str, entry: Any) -> Condition:
        if "when" not in entry:
            agenda = self._agenda(path)
            return Condition(path, progress_text(agenda)[int(path.rpartition(".")[2])], self._about(path))
        when, violations = _words(entry["when"]), self._about(f"{path}.when")
        return Condition(path, when, violations, self.reward(f"{path}.reward"))

    def _about(self, path: str) -> list[Violation]:
        return [violation for violation in self.violations if violation.about == path]


def all_rewards(bench: EditorPage) -> Iterator[tuple[str, Iterable[Reward]]]:
    """Yield every reward of an arc, under the name of the Agenda or mission that gives it."""
    for number, path in enumerate(AGENDAS, start=1):
        agenda = part_at(bench.arc, path)
        yield agenda["name"] or _("Agenda %(number)s") % {"number": number}, list(bench.rewards_of(path))
    entries = [entry.reward for entry in bench.conditions(f"{MISSION}.end_of_game") if entry.reward]
    name = bench.arc["turning_point"]["name"] or _("Turning Point Mission")
    yield name, [*entries, *bench.rewards_of(MISSION)]


def _words(condition: Any) -> str:
    return condition_text(read_condition(condition, ""))


def played(bench: EditorPage, seed: int) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return every reward of an arc, played with dice from this seed: the same seed gives the same dice."""
    return [
        (name, [_played(bench, reward, seed + number) for number, reward in enumerate(rewards)])
        for name, rewards in all_rewards(bench)
    ]


def _played(bench: EditorPage, reward: Reward, seed: int) -> dict[str, Any]:
    """Return a reward and the steps of what it did; it has none if it has violations, and so is not playable."""
    if bench.missing(reward.path):
        return {"reward": reward, "steps": (), "playable": False}
    rehearsal = _rehearsal(bench, reward.path, seed)
    names = names_of(bench.book, rehearsal.after)
    return {"reward": reward, "steps": [_step(each, names, bench.book) for each in rehearsal.events], "playable": True}


def _rehearsal(bench: EditorPage, path: str, seed: int) -> Rehearsal:
    arc = bench.book.story_arcs[DRAFT]
    if path.startswith("agendas."):
        agenda = arc.agendas[AGENDAS.index(path[: len(AGENDAS[0])])]
        rehearse = rehearse_agenda if path.endswith(".reward") else rehearse_shield
        return rehearse(bench.book, agenda, seed)
    mission = arc.turning_point
    which, _, number = path.removeprefix("turning_point.").removesuffix(".reward").partition(".")
    reward = mission.end_of_game[int(number)].reward if number else getattr(mission, which)
    return rehearse_mission(bench.book, DRAFT, reward, seed, won=which != "defeat")


def _step(event: PreviewQuestion | Effect, names: dict[str, str], book: Rulebook) -> dict[str, Any]:
    """Return a question and its answer, or an effect; `dice` are as `components/dice.html` takes them."""
    if isinstance(event, PreviewQuestion):
        return {"text": event.text, "answer": event.answer, "dice": ()}
    die: Any = getattr(event, "die", "")
    dice = dice_of(die, event.faces) if die else ()
    return {"text": sentence(event, names, book), "answer": "", "dice": dice}
