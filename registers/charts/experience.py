"""Chart of a unit's Experience, battle by battle, with its Commendations and Setbacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from registers.campaign_side import BattleName
from registers.charts.geometry import ColumnLayout, Scale, apart, per_cent, px, readable, room_of
from registers.ledger.session import effects_of_entry
from registers.models import LedgerEntry
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.register import effects as e
from rules.register.state import Dossier, RegisterState, apply, everyone
from rules.register.veterans import THRESHOLDS, experience_cap, maximum_veteran_rank


@dataclass(slots=True)
class Stop:
    """A battle (its id; empty between battles): the XP and cards it brought, and the unit's values afterwards."""

    battle: str
    at: datetime
    experience: int = 0
    veteran_rank: int = 0
    held: int = 0
    gained: int = 0
    setbacks: list[str] = field(default_factory=list)
    shed: list[str] = field(default_factory=list)
    commendations: list[str] = field(default_factory=list)
    joined: bool = False
    fell: bool = False
    ranks: int = 0

    @property
    def changed(self) -> bool:
        """Whether anything changed for the unit."""
        return bool(self.gained or self.ranks or self.setbacks or self.shed or self.commendations or self.fell)

    def add(self, was: Dossier, now: Dossier) -> None:
        """Count what an effect changed for the unit."""
        self.gained += now.experience - was.experience
        self.ranks += now.veteran_rank - was.veteran_rank
        self.setbacks += (Counter(now.setbacks) - Counter(was.setbacks)).elements()
        self.shed += (Counter(was.setbacks) - Counter(now.setbacks)).elements()
        self.commendations += (Counter(now.commendations) - Counter(was.commendations)).elements()


def story(entries: Iterable[LedgerEntry], unit: str) -> list[Stop]:
    """Return the stops of a unit (its key). `entries` are those of its Register that count, oldest first."""
    stops: list[Stop] = []
    state = RegisterState()
    for battle, acts in groupby(entries, key=lambda entry: entry.battle):
        sentences = list(acts)
        stop = Stop(battle, sentences[-1].created_at)
        for effect in (effect for entry in sentences for effect in effects_of_entry(entry)):
            if getattr(effect, "unit", "") == unit:
                was, state = state, apply(state, effect)
                stop.joined |= isinstance(effect, e.UnitAdded)
                stop.add(everyone(was).get(unit) or Dossier(unit, ""), everyone(state).get(unit) or Dossier(unit, ""))
                if (unit in was.fallen) != (unit in state.fallen):
                    for each in stops:
                        each.fell = False
                    stop.fell = unit in state.fallen
        if now := everyone(state).get(unit):
            stop.experience, stop.veteran_rank, stop.held = now.experience, now.veteran_rank, len(now.setbacks)
        if stop.changed:
            stops.append(stop)
    return stops


# Across, in per cent: XP labels are left of the plot, Veteran Ranks right of it.
LEFT, RIGHT = 8, 87
# Down, in px: marks, the plot, Setbacks below it, and battle numbers below those.
MARKS, TOP, FLOOR, HANG, NUMBERS = 10, 26, 176, 181, 16
#: Width that a mark needs, in per cent: 13 px where the chart is narrowest.
MARK = 4.7
#: Most height of one Setback, and of all that a unit has, in px.
SETBACK, SETBACKS = 10, 32
#: Fewest columns to leave space for, so that a first battle does not fill the whole width.
FEWEST = 6
#: Most columns with gaps between them; more columns touch each other.
GAPS = 40


class Experience(KeywordValue):
    """The whole chart. `marks` are the places of Commendations and, if the unit has fallen, of its fall."""

    columns: list[dict[str, Any]]
    thresholds: list[dict[str, Any]]
    marks: list[tuple[str, str]]
    summary: str
    fell: bool
    has_setbacks: bool
    has_marks: bool
    numbers: str
    height: str
    left: str = per_cent(LEFT)
    right: str = per_cent(RIGHT)
    words_left: str = per_cent(LEFT - 1)
    words_right: str = per_cent(RIGHT + 1)
    floor: str = px(FLOOR)
    hang: str = px(HANG)
    mark_height: str = px(MARKS)


def experience_of(
    book: Rulebook, dossier: Dossier, entries: Iterable[LedgerEntry], names: Mapping[str, BattleName]
) -> Experience | None:
    """Return the chart of a unit. `entries` are those that count, oldest first. None before its first battle."""
    stops = story(entries, dossier.key)
    return drawn(book, dossier, stops, names) if stops else None


