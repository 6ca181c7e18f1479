"""Generate the story of a battle: what happened to each side, and the sentences for it."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import apnumber, ordinal
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext

from campaign.battles.models import Battle, Side
from campaign.chronicle.narrative.sayings import say
from catalogue.snapshot import rulebook
from registers import projection
from registers.ledger import session
from registers.ledger.text import names_of
from registers.models import EntryType, LedgerEntry
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue, Value
from rules.post_battle.casualties import ESCAPED, SAVED_BY_MEDEVAC, outcome
from rules.post_battle.experience import MOST_FEARED
from rules.register import effects as e
from rules.register.state import RegisterState, everyone
from rules.register.upgrade_slots import spoken

NEVER_LED = (0, 0, 0)
#: A win by this factor, and by at least this many Victory Points, is called clear.
CLEARLY, BY_AT_LEAST = 2, 4
ENDING_AN_ARC = "R48"
CASUALTY_CHECK = "R31"
#: What is said of a battle as a whole, its headline first.
OF_BATTLE = ("headline", "opening", "meeting", "lead", "result")
#: Stands for the subject of a sentence until it is known, because names of units may begin with that of their Register.
SUBJECT = "\0"
#: The first ordinals in words; later ones have a figure.
ORDINALS = (
    gettext_lazy("first"), gettext_lazy("second"), gettext_lazy("third"), gettext_lazy("fourth"), gettext_lazy("fifth"),
    gettext_lazy("sixth"), gettext_lazy("seventh"), gettext_lazy("eighth"), gettext_lazy("ninth"),
)  # fmt: skip


class SideStory(KeywordValue):
    """What one side won and lost; only a Register's side `has_sequence`. Pairs are (unit, card), (unit, Veteran Rank)
    and (Agenda, times it progressed); `rival` is the opponent's unit it named. `key` is the Register's, because names
    may repeat. `reputation` is what the end of `arc_ended` gave, `arc_begun` the next arc, and `arcs` how many arcs
    have ended, if the chronicle covers them all.

    `defeated` is how many units were, lent ones too. `escaped` are those whose Casualty Check cost nothing (R34), with
    its faces; a Medevac saved `saved` from it. `feared` is the own unit that the opponent named, `first_honors` are
    units with their first Commendation, `holding` those at an objective at the end, and `keys` has the keys of all by
    their names. `arc` is the Story Arc in play
    (`arc_slug`), `gains` the sum of each kind of effect with an amount, and `battles` the number of this battle among
    those of the Register, from 1; 0 if it is not known.
    """

    name: str
    colour: str
    key: str = ""
    faction: str = ""
    victory_points: int = 0
    conceded: bool = False
    has_sequence: bool = False
    fallen: tuple[str, ...] = ()
    setbacks: tuple[tuple[str, str], ...] = ()
    ranks: tuple[tuple[str, int], ...] = ()
    commendations: tuple[tuple[str, str], ...] = ()
    joined: tuple[str, ...] = ()
    agendas: tuple[tuple[str, int], ...] = ()
    rival: str = ""
    trait: str = ""
    arc_ended: str = ""
    reputation: int = 0
    arc_begun: str = ""
    arcs: int = 0
    defeated: int = 0
    escaped: tuple[tuple[str, tuple[str, ...]], ...] = ()
    saved: str = ""
    feared: str = ""
    first_honors: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    paragon: str = ""
    arc: str = ""
    arc_slug: str = ""
    battles: int = 0
    keys: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    gains: Mapping[type[e.Effect], int] = field(default_factory=dict, compare=False, repr=False)


class BattleStory(KeywordValue):
    """A closed battle. `turning_point` is the Turning Point Mission of the blue player, or empty (R22). `meeting` is
    the number of this battle among those of the same two, from 1 (0: not known), and `last_winner` the color of the
    side that won the one before. `lead` is the loser's last one, as the table recorded it: the round after which it
    led, and then its points and the winner's. Zeros: it never led.
    """

    key: str
    number: int
    date: datetime.date
    place: str = ""
    mission: str = ""
    size: int
    turning_point: str = ""
    winner: str = ""
    meeting: int = 0
    last_winner: str = ""
    lead: tuple[int, int, int] = NEVER_LED
    blue: SideStory
    red: SideStory

    @property
    def sides(self) -> tuple[SideStory, SideStory]:
        """Both sides, blue first."""
        return self.blue, self.red

    @property
    def is_scored(self) -> bool:
        """Whether either side scored any Victory Points."""
        return bool(self.blue.victory_points or self.red.victory_points)


def battle_stories(
    battles: Sequence[Battle], states: Mapping[UUID, RegisterState] | None = None
) -> dict[UUID, BattleStory]:
    """Return the closed ones among these battles as facts, by key: five queries at most, however many there are. Sides
    must be prefetched with their Registers. `states` are the states of those Registers, if they were read already.
    """
    closed = [battle for battle in battles if battle.status == Battle.Status.CLOSED]
    sides = [side for battle in closed for side in battle.sides.all()]
    registers = {side.register.pk: side.register for side in sides if side.register}
    if states is None:
        states = projection.states_of(list(registers.values())) if registers else {}
    books = {pk: session.rulebook_for(register) for pk, register in registers.items()}
    names = {pk: names_of(books[pk], states[pk]) for pk in registers}
    entries, begun = _entries_of(closed), _arcs_begun(registers)
    numbers, meetings, scores = _fights_of(registers)
    found = {}
    for battle in closed:
        blue, red = sorted(battle.sides.all(), key=lambda side: side.colour)
        side_stories = {}
        for side, other in ((blue, red), (red, blue)):
            known, own = None, entries[str(battle.pk), side.register_id]
            if pk := side.register_id:
                opponents = names.get(other.register_id, {})
                known = _SideNames(books[pk], names[pk], opponents, states[pk])
            effects = [effect for entry in own for effect in session.effects_of_entry(entry)]
            story = _side_story(battle, side, known, effects)
            if known and own:
                # The Story Arc that was in play when the first entry of the battle was written.
                first = own[0].place, own[0].position
                arc = next((slug for when, slug in reversed(begun[pk]) if when < first), "")
                arc_name = known.card(known.book.story_arcs, arc)
                story = replace(story, battles=numbers.get((battle.pk, pk), 0), arc_slug=arc, arc=arc_name)
            side_stories[side.colour] = story
        story = _battle_story(battle, side_stories)
        meeting, last_winner = meetings.get(battle.pk, (0, ""))
        lead = _lead_of(story, scores[battle.pk])
        found[battle.pk] = replace(story, meeting=meeting, last_winner=last_winner, lead=lead)
    return found


def _lead_of(story: BattleStory, scores: Mapping[str, Mapping[str, int]]) -> tuple[int, int, int]:
    """Return `BattleStory.lead`. A table that ends with another score than the report is not believed."""
    loser, winner = sorted(story.sides, key=lambda side: side.colour == story.winner)
    points, lead = {loser.colour: 0, winner.colour: 0}, NEVER_LED
    for number in sorted({int(each) for own in scores.values() for each in own}):
        points |= {colour: own[str(number)] for colour, own in scores.items() if str(number) in own}
        if points[loser.colour] > points[winner.colour]:
            lead = (number, points[loser.colour], points[winner.colour])
    reported = {side.colour: side.victory_points for side in story.sides}
    is_turned = story.winner and points == reported and winner.victory_points > loser.victory_points
    return lead if is_turned else NEVER_LED


def _fights_of(
    registers: Collection[UUID],
) -> tuple[dict[tuple[UUID, UUID], int], dict[UUID, tuple[int, str]], Mapping[UUID, dict[str, Mapping[str, int]]]]:
    """Return the number of each closed battle among those of each of these Registers, by (battle, Register); its number
    among those of its two sides, and which of them won the last one, by battle; and the victory points after each round
    that the table recorded, by battle and color. One query.
    """
    both: dict[UUID, dict[str, Any]] = defaultdict(dict)
    scores: dict[UUID, dict[str, Mapping[str, int]]] = defaultdict(dict)
    fought = Side.objects.filter(battle__status=Battle.Status.CLOSED, battle__sides__register__in=registers).distinct()
    rows = fought.order_by("battle__closed_at", "battle__number", "colour")
    columns = ("battle", "colour", "register", "guest_name", "tally__scores", "battle__winner")
    won: dict[Any, Any] = {}
    for battle, colour, register, guest, recorded, winner in rows.values_list(*columns) if registers else ():
        both[battle][colour] = (register, guest)
        scores[battle][colour] = recorded or {}
        won[battle] = both[battle].get(winner)
    fights, encounters = Counter[UUID | None](), Counter[frozenset[Any]]()
    numbers, meetings = {}, {}
    for battle, sides in both.items():
        encounters[pair := frozenset(sides.values())] += 1
        last_winner = next((colour for colour, who in sides.items() if who == won.get(pair)), "")
        meetings[battle], won[pair] = (encounters[pair], last_winner), won[battle]
        for register, _ in sides.values():
            fights[register] += 1
            numbers[battle, register] = fights[register]
    return numbers, meetings, scores


def _arcs_begun(registers: Collection[UUID]) -> Mapping[UUID, list[tuple[tuple[int, int], str]]]:
    """Return when each of these Registers began which Story Arcs, in the order of its ledger. One query."""
    begun = LedgerEntry.objects.filter(register__in=registers, effects__contains=[{"kind": "StoryArcBegun"}])
    found: dict[UUID, list[tuple[tuple[int, int], str]]] = defaultdict(list)
    counting = begun.filter(undone_by__isnull=True).order_by("place", "position")
    for entry in counting if registers else ():
        arcs = [effect for effect in session.effects_of_entry(entry) if isinstance(effect, e.StoryArcBegun)]
        found[entry.register_id] += [((entry.place, entry.position), effect.story_arc) for effect in arcs]
    return found


def _entries_of(battles: Iterable[Battle]) -> Mapping[tuple[str, Any], list[LedgerEntry]]:
    keys = [str(battle.pk) for battle in battles]
    entries = LedgerEntry.objects.filter(battle__in=keys, undone_by__isnull=True).exclude(act=EntryType.UNDO)
    found: dict[tuple[str, Any], list[LedgerEntry]] = defaultdict(list)
    for entry in entries.order_by("register", "place", "position"):
        found[entry.battle, entry.register_id].append(entry)
    return found


class _SideNames(Value):
    """Current names for one Register and the units of its opponent, and its state. A fallen unit that a correction took
    off the roll of the fallen is not mentioned as fallen.
    """

    book: Rulebook
    names: Mapping[str, str]
    opponents: Mapping[str, str]
    state: RegisterState

    def unit(self, key: str) -> str:
        return self.names.get(key) or f"#{key}"

    def rival(self, named: Sequence[e.RivalNamed]) -> str:
        """Return the opponent's unit that was named; a lent unit only has the name it had then."""
        return self.opponents.get(named[-1].rival) or named[-1].name if named else ""

    @staticmethod
    def card(cards: Mapping[str, Any], slug: str) -> str:
        card = cards.get(slug)
        return card.name if card else slug.replace("-", " ")


