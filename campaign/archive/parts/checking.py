"""Check that a campaign file is consistent, before any of it is imported."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any, get_args, get_type_hints
from uuid import UUID

from django.utils.translation import gettext as _

from campaign.archive.parts import dice
from campaign.archive.parts.arrival import Shipped, shipped
from campaign.archive.parts.chronicle import named_in
from campaign.archive.parts.reading import MOST_REPORTED
from campaign.models import ActivityKind
from catalogue.models import MODELS
from catalogue.snapshot import rulebook
from core.moments import day_of, moment_of
from registers.ledger.hash_chain import digest_of
from registers.ledger.session import replay_entries
from registers.models import EntryType, LedgerEntry
from rules.arcs.custom_arcs import arc_violations, book_with, named
from rules.catalogue.loader import read_arc
from rules.core.campaign_rules import from_data as campaign_rules_from_data
from rules.core.translation import is_ours
from rules.core.violations import Violation
from rules.register.effects import KINDS, from_data

Data = Mapping[str, Any]

#: Fields of effects that name a card, and the kind of the card.
CARDS = {
    "card": "unit", "upgrade": "upgrade", "commendation": "commendation", "setback": "setback",
    "story_arc": "story_arc", "agenda": "agenda", "asset": "asset", "command_card": "paragon_command_card",
    "trait": "defining_trait",
}  # fmt: skip
WRONG = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def violations(data: Data, here: Shipped | None = None) -> list[Violation]:
    """Return the first few violations of a file: unknown names, inconsistent ledgers, cards missing on this site.
    `here` is the result of `shipped`, if it was computed already.
    """
    found = list(islice(_references(data), MOST_REPORTED))
    found = found or list(islice((each for register in data["registers"] for each in _ledger(register)), MOST_REPORTED))
    return found or list(islice(_cards(data, here), MOST_REPORTED))


def _references(data: Data) -> Iterator[Violation]:
    for part in ("story_arcs", "registers", "battles", "stories", "pictures", "people", "teams", "systems", "phases"):
        keys = [each["id"] for each in data.get(part, ())]
        if len(keys) != len(set(keys)):
            yield Violation("", _("Two items in %(part)s have the same id.") % {"part": part})
    people = {each["id"] for each in data["people"]}
    if strange := set(_named(data)) - people:
        yield Violation("", _("Person %(number)s is missing from people.") % {"number": min(strange)})
    for kind, named_ids in (
        ("registers", (side["register"] for battle in data["battles"] for side in battle["sides"])),
        ("battles", (each["battle"] for each in (*data["events"], *data["stories"]))),
        ("pictures", _pictures(data)),
        *_on_the_map(data),
        *_on_the_schedule(data),
    ):
        if strange := {key for key in named_ids if key} - {each["id"] for each in data.get(kind, ())}:
            sentence = _("%(id)s is missing from %(part)s.")
            yield Violation("", sentence % {"id": min(strange), "part": kind})
    yield from _plain_faults(data)
    yield from _team_faults(data)
    yield from _phase_faults(data)


Named = tuple[str, Iterable[str | None]]


def _on_the_map(data: Data) -> Iterator[Named]:
    """Yield the ids that systems name, by the part in which they must be."""
    systems = data.get("systems", ())
    changes = [change for system in systems for change in system["changes"]]
    awards = (award for system in systems for bonus in system["bonuses"] for award in bonus["awards"])
    yield "systems", (lane for system in systems for lane in system["lanes"])
    yield "teams", (change["team"] for change in changes)
    yield "battles", (change["battle"] for change in changes)
    yield "battles", (each["battle"] for system in systems for each in system["battles"])
    yield "registers", (award["register"] for award in awards)


def _on_the_schedule(data: Data) -> Iterator[Named]:
    """Yield the ids that rounds name, by the part in which they must be."""
    rounds = data.get("rounds", ())
    pairings = [pairing for each in rounds for pairing in each["pairings"]]
    yield "phases", (each["phase"] for each in rounds)
    yield "battles", (pairing["battle"] for pairing in pairings)
    yield "registers", (pairing[colour] for pairing in pairings for colour in ("blue", "red"))


def _team_faults(data: Data) -> Iterator[Violation]:
    """Yield what teams cannot be: of Registers that are elsewhere, or in two teams."""
    serving = {register["id"] for register in data["registers"] if register["serves"]}
    members = [key for team in data.get("teams", ()) for key in team["registers"]]
    if strange := set(members) - serving:
        yield Violation("", _("Register %(id)s is in a team but not in the campaign.") % {"id": min(strange)})
    if len(members) != len(set(members)):
        yield Violation("", _("A Register is in two teams."))


def _phase_faults(data: Data) -> Iterator[Violation]:
    """Yield what phases cannot be: over before they start, or two on one day."""
    days = sorted((phase["first_day"], phase["last_day"]) for phase in data.get("phases", ()))
    if any(last < first for first, last in days) or any(
        second <= last for (_first, last), (second, _last) in pairwise(days)
    ):
        yield Violation("", _("Two phases share a day, or one ends before it starts."))


def _plain_faults(data: Data) -> Iterator[Violation]:
    """Yield violations in single values that the schema cannot express."""
    if strange := {event["kind"] for event in data["events"]} - set(ActivityKind.values):
        yield Violation("", _("Unknown kind of log line: “%(kind)s”.") % {"kind": min(strange)})
    shown = [key for key in _pictures(data) if key]
    if len(shown) != len(set(shown)):
        yield Violation("", _("A picture is used in two places."))
    for whole in (data["campaign"], *data["registers"], *(each for each in data["battles"] if each["campaign_rules"])):
        try:
            campaign_rules_from_data(whole["campaign_rules"])
        except WRONG as wrong:
            yield Violation("", _("Invalid campaign rules: %(why)s") % {"why": wrong})
    for battle in data["battles"]:
        try:
            fair = dice.holds(battle["id"], battle["dice"])
        except WRONG:
            fair = False
        if not fair:
            sentence = _("Battle %(number)s: the dice do not match their seed. Somebody has changed them.")
            yield Violation("", sentence % {"number": battle["number"]})
    for value in _moments(data):
        if not value:
            yield Violation("", _("The file contains a date that is not valid, or not between 2000 and 2100."))
            return


def _moments(data: Data) -> Iterator[Any]:
    rest: list[Any] = [data]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            for name, each in value.items():
                if name.endswith("_at") and isinstance(each, str):
                    yield moment_of(each)
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
    draws = (draw for battle in data["battles"] for seed in battle["dice"] for draw in seed["draws"])
    yield from (moment_of(each["at"]) for each in (*data["events"], *draws))
    yield from (day_of(each["date"]) for each in data["battles"])
    yield from (day_of(each["due"]) for each in data.get("rounds", ()))
    for phase in data.get("phases", ()):
        yield from (day_of(phase[name]) for name in ("first_day", "last_day"))


def _named(data: Data) -> Iterator[int]:
    names = (
        "owner", "actor", "on_behalf_of", "by", "author", "sent_by", "reported_by", "acting_user", "user", "invited_by",
    )  # fmt: skip
    for event in data["events"]:
        yield from (each for name in named_in(event["kind"]) if type(each := event["facts"].get(name)) is int)
    rest: list[Any] = [data[part] for part in data if part not in ("people", "campaign")]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            yield from (value[name] for name in names if type(value.get(name)) is int)
            rest.extend(each for name, each in value.items() if name not in ("content", "draft", "effects"))
        elif isinstance(value, list):
            rest.extend(value)


def _pictures(data: Data) -> Iterator[str | None]:
    yield data["campaign"]["picture"]
    yield from (dossier["picture"] for register in data["registers"] for dossier in register["dossiers"])
    yield from (key for battle in data["battles"] for key in battle["pictures"])
    yield from (arc.get("picture") for arc in data["story_arcs"])


def entries_of(register: Data) -> list[LedgerEntry]:
    """Return the ledger of a Register in the file as unsaved entries; `undoes` is a position in that ledger."""
    entries: list[LedgerEntry] = []
    for number, each in enumerate(register["ledger"], 1):
        own = {name: value for name, value in each.items() if name not in ("undoes", "actor", "on_behalf_of")}
        entry = LedgerEntry(pk=number, register_id=UUID(register["id"]), **own)
        entry.created_at = moment_of(each["created_at"])
        entry.actor_id, entry.on_behalf_of_id = each["actor"], each["on_behalf_of"]
        entry.undoes_id = each["undoes"]
        entries.append(entry)
    return entries


def _ledger(register: Data) -> Iterator[Violation]:
    """Yield a ledger's violations with the number of the entry, the hash chain first, because it shows changes."""
    before, name, entries = "", register["id"], entries_of(register)
    for number, entry in enumerate(entries, 1):
        if fault := _entry_fault(entry, number, before, entries):
            yield Violation("", _("Register %(name)s, entry %(number)s: %(fault)s") % {
                "name": name, "number": number, "fault": fault,
            })  # fmt: skip
            return
        before = entry.digest
    if before != register["digest"]:
        yield Violation("", _("Register %(name)s: the last entries are missing.") % {"name": name})
        return
    try:
        replay_entries(entries)
    except WRONG as wrong:
        sentence = _("Register %(name)s: the ledger cannot be replayed (%(why)s).")
        yield Violation("", sentence % {"name": name, "why": repr(wrong)[:120]})


