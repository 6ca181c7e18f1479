"""The after-action report of a closed battle, as a page and as a picture to share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.translation import gettext

from campaign.battles.models import Battle
from campaign.chronicle.narrative.battle_story import BattleStory, SideStory, battle_stories, effects_of
from core.pdf import to_png
from rules.register import effects as e

#: The most names in one line of the picture; a number stands for the others.
MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Gain:
    """A number that a side gained, and its name."""

    label: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideReport:
    """One side in the report. `hero` is the unit that the opponent named Most Feared Rival, `foe` that opponent."""

    story: SideStory
    hero: str
    foe: str
    won: bool
    gains: Sequence[Gain] = ()

    @property
    def names(self) -> list[tuple[str, str]]:
        """The lines of the picture: what happened, and to which units."""
        medals = [f"{unit}: {card}" for unit, card in self.story.commendations]
        ranks = [gettext("%(unit)s (VR %(rank)s)") % {"unit": unit, "rank": rank} for unit, rank in self.story.ranks]
        lines = {
            gettext("Hero of the day"): [self.hero] if self.hero else [],
            gettext("Promoted"): ranks,
            gettext("Medals"): medals,
            gettext("Fallen"): list(self.story.fallen),
            gettext("Agendas"): [f"{agenda} +{times}" for agenda, times in self.story.agendas],
        }
        return [(label, _shortened(names)) for label, names in lines.items() if names]


@dataclass(frozen=True, slots=True)
class AfterAction:
    """The report of a battle, blue first."""

    story: BattleStory
    sides: tuple[SideReport, SideReport]

    @property
    def score(self) -> str:
        """The victory points, blue first; empty if none were reported."""
        blue, red = (side.victory_points for side in self.story.sides)
        return f"{blue}–{red}" if blue or red else ""


def report_of(battle: Battle) -> AfterAction:
    """Return the report of a closed battle whose sides are prefetched with their Registers: four queries."""
    story = battle_stories([battle])[battle.pk]
    effects = {str(register): found for (_, register), found in effects_of([battle]).items()}
    blue, red = story.sides
    return AfterAction(story, (_side(story, blue, red, effects), _side(story, red, blue, effects)))


def picture_of(battle: Battle, *, width: int, height: int) -> bytes:
    """Return the report as a PNG that says no more than the public chronicle. Raises what `core.pdf.to_png` raises."""
    story = battle_stories([battle])[battle.pk]
    blue, red = story.sides
    report = AfterAction(story, (_side(story, blue, red), _side(story, red, blue)))
    html = render_to_string("chronicle/after_action_picture.html", {"report": report, "campaign": battle.campaign.name})
    return _picture(html, width, height)


@lru_cache(maxsize=64)  # drawing takes half a second, and anyone with the link may ask for it
def _picture(html: str, width: int, height: int) -> bytes:
    return to_png(html, width=width, height=height)


def _side(
    story: BattleStory, side: SideStory, other: SideStory, effects: dict[str, list[e.Effect]] | None = None
) -> SideReport:
    return SideReport(
        story=side,
        hero=other.rival,
        foe=other.name,
        won=story.winner == side.colour,
        gains=_gains((effects or {}).get(side.key, ()), side),
    )


def _gains(effects: Iterable[e.Effect], side: SideStory) -> list[Gain]:
    """Return what a side gained, without what it spent."""
    numbers = Counter[str]()
    labels = {
        e.SupplyPointsGained: gettext("SP"),
        e.ExperienceGained: gettext("XP"),
        e.CombatPotentialRaised: gettext("Combat Potential"),
        e.ReputationGained: gettext("Reputation"),
    }
    for effect in effects:
        if isinstance(effect, tuple(labels)):
            numbers[labels[type(effect)]] += effect.amount
    agendas = [Gain(name, times) for name, times in side.agendas]
    return [*agendas, *(Gain(label, numbers[label]) for label in labels.values() if numbers[label])]


def _shortened(names: Sequence[str]) -> str:
    shown, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    return ", ".join(shown) + (gettext(" and %(number)s more") % {"number": more} if more > 0 else "")