def _battle_story(battle: Battle, sides: Mapping[str, SideStory]) -> BattleStory:
    arc = rulebook().story_arcs.get(battle.turning_point_id or "")
    return BattleStory(
        key=str(battle.pk),
        number=battle.number,
        date=battle.date,
        place=battle.place,
        mission=battle.mission,
        size=battle.size,
        turning_point=arc.turning_point.name if arc else "",
        winner=battle.winner,
        blue=sides[Side.BLUE],
        red=sides[Side.RED],
    )


def _side_story(battle: Battle, side: Side, known: _SideNames | None, effects: Iterable[e.Effect]) -> SideStory:
    result: dict[str, Any] = {
        "colour": side.colour,
        "victory_points": side.victory_points,
        "conceded": bool(side.report.get("conceded")),
    }
    if known is None:
        return SideStory(name=side.guest_name, faction=side.guest_faction, **result)
    happened: dict[type[e.Effect], list[Any]] = defaultdict(list)
    for effect in effects:
        happened[type(effect)].append(effect)
    ended = sum(gain.amount for gain in happened[e.ReputationGained] if gain.rule == ENDING_AN_ARC)
    register = side.own_register
    return SideStory(
        name=register.name,
        key=str(register.pk),
        faction=register.faction,
        has_sequence=True,
        gains={kind: sum(getattr(each, "amount", 0) for each in found) for kind, found in happened.items()},
        **result,
        **_of_units(known, happened, side.report),
        agendas=_agendas(known, happened[e.AgendaProgressed]),
        rival=known.rival(happened[e.RivalNamed]),
        trait=known.card(known.book.defining_traits, _last(happened[e.TraitGained], "trait")),
        arc_ended=known.card(known.book.story_arcs, battle.turning_point_id or "") if ended else "",
        reputation=ended,
        arc_begun=known.card(known.book.story_arcs, _last(happened[e.StoryArcBegun], "story_arc")),
        arcs=_last(happened[e.SagaCompleted], "arcs") or 0,
    )


