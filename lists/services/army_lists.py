"""Army lists without a Register: read a list, check it, save it, delete it (E8, E13); and what happens to a person's
lists when their account is exported, deleted or merged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.models import User
from catalogue.snapshot import card_index, rulebook
from core.db.rows import update
from lists.formats import detect
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, settle
from lists.formats.plain_army import army_of
from lists.formats.understanding import MAX_UPGRADES, MOST_GRANTING
from lists.models import MAX_NAME, MAX_SIZE, ArmyList
from rules.battle.plain_army import UNKNOWN_BATTLE_FORCE, PlainArmy, PlainUnit, plain_army_violations, points
from rules.core.card_types import FACTIONS, MERCENARY
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import Violation, raise_if_any, refuse

#: Most units of a list; no army comes near it.
MAX_UNITS = 100
#: Most command cards of a list, and most battle cards, legal or not.
MAX_CARDS = 60


class Source(Value):
    """The text that a list was read from, and its format; both are empty for a list built in the app."""

    format: str = ""
    text: str = ""


class CheckedArmy(Value):
    """An army with the current points of its cards and every violation of the core rules (E8).

    A Battle Deck of more than nine cards counts as one of the Tournament Regulations.
    """

    army: PlainArmy
    points: int
    violations: tuple[Violation, ...] = ()


class ReadList(Value):
    """A text that was read.

    `parsed` has every line. While some are `open`, the player chooses what they mean, and `checked` leaves them out.
    """

    source: Source
    parsed: Parsed
    checked: CheckedArmy

    @property
    def open(self) -> dict[int, ParsedLine]:
        """The lines that the player has to decide, by their places."""
        return {place: self.parsed.lines[place] for place in self.parsed.open}


def read_army_list(text: str, choices: Mapping[int, str] | None = None) -> ReadList:
    """Read a list in any format that the app knows: Legion HQ, Tabletop Simulator, Tabletop Admiral (E13).

    `choices` maps places of open lines to the slugs that the player chose, or to "" to leave a line out. Saves nothing.
    Refuses a text that cannot be read, a file of Registers, a list without units, and choices for another list.
    """
    parsed = detect.read(text, card_index())
    if parsed.refused:
        raise refuse("", parsed.refused, "text")
    if parsed.format is Format.REGISTER_JSON:
        raise refuse("", gettext("This file contains Registers. Import it as a Register instead."), "text")
    choices = dict(choices or {})
    if parsed.lines and parsed.lines[0].kind is LineKind.LINK and choices.get(0) in parsed.lines[0].candidates:
        text, choices = choices[0], {}
        parsed = detect.read(text, card_index())
    try:
        parsed = settle(parsed, choices)
    except ValueError:
        raise refuse("", gettext("These choices belong to another list. Choose “Read again”."), "text") from None
    army = army_of(parsed)
    if not army.units and not parsed.open:
        raise refuse("", gettext("This list has no units. Copy the whole list and paste it again."), "text")
    return ReadList(Source(str(parsed.format), text), parsed, check_army_list(army))


def check_army_list(army: PlainArmy) -> CheckedArmy:
    """Check an army against the core rules and the current catalogue (E8).

    Points are those of all cards but loadouts. Violations are sentences in the language of the user. Refuses what
    `save_army_list` refuses about an army.
    """
    book = rulebook()
    raise_if_any(_impossible(book, army))
    return _checked(book, army)


def import_army_list(*, actor: User, list_id: UUID, text: str, choices: Mapping[int, str] | None = None) -> ArmyList:
    """Read a list and save it under `list_id` (E13). Saving the same list again changes nothing.

    Refuses what `read_army_list` and `save_army_list` refuse, and a list with lines that are still open.
    """
    read = read_army_list(text, choices)
    raise_if_any(undecided(read))
    return save_army_list(actor=actor, list_id=list_id, army=read.checked.army, source=read.source)


def save_army_list(*, actor: User, list_id: UUID, army: PlainArmy, source: Source | None = None) -> ArmyList:
    """Save an army as the actor's list `list_id`, with its current points and violations (E8).

    A list may break the rules: its violations are saved with it. A form that is sent twice names the same `list_id`,
    and saving the list again changes nothing. Refuses a list of somebody else, an unknown Faction, cards that are not
    in the catalogue, a name of more than 200 characters, a size of more than 100,000 points, and more units, upgrades,
    or cards than any army has.
    """
    book = rulebook()
    raise_if_any(_impossible(book, army))
    with override("en"):
        values = _values(_checked(book, army), source or Source())
    with transaction.atomic():
        row, new = ArmyList.objects.select_for_update(of=("self",)).get_or_create(
            pk=list_id, defaults={"owner": actor, **values}
        )
        _check_owner(actor, row)
        changed = [name for name, value in values.items() if getattr(row, name) != value]
        if new or not changed:
            return row
        update(row, **{name: values[name] for name in changed}, updated_at=timezone.now())
    return row


def change_army_list(*, actor: User, list_id: UUID, version: str, army: PlainArmy) -> ArmyList:
    """Change the army of the actor's list, which has this `version` (law 6). The same change again changes nothing.

    A list that was read from a text keeps no source after that. Refuses what `save_army_list` refuses, a list that was
    changed since, and one that was deleted.
    """
    raise_if_any(_impossible(rulebook(), army))
    with transaction.atomic():
        row = ArmyList.objects.select_for_update(of=("self",)).filter(pk=list_id).first()
        if row is None:
            raise refuse("", gettext("This army list was deleted."))
        _check_owner(actor, row)
        if row.army == army:
            return row
        if row.version != version:
            raise refuse("", gettext("This list was changed a moment ago. Check it and try again."))
        return save_army_list(actor=actor, list_id=list_id, army=army)


def delete_army_list(*, actor: User, list_id: UUID) -> None:
    """Delete a list of the actor's. Deleting it again changes nothing. Refuses a list of somebody else."""
    with transaction.atomic():
        row = ArmyList.objects.select_for_update(of=("self",)).filter(pk=list_id).first()
        if row is None:
            return
        _check_owner(actor, row)
        row.delete()