def _entry_fault(entry: LedgerEntry, number: int, before: str, entries: list[LedgerEntry]) -> str:
    undone = entries[entry.undoes_id - 1] if entry.undoes_id and entry.undoes_id < number else None
    if entry.position != number:
        return _("it is numbered %(position)s.") % {"position": entry.position}
    if entry.digest != digest_of(entry, before, entry.undoes_id):
        return _("the digest does not match. Somebody has changed this entry or an earlier one.")
    if bool(entry.undoes_id) != bool(undone) or (entry.act == EntryType.UNDO) > bool(undone):
        return _("it undoes an entry that does not exist.")
    if not (entry.place == undone.place if undone else 1 <= entry.place <= number):
        return _("it is in the wrong place.")
    return next((fault for effect in entry.effects if (fault := _effect_fault(effect))), "")


def _effect_fault(effect: Data) -> str:
    if effect["kind"] not in KINDS:
        return _("unknown kind of effect: “%(kind)s”.") % {"kind": effect["kind"]}
    try:
        if isinstance(why := effect.get("why"), list) and not is_ours(*why):
            raise TypeError("why")
        made = from_data(effect)
        kind = type(made)
        for name, wanted in get_type_hints(kind).items():
            value = getattr(made, name)
            fits = isinstance(value, str) if wanted is str else type(value) is wanted
            if wanted in (int, bool, str) and not fits:
                raise TypeError(name)
            if get_args(wanted)[:1] == (str,) and not all(isinstance(each, str) for each in value):
                raise TypeError(name)
    except WRONG as wrong:
        sentence = _("its effect %(kind)s has invalid values (%(why)s).")
        return sentence % {"kind": effect["kind"], "why": str(wrong)[:80]}
    return ""


