"""Registers with the longest names and the most honors that there can be, and what is read of their pages."""

from collections.abc import Iterable, Iterator

from hypothesis import strategies as st

from registers.print.typesetting import Block, Card, CardFace, Columns, TypesetBlock
from rules.catalogue.loader import read_rulebook
from rules.core.card_types import FACTIONS
from rules.register.building import LONGEST_NAME
from rules.register.state import Dossier, RegisterState, Trait
from tests.cards import CARDS

#: The cards of the project's own catalogue: no database is needed to set type.
BOOK = read_rulebook(CARDS)
#: Wide and narrow letters of several scripts, some of which the letters of our pages do not have; words and none.
NAMES = st.one_of(
    st.text("WMijl.-Éßłş ", min_size=1, max_size=LONGEST_NAME),
    st.text("ЖЩыΩΔώ語漢🚀 ", min_size=1, max_size=LONGEST_NAME),
    st.sampled_from(["W" * LONGEST_NAME, "語" * LONGEST_NAME, "The Longest Name of All " * 3]),
).map(lambda name: name.strip() or "W")
#: What a keyword of an own Story Arc may be like; the column holds 120 letters.
KEYWORDS = (
    "Aim 1",
    "Strategize 1",
    "Lauded",
    "Advanced Targeting: Commander Trooper and Operative Trooper 1",
    "W" * 120,
)


def longest(cards: Iterable[str], number: int) -> list[str]:
    """The slugs with the longest names, roughly."""
    return sorted(cards, key=len)[-number:]


@st.composite
def veterans(draw: st.DrawFn, key: str) -> Dossier:
    """A Dossier that has been through a lot."""
    return Dossier(
        key=key,
        card=draw(st.sampled_from([*longest(BOOK.units, 5), "stormtroopers"])),
        name=draw(st.just("") | NAMES),
        upgrades=tuple(draw(st.sets(st.sampled_from(longest(BOOK.upgrades, 20)), max_size=9))),
        experience=draw(st.integers(0, 50)),
        veteran_rank=draw(st.integers(0, 5)),
        setbacks=tuple(draw(st.lists(st.sampled_from(sorted(BOOK.setbacks)), max_size=9))),
        commendations=tuple(draw(st.sets(st.sampled_from(sorted(BOOK.commendations)), max_size=9))),
        keywords=tuple(draw(st.lists(st.sampled_from(KEYWORDS), max_size=6))),
    )


@st.composite
def crowds(draw: st.DrawFn, *, most: int = 24, least: int = 1) -> RegisterState:
    """A Register of up to so many Dossiers."""
    keys = [str(number) for number in range(1, draw(st.integers(least, most)) + 1)]
    return RegisterState(
        name=draw(NAMES),
        faction=draw(st.sampled_from(FACTIONS)),
        commissioned=True,
        combat_potential=draw(st.integers(0, 99_999)),
        supply_points=draw(st.integers(0, 999)),
        reputation=draw(st.integers(0, 99)),
        story_arc=draw(st.sampled_from(sorted(BOOK.story_arcs))),
        agendas=draw(st.dictionaries(st.sampled_from(sorted(BOOK.agendas)), st.integers(1, 3))),
        assets=tuple(draw(st.sets(st.sampled_from(sorted(BOOK.assets))))),
        dossiers={key: draw(veterans(key)) for key in keys},
        paragon="1",
        trait=draw(st.none() | st.builds(Trait, st.sampled_from(sorted(BOOK.defining_traits)), st.integers(1, 2))),
        command_cards=tuple(draw(st.sets(st.sampled_from(sorted(BOOK.command_cards))))),
    )


def squeezed(text: str) -> str:
    """A text without the spaces and line breaks that setting it may have changed."""
    return "".join(text.split())


def words_of(cards: Iterable[Card]) -> list[str]:
    """Everything that cards say in their bodies, block by block, without spaces."""
    return [text for card in cards for block in card.body for text in _said(block)]


def _said(block: Block) -> Iterator[str]:
    if isinstance(block, Columns):
        for column in block.columns:
            for inner in column:
                yield from _said(inner)
        return
    yield squeezed("".join(getattr(block, name, "") for name in ("lead", "label", "text", "number", "amount")))


def read(faces: Iterable[CardFace]) -> str:
    """Everything that stands in the bodies of cards as they were set, without spaces and repeated captions."""
    return "".join(squeezed(text) for face in faces for block in face.body for text in _read(block))


def _read(block: TypesetBlock) -> Iterator[str]:
    for column in block.columns:
        for inner in column:
            yield from _read(inner)
    if block.kind != "caption" or block.lines != block.again:
        yield from (run.text for line in (*block.lines, *block.small) for run in line)
    yield block.amount