def _check_owner(actor: User, row: ArmyList) -> None:
    if row.owner_id != actor.pk:
        raise refuse("", gettext("This army list belongs to another person."))


def _checked(book: Rulebook, army: PlainArmy) -> CheckedArmy:
    return CheckedArmy(army, points(book, army), tuple(plain_army_violations(book, army)))


def _values(checked: CheckedArmy, source: Source) -> dict[str, Any]:
    army = checked.army
    return {
        "name": army.title,
        "faction": army.faction,
        "battle_force": army.battle_force,
        "size": army.size,
        "points": checked.points,
        "units": [unit_data(unit) for unit in army.units],
        "command_hand": list(army.command_cards),
        "battle_deck": list(army.battle_cards),
        "violations": [asdict(violation) for violation in checked.violations],
        "source_format": source.format,
        "source_text": source.text,
    }


def unit_data(unit: PlainUnit) -> dict[str, Any]:
    """Return a unit as `ArmyList.units` keeps it."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(unit).items()}


def undecided(read: ReadList) -> Iterator[Violation]:
    """Yield why each open line of a list has to be decided, about `line-PLACE`."""
    for place, line in read.open.items():
        why = " ".join(line.violations) or gettext("Choose what this line means.")
        text = gettext("“%(read)s”: %(why)s") % {"read": line.read, "why": why} if line.read else why
        yield Violation("", text, f"line-{place}")


def _impossible(book: Rulebook, army: PlainArmy) -> Iterator[Violation]:
    """Yield the violations that prevent saving even an illegal list: it does not fit the row or is too large."""
    if army.faction not in ("", MERCENARY, *FACTIONS):
        yield Violation("", gettext("This Faction does not exist. Choose another one."), "faction")
    if army.battle_force and army.battle_force not in book.battle_forces:
        yield replace(UNKNOWN_BATTLE_FORCE("battle_force"), rule="")
    size_text = gettext("The game size must be between 0 and %(most)s points. Enter another number.")
    cards = max(len(army.command_cards), len(army.battle_cards))
    for number, most, text, about in (
        (len(army.title), MAX_NAME, gettext("The name is too long. Use at most %(most)s characters."), "name"),
        (army.size, MAX_SIZE, size_text, "size"),
        (len(army.units), MAX_UNITS, gettext("A list can have up to %(most)s units. Remove some."), "units"),
        (cards, MAX_CARDS, gettext("A list can have up to %(most)s cards of a type. Remove some."), "cards"),
    ):
        if not 0 <= number <= most:
            yield Violation("", text % {"most": most}, about)
    for card in dict.fromkeys((*army.command_cards, *army.battle_cards)):
        if card not in book.commands and card not in book.battle_cards:
            yield _no_such_card(card, card)
    for place, unit in enumerate(army.units):
        yield from _impossible_unit(book, unit, str(place))


def _impossible_unit(book: Rulebook, unit: PlainUnit, place: str) -> Iterator[Violation]:
    if unit.card not in book.units:
        yield _no_such_card(unit.card, place)
    if unit.counterpart and unit.counterpart not in book.counterparts:
        yield _no_such_card(unit.counterpart, place)
    for slugs in (unit.upgrades, unit.counterpart_upgrades, unit.loadout):
        for slug in dict.fromkeys(slugs):
            if slug not in book.upgrades:
                yield _no_such_card(slug, place)
        granting = sum(slug in book.upgrades and bool(book.upgrades[slug].grants_slots) for slug in slugs)
        if len(slugs) > MAX_UPGRADES or granting > MOST_GRANTING:
            yield Violation("", gettext("A unit has more upgrades than it can have. Remove some."), place)


def _no_such_card(slug: str, about: str) -> Violation:
    return Violation("", gettext("No card is called “%(slug)s”. Choose another one.") % {"slug": slug[:80]}, about)


#: What a person’s data export says about each army list.
EXPORTED = (
    "name", "faction", "battle_force", "size", "points", "units", "command_hand", "battle_deck", "violations",
    "source_format", "source_text", "created_at", "updated_at",
)  # fmt: skip


def army_lists_of(user: User) -> list[dict[str, Any]]:
    """Return the army lists that belong to a person, oldest first. One query."""
    return list(ArmyList.objects.filter(owner=user).order_by("created_at", "id").values(*EXPORTED))


def delete_lists_of(user: User) -> None:
    """Delete all army lists of a person whose account is being deleted."""
    ArmyList.objects.filter(owner=user).delete()


def give_lists(gone: User, into: User) -> None:
    """Give the army lists of `gone` to `into`, the account that `gone` is being merged into."""
    ArmyList.objects.filter(owner=gone).update(owner=into)