def _cards(data: Data, here: Shipped | None) -> Iterator[Violation]:
    own: dict[str, set[str]] = {}
    here = shipped(data) if here is None else here
    for arc in data["story_arcs"]:
        yield from _arc(arc, here, own)
    wanted: dict[str, set[str]] = {}
    for kind, slug in (*_in_effects(data), *_in_armies(data)):
        wanted.setdefault(kind, set()).add(slug)
    for kind, slugs in sorted(wanted.items()):
        there = set(MODELS[kind]._default_manager.filter(slug__in=slugs).values_list("slug", flat=True))
        for slug in sorted(slugs - there - own.get(kind, set()) - {""}):
            sentence = _(
                "The card “%(slug)s” (%(kind)s) is missing from this site’s catalogue. Update the catalogue first."
            )
            yield Violation("", sentence % {"slug": slug, "kind": kind.replace("_", " ")})


def _arc(arc: Data, here: Shipped, own: dict[str, set[str]]) -> Iterator[Violation]:
    """Yield the violations of a Story Arc; `here` are the versions on this site. Adds the arc's cards to `own`."""
    numbers = [version["number"] for version in arc["versions"]]
    if numbers != list(range(1, len(numbers) + 1)) or (arc["taken_in"] or 1) > max([1, *numbers]):
        yield Violation("", _("The versions of a Story Arc must be numbered 1, 2, 3 …"))
    if not isinstance(arc["draft"].get("name"), str):
        yield Violation("", _("A Story Arc has no name."))
    yield from _own_texts(arc)
    for version in arc["versions"]:
        if arc["origin"] and (arc["id"], version["number"]) not in here:
            sentence = _("The Story Arc “%(name)s” comes with a newer Musterbook. Update this site first.")
            yield Violation("", sentence % {"name": version["content"].get("name", arc["origin"])})
        try:
            for kind, cards in read_arc(named(version["content"], version["card"])).items():
                own.setdefault(kind, set()).update(card["slug"] for card in cards)
        except WRONG as wrong:
            sentence = _("The Story Arc “%(name)s” cannot be read (%(why)s).")
            yield Violation("", sentence % {"name": version["card"], "why": str(wrong)[:120]})


def _own_texts(arc: Data) -> Iterator[Violation]:
    """Yield what makes the versions of a custom arc unplayable (section 8). A draft may be incomplete."""
    contents = [version["content"] for version in arc["versions"] if not arc["origin"]]
    try:
        book = rulebook()
        for content in contents:
            for violation in arc_violations(book, content):
                sentence = _("The Story Arc “%(name)s” is not playable (%(why)s).")
                yield Violation("", sentence % {"name": content["name"], "why": violation.text})
        book_with(book, arc["draft"])
        list(arc_violations(book, arc["draft"]))
    except WRONG as wrong:
        sentence = _("The Story Arc “%(name)s” cannot be read (%(why)s).")
        yield Violation("", sentence % {"name": arc["draft"].get("name"), "why": str(wrong)[:120]})


def _in_effects(data: Data) -> Iterator[tuple[str, str]]:
    entries = (entry for register in data["registers"] for entry in register["ledger"])
    for effect in (effect for entry in entries for effect in entry["effects"]):
        yield from ((kind, slug) for name, kind in CARDS.items() if isinstance(slug := effect.get(name), str))


def _in_armies(data: Data) -> Iterator[tuple[str, str]]:
    for battle in data["battles"]:
        yield "story_arc", battle["turning_point"] or ""
        for side in battle["sides"]:
            army = side["army"]
            yield from _all("upgrade", *army.get("fielded", {}).values())
            yield from _all("asset", army.get("assets", ()))
            yield "agenda", army.get("agenda", "")
            yield "agenda", side["report"].get("agenda", "")
            yield "battle_force", army.get("battle_force", "")
            for lent in army.get("lent", ()):
                yield "asset", lent["asset"]
                yield "unit", lent["unit"]
                yield from _all("upgrade", lent["upgrades"])


def _all(kind: str, *lists: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((kind, slug) for slugs in lists for slug in slugs)