def _of_units(
    known: _SideNames, happened: Mapping[type[e.Effect], list[Any]], report: Mapping[str, Any]
) -> dict[str, Any]:
    # A unit that gained two ranks in one sequence is mentioned once, with the higher one.
    # A unit may gain a rank or a Setback as a reward and fall in step 4: then it did not come back with it.
    fallen = [fell.unit for fell in happened[e.UnitFell] if fell.unit in known.state.fallen]
    ranks = {each.unit: each.veteran_rank for each in happened[e.VeteranRankReached] if each.unit not in fallen}
    units = everyone(known.state)
    # Rerolls come after the first roll of a unit, and the last one decides (R34).
    checks = {rolled.unit: rolled.faces for rolled in happened[e.DiceRolled] if rolled.rule == CASUALTY_CHECK}
    feared = [gained.unit for gained in happened[e.ExperienceGained] if gained.why.startswith(MOST_FEARED)]
    saved = [noted.unit for noted in happened[e.Noted] if noted.why == SAVED_BY_MEDEVAC]
    return {
        "fallen": tuple(known.unit(unit) for unit in fallen),
        "setbacks": tuple(
            (known.unit(gained.unit), known.card(known.book.setbacks, gained.setback))
            for gained in happened[e.SetbackGained]
            if gained.unit not in fallen
        ),
        "ranks": tuple((known.unit(unit), rank) for unit, rank in ranks.items()),
        "commendations": tuple(
            (known.unit(award.unit), known.card(known.book.commendations, award.commendation))
            for award in happened[e.CommendationAwarded]
        ),
        "first_honors": tuple(
            known.unit(award.unit)
            for award in happened[e.CommendationAwarded]
            if award.unit in units and units[award.unit].commendations[:1] == (award.commendation,)
        ),
        "joined": tuple(known.unit(added.unit) for added in happened[e.UnitAdded]),
        "defeated": len(report.get("defeated", ())),
        "escaped": tuple((known.unit(unit), faces) for unit, faces in checks.items() if outcome(faces) == ESCAPED),
        "saved": known.unit(saved[0]) if saved else "",
        "feared": known.unit(feared[0]) if feared else "",
        "holding": tuple(known.names[unit] for unit in report.get("contesting", ()) if unit in known.names),
        "paragon": known.names.get(known.state.paragon, ""),
        "keys": {name: key for key, name in known.names.items()},
    }


