"""Random legal armies, and the five formats as Legion HQ writes them.

Written from what the formats are known to hold, and not from the readers: only the catalogue's files are read here.
"""

import csv
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "catalogue"
WORDS = {"rebel": "rebels", "empire": "empire", "republic": "republic", "separatist": "separatists"}
#: These have battle forces alone.
WORDS |= {"mandalorian": "mandalorians", "mercenary": "mercenary"}
#: Not in JSON for Tabletop Simulator.
WORDLESS = ("mandalorian", "mercenary")
RANKS = ("commander", "operative", "corps", "special-forces", "support", "heavy")
LIMITS = dict(zip(RANKS, ((1, 2), (0, 2), (3, 6), (0, 3), (0, 3), (0, 2)), strict=True))
HEADINGS = dict(zip(RANKS, ("Commanders", "Operative", "Corps", "Special Forces", "Support", "Heavy"), strict=True))
FORCE_SIDES = {"rebel": "light", "republic": "light", "empire": "dark", "separatist": "dark", "mercenary": "dark"}

Row = dict[str, Any]


def table(name: str) -> list[Row]:
    """The rows of a file of the catalogue."""
    with (FIXTURES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def words(cell: str) -> list[str]:
    """The values of a cell."""
    return cell.split("|") if cell else []


class Cards:
    """The tables, without cards that have no points yet."""

    def __init__(self) -> None:
        self.units = [row for row in table("units") if int(row["points"])]
        self.upgrades = table("upgrades")
        self.counterparts = table("counterparts")
        self.commands = [row for row in table("command_cards") if row["slug"] != "standing-orders"]
        self.deck = table("battle_cards")
        self.forces = [row for row in table("battle_forces") if row["format"] == "standard"]
        self.of_forces: dict[str, dict[str, Row]] = {}
        for row in table("battle_force_cards"):
            if row["kind"] == "unit":
                self.of_forces.setdefault(row["battle_force"], {})[row["card_slug"]] = row


CARDS = Cards()


def may_take(unit: Row, upgrade: Row, faction: str) -> bool:
    """Whether the printed restrictions allow an upgrade on a unit."""
    if upgrade["faction"] and upgrade["faction"] not in (unit["faction"], faction):
        return False
    if upgrade["hireable_by"] and faction not in words(upgrade["hireable_by"]):
        return False
    keywords = {word.split(":")[0].rstrip(" 0123456789") for word in words(unit["keywords"])}

    def holds(term: str) -> bool:
        key, value = term.removeprefix("!").split(":", 1)
        printed = {
            "faction": [unit["faction"]],
            "affiliation": [unit["affiliation"]],
            "force_side": [FORCE_SIDES.get(unit["faction"], "")],
            "unit": [unit["name"]],
            "unit_title": [unit["title"]],
            "keyword": keywords,
            "has_slot": words(unit["upgrade_slots"]),
        }.get(key, [unit.get(key, "")])
        return (value in printed) is not term.startswith("!")

    return not upgrade["restrictions"] or any(
        all(map(holds, group.split("|"))) for group in upgrade["restrictions"].split(";")
    )


def army(random: Random) -> Row:
    """A legal army of 1000 points: Faction, battle force or none, units with upgrades, hand and deck."""
    faction = random.choice([*WORDS][:4] * 2 + [*WORDLESS])
    own = [row for row in CARDS.forces if row["faction"] == faction and row["slug"] in CARDS.of_forces]
    force = random.choice([*own, *([] if faction in WORDLESS else [None] * 2 * len(own))])
    units: list[Row] = []
    used: Counter[str] = Counter()
    names: set[str] = set()
    points = 0
    limits = LIMITS
    if force:
        limits = {rank: (int(force[f"{rank}_min"]), int(force[f"{rank}_max"])) for rank in RANKS}
    wanted = {rank: random.randint(low, high) for rank, (low, high) in limits.items()}
    wanted = {rank: limits[rank][0] for rank in RANKS} if random.random() < 0.1 else wanted
    for rank in RANKS:
        pool = _pool(faction, force, rank)
        left = wanted[rank]
        while left:
            free = [row for row in pool if not (row["unique"] == "true" and row["name"] in names)]
            if not free:
                break
            row = random.choice(free)
            unit = outfit(random, row, faction, used, names)
            several = row["unique"] != "true" and not unit["unique"]
            count = min(left, random.choice([1, 1, 2, 3])) if several else 1
            left -= count
            if points + unit["points"] * count > 1000 and len(units) > 3:
                continue
            points += unit["points"] * count
            used.update(row["slug"] for row in unit["upgrades"])
            names |= {row["name"]} if row["unique"] == "true" else set()
            names |= {row["name"] for row in unit["upgrades"] if row["unique"] == "true"}
            units += [unit] * count
    hand = [row for pips in "123" for row in random.sample(_hand(faction, pips), 2)]
    kind = random.choice(["recon", "standard"])
    deck = [
        row
        for type_ in ("objective", "secondary", "advantage")
        for row in random.sample([row for row in CARDS.deck if (row["type"], row["format"]) == (type_, kind)], 3)
    ]
    size = 600 if kind == "recon" else 1000
    return {
        "faction": faction,
        "force": force,
        "units": units,
        "hand": hand,
        "deck": deck,
        "points": points,
        "size": size,
        "kind": kind,
    }


def _pool(faction: str, force: Row | None, rank: str) -> list[Row]:
    """The units of a rank: of a battle force, else of the Faction and those it hires."""
    if force:
        cards = CARDS.of_forces[force["slug"]]
        return [row for row in CARDS.units if row["slug"] in cards and cards[row["slug"]]["rank"] == rank]
    return [
        row
        for row in CARDS.units
        if row["rank"] == rank
        and (row["faction"] == faction or faction in words(row["hireable_by"]))
        and "Special Issue" not in row["keywords"]
    ]


def _hand(faction: str, pips: str) -> list[Row]:
    return [row for row in CARDS.commands if row["pips"] == pips and row["faction"] in ("", faction)]


def outfit(random: Random, row: Row, faction: str, used: Counter[str], names: set[str]) -> Row:
    """A unit with upgrades in some of its slots, and its counterpart perhaps."""
    upgrades: list[Row] = []
    slots = words(row["upgrade_slots"])
    while slots:
        slot = slots.pop(0)
        pool = [
            each
            for each in CARDS.upgrades
            if each["type"] == slot
            and each not in upgrades
            and not (each["unique"] == "true" and (each["name"] in names or used[each["slug"]]))
            and not (each["army_limit"] and used[each["slug"]] >= int(each["army_limit"]))
            and not each["changes_affiliation_to"]
            and may_take(row, each, faction)
        ]
        if pool and random.random() < 0.6:
            upgrades.append(random.choice(pool))
            slots += words(upgrades[-1]["grants_slots"])
    coming = [each for each in CARDS.counterparts if row["slug"] in words(each["parent_unit_slugs"])]
    coming = [each for each in coming if each["faction"] in (faction, "mercenary")]
    counterpart = random.choice([None, *coming]) if coming else None
    cards = [row, *upgrades, *([counterpart] if counterpart else [])]
    return {
        "card": row,
        "upgrades": upgrades,
        "counterpart": counterpart,
        "points": sum(int(each["points"]) for each in cards),
        "own": int(row["points"]) + sum(int(each["points"]) for each in upgrades),
        "unique": any(each["unique"] == "true" or each["army_limit"] for each in upgrades),
    }


def shown(row: Row) -> str:
    """The name that texts show."""
    if row["slug"].startswith(("kraken-", "kalani-")):
        return f"{row['title']} - {row['name']}"
    return str(row["short_name"] or row["name"])


def _grouped(units: list[Row]) -> list[tuple[int, Row]]:
    found: list[tuple[int, Row]] = []
    for unit in units:
        if found and found[-1][1] is unit:
            found[-1] = (found[-1][0] + 1, unit)
        else:
            found.append((1, unit))
    return found


def _head(army: Row, title: str = "Random army") -> list[str]:
    number = len(army["units"])
    return [title, f"{army['points']}/{army['size']} ({number} activation{'s' if number != 1 else ''})"]


def _orders(army: Row) -> list[str]:
    return [f"{'•' * int(row['pips'])}{row['name']}" for row in army["hand"]] + ["••••Standing Orders"]


def link(army: Row) -> str:
    """The link: slots in their order, 0 for an empty one."""
    items = []
    for count, unit in _grouped(army["units"]):
        waiting, text = list(unit["upgrades"]), f"{count}{unit['card']['source_id']}"
        granted = [slot for row in unit["upgrades"] for slot in words(row["grants_slots"])]
        for slot in [*words(unit["card"]["upgrade_slots"]), *granted]:
            row = next((row for row in waiting if row["type"] == slot), None)
            text += row["source_id"] if row else "0"
            waiting = [each for each in waiting if each is not row]
        if unit["counterpart"]:
            text += f"+1{unit['counterpart']['source_id']}0"
        items.append(text)
    items += [row["source_id"] for row in [*army["hand"], *army["deck"]]]
    force = f"{army['force']['link_id']}:" if army["force"] else ""
    return f"https://legionhq2.com/list/{WORDS[army['faction']]}/{army['size']}:{force}{','.join(items)}"


def tournament(army: Row) -> str:
    """The tournament text."""
    lines = _head(army)
    for unit in army["units"]:
        lines.append(f"{shown(unit['card'])} ({unit['own']})")
        lines += [f" - {shown(row)} ({row['points']})" for row in unit["upgrades"]]
        if unit["counterpart"]:
            lines.append(f"{shown(unit['counterpart'])} ({unit['counterpart']['points']})")
    lines += ["", "Commands:", *_orders(army), "", "Battle Deck"]
    for type_, heading in (("objective", "Objectives"), ("secondary", "Secondaries"), ("advantage", "Advantages")):
        lines += [f"{heading}:", *(f" - {row['name']}" for row in army["deck"] if row["type"] == type_)]
    return "\n".join(lines)


def standard(army: Row) -> str:
    """The standard text, by ranks."""
    lines = _head(army)
    for rank in RANKS:
        of_rank = [(count, unit) for count, unit in _grouped(army["units"]) if unit["card"]["rank"] == rank]
        lines += [f"{HEADINGS[rank]}:"] if of_rank else []
        for count, unit in of_rank:
            times = f"{count}× " if count > 1 else ""
            if unit["upgrades"]:
                priced = ", ".join(f"{shown(row)} ({row['points']})" for row in unit["upgrades"])
                name = f"{shown(unit['card'])} ({unit['card']['points']}): {priced}"
            else:
                name = shown(unit["card"]) if count == 1 else f"{shown(unit['card'])} ({unit['card']['points']})"
            lines.append(f" - {times}{name} = {unit['own'] * count}")
    coming = [unit["counterpart"] for unit in army["units"] if unit["counterpart"]]
    lines += ["Counterparts:", *(f" - {shown(row)} = {row['points']}" for row in coming)] if coming else []
    hand = [f"{'•' * int(row['pips'])} {row['name']}" for row in army["hand"]]
    lines += [f"Commands: {', '.join(hand)}, •••• Standing Orders"]
    return "\n".join(lines)


def minimal(army: Row) -> str:
    """The minimal text."""
    lines = _head(army)
    for count, unit in _grouped(army["units"]):
        times = f"{count}× " if count > 1 else ""
        names = ", ".join(map(shown, unit["upgrades"]))
        lines.append(f"{times}{shown(unit['card'])}" + (f" ({names})" if names else ""))
        lines += [shown(unit["counterpart"])] if unit["counterpart"] else []
    hand = [f"{'•' * int(row['pips'])} {row['name']}" for row in army["hand"]]
    lines += [f"Commands: {', '.join(hand)}, •••• Standing Orders"]
    return "\n".join(lines)


def tts(army: Row) -> str:
    """The JSON for Tabletop Simulator, with the old keys of battle cards."""

    def unit_name(row: Row) -> str:
        return row["tts_name"] or f"{row['name']} {row['title']}".strip()

    def upgrade_name(row: Row) -> str:
        return row["tts_name"] or (f"{row['name']}, {row['title']}" if row["title"] else row["name"])

    keys = {"objective": "deployment", "secondary": "objective", "advantage": "conditions"}
    return json.dumps({
        "author": "Legion HQ", "listname": "Random army", "points": army["points"],
        "numActivations": len(army["units"]),
        "armyFaction": "" if army["faction"] in WORDLESS else army["faction"],
        **({"battleForce": army["force"]["name"]} if army["force"] else {}),
        "commandCards": [*(row["name"] for row in army["hand"]), "Standing Orders"], "contingencies": [],
        "units": [
            {
                "name": unit_name(unit["card"]),
                "upgrades": [
                    *map(upgrade_name, unit["upgrades"]),
                    *([unit_name(unit["counterpart"])] if unit["counterpart"] else []),
                ],
                "loadout": [],
            }
            for unit in army["units"]
        ],
        "battlefieldDeck": {
            "scenario": army["kind"],
            **{key: [row["name"] for row in army["deck"] if row["type"] == type_] for type_, key in keys.items()},
        },
    })  # fmt: skip


WRITERS = {"link": link, "tts": tts, "tournament": tournament, "standard": standard, "minimal": minimal}
