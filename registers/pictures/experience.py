"""Experience of a Dossier over its battles, with Veteran Ranks, Setbacks and Commendations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from registers.battles import BattleName
from registers.models import Entry
from rules.force import Dossier
from rules.rulebook import Rulebook
from rules.veterans import THRESHOLDS, experience_cap, maximum_veteran_rank

from .geometry import Columns, Scale, apart, per_cent, px, readable, room_of
from .story import Stop, story

# Across, in per cent: XP stand left of the plot, Veteran Ranks right of it.
LEFT, RIGHT = 8, 87
# Down, in px: marks, then the plot; the Setbacks hang below it, and below them stand the numbers of the battles.
MARKS, TOP, FLOOR, HANG, NUMBERS = 10, 26, 176, 181, 16
#: A mark needs so much room across, in per cent: 13 px where the picture is narrowest.
MARK = 4.7
#: How tall one Setback is at most, and all that a unit carries, in px.
SETBACK, SETBACKS = 10, 32
#: A first battle does not fill the whole width: there is room for so many.
FEWEST = 6
#: So many columns have gaps between them; more stand side by side.
GAPS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stop as it is drawn: what the unit had before (`had`), what it gained, and Setbacks: y and height of each.

    `number` is that of the battle, if there is room for it.
    """

    stop: Stop
    name: BattleName | None
    x: str
    width: str
    middle: str
    had: tuple[str, str]
    gain: tuple[str, str]
    hang: str
    number: str
    setbacks: list[str]
    shed: list[str]
    commendations: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A Veteran Rank and the XP at which it is reached; `y` is its line, `word` the foot of its words."""

    rank: int
    experience: int
    y: str
    word: str
    reached: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """The whole picture; `marks` are the places of Commendations and, if the unit has fallen, of that."""

    columns: list[Column]
    thresholds: list[Threshold]
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
    book: Rulebook, dossier: Dossier, entries: Iterable[Entry], names: Mapping[str, BattleName]
) -> Experience | None:
    """The picture of a unit, of the entries that speak of it and count, oldest first, and the names of their battles;
    nothing if no battle has left a mark on it yet."""
    stops = story(entries, dossier.key)
    return drawn(book, dossier, stops, names) if stops else None


def drawn(
    book: Rulebook, dossier: Dossier, stops: Sequence[Stop], names: Mapping[str, BattleName]
) -> Experience:
    """Where everything stands."""
    across = Columns(max(FEWEST, len(stops)), LEFT, RIGHT, free=0.2 if len(stops) <= GAPS else 0)
    tallest = max(stop.held for stop in stops)
    hanging = Scale(0, max(1, tallest), 0, min(SETBACKS, SETBACK * tallest))
    most = max(experience_cap(book, dossier), *(stop.experience for stop in stops))
    up = Scale(0, most, FLOOR, TOP)
    numbers = HANG + hanging.length(tallest) + NUMBERS
    return Experience(
        columns=list(_columns(book, stops, names, across, up, hanging)),
        thresholds=list(_thresholds(book, dossier, up)),
        marks=list(_marks(stops, across)),
        summary=_summary(book, dossier),
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
    across: Columns,
    up: Scale,
    hanging: Scale,
) -> Iterator[Column]:
    numbers = _numbers(stops, names, across)
    for place, stop in enumerate(stops):
        gained, had = max(0, stop.gained), stop.experience - max(0, stop.gained)
        yield Column(
            stop=stop,
            name=names.get(stop.battle),
            x=per_cent(across.left(place)),
            width=per_cent(across.width),
            middle=per_cent(across.middle(place)),
            had=(px(up(had)), px(up.length(had))),
            gain=(px(up(stop.experience)), px(up.length(gained))),
            hang=px(hanging.length(stop.held)),
            number=numbers.get(place, ""),
            setbacks=[book.setbacks[slug].name for slug in stop.setbacks],
            shed=[book.setbacks[slug].name for slug in stop.shed],
            commendations=[book.commendations[slug].name for slug in stop.commendations],
        )


def _numbers(stops: Sequence[Stop], names: Mapping[str, BattleName], across: Columns) -> dict[int, str]:
    """Column to the number of its battle, of those that can be written side by side."""
    said = {
        place: names[stop.battle].number
        for place, stop in enumerate(stops)
        if stop.battle in names and names[stop.battle].number
    }
    room = room_of(max(map(len, said.values()), default=0) + 1)
    places = list(said)
    shown = readable([across.middle(place) for place in places], room)
    return {places[index]: said[places[index]] for index in shown}


def _thresholds(book: Rulebook, dossier: Dossier, up: Scale) -> Iterator[Threshold]:
    for rank in range(1, maximum_veteran_rank(book, dossier) + 1):
        y = up(THRESHOLDS[rank])
        yield Threshold(
            rank=rank,
            experience=THRESHOLDS[rank],
            y=px(y),
            word=px(y + 4),
            reached=rank <= dossier.veteran_rank,
        )


def _marks(stops: Sequence[Stop], across: Columns) -> Iterator[tuple[str, str]]:
    wanted = [
        (kind, across.middle(place))
        for place, stop in enumerate(stops)
        for kind in [*["commendation"] * len(stop.commendations), *["fallen"] * stop.fell]
    ]
    places = apart([place for _kind, place in wanted], MARK, LEFT + MARK / 2, RIGHT - MARK / 2)
    for (kind, _wanted), place in zip(wanted, places, strict=True):
        yield kind, per_cent(place)


def _summary(book: Rulebook, dossier: Dossier) -> str:
    said = _("{experience} of {most} Experience: Veteran Rank {rank} of {highest}.")
    return said.format(
        experience=dossier.experience,
        most=experience_cap(book, dossier),
        rank=dossier.veteran_rank,
        highest=maximum_veteran_rank(book, dossier),
    )