def _agendas(known: _SideNames, progressed: Iterable[e.AgendaProgressed]) -> tuple[tuple[str, int], ...]:
    times = Counter[str]()
    for effect in progressed:
        times[effect.agenda] += effect.amount
    return tuple((known.card(known.book.agendas, slug), amount) for slug, amount in times.items() if amount)


def _last(effects: Sequence[Any], name: str) -> Any:
    return getattr(effects[-1], name) if effects else ""


class SideNarrative(Value):
    """What happened to a side, in sentences."""

    name: str
    faction: str
    sentences: Sequence[str]


class BattleNarrative(Value):
    """A battle in sentences: a headline, how it went, and what each side won and lost."""

    headline: str
    battle: Sequence[str]
    sides: Sequence[SideNarrative]


def narrate(battle_story: BattleStory) -> BattleNarrative:
    """Return the battle in sentences, in the active language."""
    sides = [SideNarrative(side.name, side.faction, list(_of_side(battle_story, side))) for side in battle_story.sides]
    facts = _battle_facts(battle_story)
    headline, *battle = (say(fact, battle_story.key, facts) for fact in OF_BATTLE)
    return BattleNarrative(headline, list(filter(None, battle)), [side for side in sides if side.sentences])


def _battle_facts(battle_story: BattleStory) -> dict[str, Any]:
    winner = next((side for side in battle_story.sides if side.colour == battle_story.winner), None)
    loser = next((side for side in battle_story.sides if winner and side is not winner), None)
    winner_points, loser_points = (side.victory_points if side else 0 for side in (winner, loser))
    ahead = winner_points - loser_points
    return {
        "blue": battle_story.blue.name,
        "red": battle_story.red.name,
        **{name: getattr(battle_story, name) for name in ("size", "mission", "turning_point")},
        "blue_points": battle_story.blue.victory_points,
        "red_points": battle_story.red.victory_points,
        "scored": battle_story.is_scored,
        "winner": winner.name if winner else "",
        "blue_won": winner is battle_story.blue,
        "loser": loser.name if loser else "",
        "winner_points": winner_points,
        "loser_points": loser_points,
        "level": battle_story.blue.victory_points == battle_story.red.victory_points,
        "ahead": ahead > 0,
        "close": ahead == 1,
        "clear": ahead >= BY_AT_LEAST and winner_points >= CLEARLY * loser_points,
        "conceded": bool(winner and loser and loser.conceded and not winner.conceded),
        "both_conceded": battle_story.blue.conceded and battle_story.red.conceded,
        "meeting": _nth(battle_story.meeting),
        "again": battle_story.meeting > 1,
        "last": next((side.name for side in battle_story.sides if side.colour == battle_story.last_winner), ""),
        **dict(zip(("round", "loser_led", "winner_had"), battle_story.lead, strict=True)),
    }


