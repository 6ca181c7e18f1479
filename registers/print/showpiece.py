"""A page in A5 for one unit: its picture, its biography, its battles, and what it has earned."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.timezone import localdate

from registers.campaign_side import BattleName
from registers.charts.experience import Stop, story
from registers.models import LedgerEntry
from registers.pages.sheet import dossier_terms, trait_terms
from registers.print.dossiers import experience_track, unit_plate_lines
from registers.print.typesetting import Picture, TypesetBlock, typeset
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.register.building import dossier_points
from rules.register.state import RegisterState, everyone

#: Width of the page between its margins in em of its track, and of what is left of it next to a tall picture.
WIDE, NEXT_TO_PICTURE = 40.0, 19.0
#: Most Commendations, Setbacks and keywords of a front; with more, Setbacks and keywords are on the back. With few, the
#: picture is larger.
MOST_ON_FRONT, FEW = 6, 2
#: Height of a page between its margins, of a row to write on, of a row of the table, of a line of text, and of a
#: heading, in mm; letters of a line.
HIGH, TO_WRITE, ROW, LINE, HEADING, LETTERS = 184.0, 7.2, 5.9, 5.6, 9.0, 75
#: Lines to write a biography on, and most letters of a title in large letters.
LINES, MOST_LETTERS = 6, 36


class Showpiece(KeywordValue):
    """The contents of the page. `biography` is HTML, `track` has Experience and Veteran Rank as boxes (R12).

    `setbacks` are the Setbacks and the Defining Trait.
    """

    title: str
    lines: Sequence[str]
    rank: str
    is_paragon: bool
    faction: str
    register: str
    campaign: str
    points: int
    experience: int
    veteran_rank: int
    track: Sequence[TypesetBlock]
    battles: Sequence[dict[str, Any]]
    setbacks_survived: int
    commendations: Sequence[Mapping[str, str]]
    setbacks: Sequence[Mapping[str, str]]
    keywords: Sequence[Mapping[str, str]]
    upgrades: Sequence[str]
    picture: Picture | None
    biography: str

    @property
    def crowded(self) -> bool:
        """Return whether its Setbacks and keywords are on the back, because the front has no space for them."""
        return self._terms > MOST_ON_FRONT

    @property
    def has_space(self) -> bool:
        """Return whether the front has space for a larger picture."""
        longest = max(map(len, (self.title, self.register, self.campaign)))
        return self._terms <= FEW and longest <= MOST_LETTERS

    @property
    def _terms(self) -> int:
        return len(self.commendations) + len(self.setbacks) + len(self.keywords)

    @property
    def rows_to_write(self) -> range:
        """Return the empty rows below its battles, which fill the back."""
        terms = [*self.setbacks, *self.keywords] if self.crowded else []
        texts = [len(term["name"] + term.get("text", "")) for term in terms]
        texts += [len(part) for part in self.biography.split("</p>")] if self.biography else []
        lines = sum(1 + letters // LETTERS for letters in texts)
        used = 3 * HEADING + LINE * lines + ROW * len(self.battles) + (0 if self.biography else TO_WRITE * LINES)
        return range(int((HIGH - used % HIGH) / TO_WRITE))


def showpiece(
    book: Rulebook,
    state: RegisterState,
    key: str,
    *,
    register: str,
    campaign: str,
    entries: Collection[LedgerEntry],
    names: Mapping[str, BattleName],
    picture: Picture | None,
    biography: str,
) -> Showpiece:
    """Return the page of a unit, on the Register or not any more.

    `entries` are those of its Register that count, oldest first; `names` are those of the battles in them.
    """
    dossier = everyone(state)[key]
    stops = story(entries, key)
    terms = [*trait_terms(book, state, dossier), *dossier_terms(book, dossier)]
    title, lines = unit_plate_lines(book, state, key)
    return Showpiece(
        title=title,
        lines=lines,
        rank=book.units[dossier.card].rank,
        is_paragon=key == state.paragon,
        faction=state.faction,
        register=register,
        campaign=campaign,
        points=dossier_points(book, dossier),
        experience=dossier.experience,
        veteran_rank=dossier.veteran_rank,
        track=typeset([experience_track(book, dossier)], NEXT_TO_PICTURE if picture and picture.tall else WIDE),
        battles=[_fought_battle(book, stop, names) for stop in stops if stop.battle],
        setbacks_survived=sum(len(stop.setbacks) for stop in stops),
        commendations=[term for term in terms if term.get("kind") == "commendation"],
        setbacks=[term for term in terms if term.get("kind") in ("setback", "trait")],
        keywords=[term for term in terms if not term.get("kind")],
        upgrades=[book.upgrades[slug].full_name for slug in dossier.upgrades],
        picture=picture,
        biography=biography,
    )


def _fought_battle(book: Rulebook, stop: Stop, names: Mapping[str, BattleName]) -> dict[str, Any]:
    name = names.get(stop.battle)
    return {
        "battle": name.label if name else "",
        "day": name.day if name and name.day else localdate(stop.at),
        "experience": stop.gained,
        "veteran_rank": stop.veteran_rank if stop.ranks > 0 else 0,
        "setbacks": [book.setbacks[slug].name for slug in stop.setbacks],
        "commendations": [book.commendations[slug].name for slug in stop.commendations],
        "fell": stop.fell,
    }
