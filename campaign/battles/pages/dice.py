"""Dice of a battle for display: seeds, draws by the app, dice typed in by hand, and undone rolls."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models import Battle, DiceSeed, Draw, Side
from campaign.battles.report_data import book_of
from campaign.battles.services.sequence import APP
from registers import projection
from registers.ledger.text import names_of
from registers.ledger.typed_dice import typed_rolls
from registers.models import LedgerEntry
from rules.core.dice import FORMAT
from rules.core.translation import sentences_of
from rules.core.values import KeywordValue
from rules.register.upgrade_slots import spoken

#: The purpose of each pool, by the beginning of its key.
_WHAT = sentences_of(__file__)["what"]


class DrawnDice(KeywordValue):
    """Dice or tokens drawn together: by the app (with a `number`), or typed in by hand (without one).

    `undone` marks draws that no answer uses any more, neither in a ledger entry that counts nor in a running
    step. `repeats` is the number of the first draw of the same roll, if this is not the first.
    """

    side: Side
    step: int
    ordinal: int
    label: str
    what: str
    die: str
    faces: tuple[str, ...]
    bag: Sequence[str] = ()
    number: int = 0
    seed: int = 0
    at: datetime | None = None
    by: str = ""
    undone: bool = False
    repeats: int = 0

    @property
    def dice(self) -> list[dict[str, str]]:
        """Return the dice as `components/dice.html` takes them."""
        return [{"die": self.die, "face": face} for face in self.faces] if self.die else []

    @property
    def tokens(self) -> str:
        """The order tokens as text."""
        return "" if self.die else ", ".join(spoken(face) for face in self.faces)


class Promise(KeywordValue):
    """The commitment for a battle's dice: the seed, and each player's word; the viewer may still change `own` ones."""

    seed: DiceSeed
    words: list[tuple[Side, str]]
    own: list[tuple[Side, str]]


def promise_of(role: access.CampaignRole, battle: Battle) -> Promise | None:
    """Return the current seed, or the last one used, with its sides; None for a battle that predates the dice."""
    seeds = battle.dice_seeds.annotate(was_drawn_from=Exists(Draw.objects.filter(seed=OuterRef("pk"))))
    if (seed := seeds.last()) is None:
        return None
    sides = [side for side in battle.sides.all() if side.register]
    fighting = any(side.own_register.owner_id == role.user.pk for side in sides)
    takes_words = fighting and seed.revealed_at is None and not seed.was_drawn_from
    words = [(side, getattr(seed, f"{side.colour}_word")) for side in sides]
    own = [(side, word) for side, word in words if takes_words and battle_access.plays_side(role, side)]
    return Promise(seed=seed, words=words, own=own)


def drawn_in(battle: Battle, entries: Iterable[LedgerEntry]) -> list[DrawnDice]:
    """Return all dice of a battle with its sides and Registers loaded, by side, step and roll, in two queries. Typed
    dice are those of finished steps that count (`entries_of`).
    """
    sides = [side for side in battle.sides.all() if side.register]
    states = projection.states_of([side.own_register for side in sides])
    names = {side.pk: names_of(book_of(side), states[side.own_register.pk]) for side in sides}
    by_colour = {side.colour: side for side in sides}
    by_register = {side.register_id: side for side in sides}
    answers = [item for one in (*entries, *sides) for item in one.answers]
    used = {number for item in answers for number in item.get("draws", ())}
    first = dict[str, int]()
    found = [
        _by_the_app(draw, by_colour[draw.colour], names, used, first.setdefault(draw.label, draw.number))
        for draw in battle.draws.select_related("seed", "by")
    ]
    for entry in entries:
        found += _typed(entry, by_register[entry.register_id], names)
    return sorted(found, key=lambda one: (one.side.colour, one.step, one.ordinal, one.number))


def unsealed(battle: Battle, entries: Iterable[LedgerEntry]) -> bool:
    """Return whether the app rolled any answer with a seed unknown here: older than seeds, or secret when exported."""
    sides = [side for side in battle.sides.all() if side.register]
    answers = [item for one in (*entries, *sides) for item in one.answers]
    return any(item.get("source") == APP and not item.get("draws") for item in answers)


def exported(battle: Battle, drawn: Iterable[DrawnDice]) -> dict[str, Any]:
    """Return the seeds and dice as plain values for verification (docs/trust.md); a secret seed is null."""
    drawn = list(drawn)
    return {
        "format": FORMAT,
        "battle": str(battle.pk),
        "seeds": [
            {
                "number": seed.number,
                "commitment": seed.commitment,
                "seed": seed.shown or None,
                "blue_word": seed.blue_word,
                "red_word": seed.red_word,
                "made_at": seed.made_at.isoformat(),
                "shown_at": seed.revealed_at.isoformat() if seed.revealed_at else None,
            }
            for seed in battle.dice_seeds.all()
        ],
        "draws": [
            {
                **{name: getattr(one, name) for name in ("number", "seed", "label", "die", "bag", "faces")},
                "at": one.at.isoformat() if one.at else "",
                "undone": one.undone,
            }
            for one in sorted(drawn, key=lambda one: one.number)
            if one.number
        ],
        "typed": [{"label": one.label, "die": one.die, "faces": one.faces} for one in drawn if not one.number],
    }


def entries_of(battle: Battle) -> list[LedgerEntry]:
    """Return both ledgers' entries of the battle that count, in the order of play."""
    entries = LedgerEntry.objects.filter(battle=str(battle.pk), undone_by__isnull=True)
    return list(entries.order_by("register", "place", "position"))


def _by_the_app(
    draw: Draw, side: Side, names: Mapping[int, Mapping[str, str]], used: set[int], first: int
) -> DrawnDice:
    return DrawnDice(
        side=side,
        step=draw.step,
        ordinal=draw.ordinal,
        label=draw.label,
        what=pool_words(draw.pool, names[side.pk]),
        die=draw.die,
        faces=tuple(draw.faces),
        bag=draw.bag,
        number=draw.number,
        seed=draw.seed.number,
        at=draw.at,
        by=draw.by.get_username(),
        undone=draw.number not in used,
        repeats=first if first != draw.number else 0,
    )


def _typed(entry: LedgerEntry, side: Side, names: Mapping[int, Mapping[str, str]]) -> Iterator[DrawnDice]:
    for typed in typed_rolls(entry):
        yield DrawnDice(
            side=side,
            step=entry.step or 0,
            ordinal=typed.ordinal,
            label=f"{side.colour}/{entry.step}/{typed.ordinal}/{typed.pool}",
            what=pool_words(typed.pool, names[side.pk]),
            die=typed.die,
            faces=typed.faces,
        )


def pool_words(pool: str, names: Mapping[str, str]) -> str:
    """Return the purpose of a pool, with the name of its unit."""
    kind, _, unit = pool.partition(":")
    sentence = gettext(_WHAT[kind])
    name = names.get(unit) or gettext("Unit %(key)s") % {"key": unit}
    return f"{name}: {sentence}" if unit else sentence