def _of_side(battle_story: BattleStory, side: SideStory) -> Iterator[str]:
    if not side.has_sequence:
        return
    opponent = battle_story.red if side is battle_story.blue else battle_story.blue
    # The colour is for the hash: with the name, renaming a Register would pick another sentence.
    facts: dict[str, Any] = {
        "side": side.name,
        "opponent": opponent.name,
        "colour": side.colour,
        "won": battle_story.winner == side.colour,
        "conceded": side.conceded,
        "given": opponent.conceded,
        "guest": not opponent.has_sequence,
    }
    they, them = side.name, side.name
    for fact, found in _found(battle_story, side):
        if sentence := say(fact, battle_story.key, {**facts, **found, "They": SUBJECT, "them": them}):
            yield sentence.replace(SUBJECT, they)
            is_subject = fact == "campaign" or sentence.startswith(SUBJECT)
            they, them = (gettext("They"), gettext("them")) if is_subject else (side.name, side.name)


def _found(battle_story: BattleStory, side: SideStory) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "campaign", {"nth": _nth(side.battles), "arc": side.arc, side.arc_slug: True}
    beaten = str(apnumber(side.defeated))
    yield "fallen", {**_counted(side.fallen), "d": side.defeated, "defeated": beaten, "Defeated": capfirst(beaten)}
    yield "escaped", _escapes(side.escaped)
    yield "saved", {"saved": side.saved}
    yield "setbacks", _pairs(side.setbacks, gettext("%(what)s for %(unit)s"))
    ranks = [(unit, gettext("Veteran Rank %(rank)d") % {"rank": rank}) for unit, rank in side.ranks]
    yield "ranks", _pairs(ranks, pgettext("a unit and its new rank", "%(unit)s to %(what)s"))
    honors = {**_pairs(side.commendations, gettext("%(what)s for %(unit)s")), "first": bool(side.first_honors)}
    yield "commendations", honors
    first = () if honors["one"] else side.first_honors
    yield "first honors", {**_counted(first), "all": first[1:] and {*first} == {unit for unit, _ in side.commendations}}
    yield "joined", _counted(side.joined)
    yield "rival", {"rival": side.rival}
    yield "feared", {"feared": side.feared}
    yield "trait", {"trait": side.trait, "paragon": side.paragon}
    for agenda, times in side.agendas:
        yield "agenda", {"agenda": agenda, "n": times, "times": _often(times)}
    yield "arc ended", {"arc": side.arc_ended, "n": side.reputation}
    yield "saga", {"n": side.arcs}
    yield "arc begun", {"arc": side.arc_begun, "another": side.arc_ended, "same": side.arc_ended == side.arc_begun}