def drawn(book: Rulebook, dossier: Dossier, stops: Sequence[Stop], names: Mapping[str, BattleName]) -> Experience:
    """Return the chart with the place of every part."""
    across = ColumnLayout(max(FEWEST, len(stops)), LEFT, RIGHT, free=0.2 if len(stops) <= GAPS else 0)
    tallest = max(stop.held for stop in stops)
    hanging = Scale(0, max(1, tallest), 0, min(SETBACKS, SETBACK * tallest))
    most = max(experience_cap(book, dossier), *(stop.experience for stop in stops))
    up = Scale(0, most, FLOOR, TOP)
    numbers = HANG + hanging.length(tallest) + NUMBERS
    return Experience(
        columns=list(_columns(book, stops, names, across, up, hanging)),
        thresholds=list(_thresholds(book, dossier, up)),
        marks=list(_marks(stops, across)),
        summary=_("%(experience)s of %(most)s Experience: Veteran Rank %(rank)s of %(highest)s.")
        % {
            "experience": dossier.experience,
            "most": experience_cap(book, dossier),
            "rank": dossier.veteran_rank,
            "highest": maximum_veteran_rank(book, dossier),
        },
        fell=any(stop.fell for stop in stops),
        has_setbacks=any(stop.setbacks or stop.shed for stop in stops),
        has_marks=any(stop.commendations for stop in stops),
        numbers=px(numbers),
        height=px(numbers + 5),
    )


def _columns(
    book: Rulebook,
    stops: Sequence[Stop],
    names: Mapping[str, BattleName],
    across: ColumnLayout,
    up: Scale,
    hanging: Scale,
) -> Iterator[dict[str, Any]]:
    """Yield the stops as drawn: XP before it (`had`), XP gained, and Setbacks, with y and height of each."""
    numbers = _numbers(stops, names, across)
    for place, stop in enumerate(stops):
        gained, had = max(0, stop.gained), stop.experience - max(0, stop.gained)
        yield {
            "stop": stop,
            "name": names.get(stop.battle),
            "x": per_cent(across.left(place)),
            "width": per_cent(across.width),
            "middle": per_cent(across.middle(place)),
            "had": (px(up(had)), px(up.length(had))),
            "gain": (px(up(stop.experience)), px(up.length(gained))),
            "hang": px(hanging.length(stop.held)),
            "number": numbers.get(place, ""),
            "setbacks": [book.setbacks[slug].name for slug in stop.setbacks],
            "shed": [book.setbacks[slug].name for slug in stop.shed],
            "commendations": [book.commendations[slug].name for slug in stop.commendations],
        }


def _numbers(stops: Sequence[Stop], names: Mapping[str, BattleName], across: ColumnLayout) -> dict[int, str]:
    """Return the battle numbers that fit side by side, by column."""
    values = {
        place: names[stop.battle].number
        for place, stop in enumerate(stops)
        if stop.battle in names and names[stop.battle].number
    }
    room = room_of(max(map(len, values.values()), default=0) + 1)
    places = list(values)
    shown = readable([across.middle(place) for place in places], room)
    return {places[index]: values[places[index]] for index in shown}


def _thresholds(book: Rulebook, dossier: Dossier, up: Scale) -> Iterator[dict[str, Any]]:
    """Yield the Veteran Ranks. `y` is the line of each, `word` the baseline of its label."""
    for rank in range(1, maximum_veteran_rank(book, dossier) + 1):
        y = up(THRESHOLDS[rank])
        yield {
            "rank": rank,
            "experience": THRESHOLDS[rank],
            "y": px(y),
            "word": px(y + 4),
            "reached": rank <= dossier.veteran_rank,
        }


def _marks(stops: Sequence[Stop], across: ColumnLayout) -> Iterator[tuple[str, str]]:
    wanted = [
        (kind, across.middle(place))
        for place, stop in enumerate(stops)
        for kind in [*["commendation"] * len(stop.commendations), *["fallen"] * stop.fell]
    ]
    places = apart([place for _kind, place in wanted], MARK, LEFT + MARK / 2, RIGHT - MARK / 2)
    for (kind, _wanted), place in zip(wanted, places, strict=True):
        yield kind, per_cent(place)