def _escapes(escaped: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, Any]:
    rolled = [(unit, dice_in_words(faces)) for unit, faces in escaped]
    dice = len(escaped[0][1]) if escaped else 0
    one, each = pgettext("a unit and its dice", "%(unit)s on %(what)s"), gettext("%(unit)s, each on %(what)s")
    return {**_pairs(rolled, one, each), "dice": dice, "Dice": capfirst(str(apnumber(dice)))}


def dice_in_words(faces: Sequence[str]) -> str:
    """Return the faces of dice that let a unit escape (R34): "a blank", "two blanks and a critical"."""
    many = {face: {"number": apnumber(faces.count(face))} for face in faces}
    ways = {
        "blank": ngettext("a blank", "%(number)s blanks", faces.count("blank")),
        "critical": ngettext("a critical", "%(number)s criticals", faces.count("critical")),
    }
    return listed([ways.get(face, spoken(face)) % number for face, number in many.items()])


def _pairs(pairs: Sequence[tuple[str, str]], words: str, several: str = "") -> dict[str, Any]:
    """Return pairs of a unit and something in a row; `several` are the words for more than one unit with the same."""
    units = defaultdict[str, list[str]](list)
    for unit, what in pairs:
        units[what].append(unit)
    ways = [((several or words) if own[1:] else words, own, what) for what, own in units.items()]
    found = [way % {"unit": listed(own), "what": what} for way, own, what in ways]
    row = "; ".join(found) if several or len(found) < len(pairs) else listed(found)
    first = pairs[0] if pairs else ("", "")
    return {**_counted([unit for unit, _ in pairs]), "pairs": row, "unit": first[0], "what": first[1]}


def _often(times: int) -> str:
    return gettext("twice") if times == 2 else gettext("%(number)s times") % {"number": apnumber(times)}


def _counted(names: Sequence[str]) -> dict[str, Any]:
    """Return names in a row as `units`, and how many there are as `n`, and in words as `number` and `Number`."""
    n, number = len(names), str(apnumber(len(names)))
    return {"units": listed(names), "n": n, "one": n == 1, "number": number, "Number": capfirst(number)}


def _nth(number: int) -> str:
    """Return an ordinal in words if it is small ("third", "12th"); empty for 0."""
    return str(ORDINALS[number - 1]) if 0 < number <= len(ORDINALS) else ordinal(number) if number else ""


def listed(names: Sequence[str]) -> str:
    """Join several names, each once: "a, b (twice) and c"."""
    once = [name if times == 1 else f"{name} ({_often(times)})" for name, times in Counter(names).items()]
    return str(get_text_list(once, pgettext("before the last of several names", "and")))
