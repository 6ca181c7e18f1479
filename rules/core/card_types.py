"""The printed values of cards, as immutable values. Points are army points; costs of Aid Requests are SP."""

from collections.abc import Mapping

from rules.core.reward_effects import Clause, Condition, EndOfGame
from rules.core.values import Value

#: Ranks in the order of the printed rank table.
RANKS = ("commander", "operative", "corps", "special-forces", "support", "heavy")

#: The four Factions of the game and the Mandalorians; "mercenary" means no Faction (R3).
MERCENARY = "mercenary"
FACTIONS = ("rebel", "empire", "republic", "separatist", "mandalorian")

UPGRADE_TYPES = (
    "heavy-weapon", "personnel", "force", "command", "hardpoint", "gear", "grenades", "programming", "comms",
    "pilot", "training", "generator", "armament", "crew", "ordnance", "squad-leader", "doctrine", "clan",
)  # fmt: skip

#: A unique upgrade of these types never enters a Register (R5).
BANNED_UNIQUE_TYPES = frozenset({"squad-leader", "personnel", "heavy-weapon", "crew", "pilot", "armament"})

#: Light or dark side by Faction, for restrictions; mercenaries count as dark.
FORCE_SIDE = {
    "rebel": "light", "republic": "light", "empire": "dark", "separatist": "dark", MERCENARY: "dark",
}  # fmt: skip


class Unit(Value):
    """A unit card. `wounds` is the wound threshold of each of its `minis`, None if the card prints none.

    `release` is the day as in 2026-08-14, the expected time in words, or empty for a card that was always there.
    `short_name` and `tts_name` are the names that Legion HQ and Tabletop Simulator use, if they differ.
    """

    slug: str
    name: str
    title: str
    faction: str
    rank: str
    unit_class: str
    unit_type: str
    unique: bool
    unique_by_title: bool
    points: int
    upgrade_slots: tuple[str, ...]
    keywords: tuple[str, ...]
    affiliation: str = ""
    hireable_by: tuple[str, ...] = ()
    defense_die: str = ""
    release: str = ""
    retired: bool = False
    short_name: str = ""
    tts_name: str = ""
    wounds: int | None = None
    minis: int = 0
    courage: str = ""
    resilience: str = ""
    speed: int = 0
    attack_surge: str = ""
    defense_surge: str = ""

    @property
    def points_unpublished(self) -> bool:
        """Whether the card is announced, but its points are not."""
        return bool(self.release) and self.points == 0

    @property
    def full_name(self) -> str:
        """The name with its title, as a player would say it."""
        return f"{self.name}, {self.title}" if self.title else self.name

    @property
    def keyword_names(self) -> frozenset[str]:
        """Keyword names without their number or what follows a colon ("Speeder 1" is "Speeder")."""
        return frozenset(keyword_name(keyword) for keyword in self.keywords)


class Term(Value):
    """One word of a restriction: the printed column `key` must (or, negated, must not) hold `value`."""

    key: str
    value: str
    negated: bool = False


#: Alternatives of conjunctions; empty: any unit with the slot.
Restriction = tuple[tuple[Term, ...], ...]


class Upgrade(Value):
    """An upgrade card."""

    slug: str
    name: str
    title: str
    type: str
    points: int
    unique: bool
    army_limit: int | None
    restrictions: Restriction = ()
    faction: str = ""
    hireable_by: tuple[str, ...] = ()
    grants_slots: tuple[str, ...] = ()
    changes_affiliation_to: str = ""
    keywords: tuple[str, ...] = ()
    release: str = ""
    retired: bool = False
    short_name: str = ""
    tts_name: str = ""

    @property
    def points_unpublished(self) -> bool:
        """Whether the card is announced, but its points are not."""
        return bool(self.release) and self.points == 0

    @property
    def full_name(self) -> str:
        """The name with its title."""
        return f"{self.name}, {self.title}" if self.title else self.name


class CommandCard(Value):
    """A Command Card (R24). It needs one of the units it names in the army, or (`required_mode` "all") each of them.
    `extra_requirements` must hold for the unit too, or for any unit of the army if the card names none.
    """

    slug: str
    name: str
    pips: int
    faction: str = ""
    required_units: tuple[str, ...] = ()
    required_mode: str = ""
    extra_requirements: Restriction = ()
    battle_force: str = ""
    release: str = ""
    retired: bool = False

    @property
    def points_unpublished(self) -> bool:
        """A Command Card costs no points."""
        return False

    @property
    def full_name(self) -> str:
        """The name; a Command Card has no title."""
        return self.name


class Counterpart(Value):
    """A counterpart: the values printed on its card, and the unit cards it comes with. It has no rank of its own."""

    slug: str
    card: Unit
    parents: tuple[str, ...]


class BattleCard(Value):
    """A card of a Battle Deck: an objective, secondary or advantage of a format; an empty Faction means all."""

    slug: str
    name: str
    type: str
    format: str
    faction: str = ""
    retired: bool = False


class Requirement(Value):
    """The requirements of a Commendation; an empty field requires nothing."""

    veteran_rank: int = 0
    commendations: tuple[str, ...] = ()
    unit_class: str = ""
    rank: tuple[str, ...] = ()
    unit_type: tuple[str, ...] = ()
    unit_keyword: str = ""
    paragon: bool = False


class Commendation(Value):
    """A Commendation; `story_arc` is the only arc that offers it, or empty."""

    slug: str
    name: str
    effect: str
    high: bool = False
    requires: Requirement = Requirement()
    keywords: tuple[str, ...] = ()
    upgrade_slots: tuple[str, ...] = ()
    choose_keyword: tuple[str, ...] = ()
    story_arc: str = ""
    retired: bool = False


class Setback(Value):
    """A Setback. `second` says what a second one does: "stacks", "reroll" or "casualty" (R36)."""

    slug: str
    name: str
    effect: str
    second: str
    face: str = ""
    army_points_each: int = 0
    add_die_or_reroll_blanks: bool = False
    story_arc: str = ""


class DefiningTrait(Value):
    """A Defining Trait; the flags are its effects on a Post-Battle Sequence (R27, R40, step 4, R41)."""

    slug: str
    name: str
    effect: str
    games: int
    face: str = ""
    blocks_rival: bool = False
    blocks_agenda_rewards: bool = False
    casualty_check_without_progress: bool = False
    aid_die: str = ""
    aid_dice: int = 0
    aid_faces_lost: tuple[str, ...] = ()
    story_arc: str = ""


class AidRequest(Value):
    """An Aid Request. `cost` is SP, or None where it depends on the unit or the asset."""

    slug: str
    name: str
    effect: str
    cost: int | None
    cost_text: str
    repeatable: bool
    retired: bool = False


class StrategicAsset(Value):
    """A Strategic Asset; `cost` in SP, `per_sequence` how often it may be requested and held (R43)."""

    slug: str
    name: str
    effect: str
    cost: int
    per_sequence: int
    not_in_own_turning_point: bool = False
    kept_if_unused: bool = False
    retired: bool = False


class ParagonCommandCard(Value):
    """A Command Card that a Paragon unlocks (R16)."""

    slug: str
    name: str
    pips: int
    orders: str
    retired: bool = False


class Keyword(Value):
    """A keyword of Tours of Duty with its effect in our words."""

    name: str
    effect: str


class Marks(Value):
    """How many units an Agenda marks (None: any number), which player marks them, and among which."""

    count: int | None
    who: str
    source: str = "fielded"


class Agenda(Value):
    """An Agenda: how it progresses (R25), and the reward for progress (R26)."""

    slug: str
    name: str
    story_arc: str
    tally: str
    progress: tuple[Condition, ...]
    progressions_to_complete: int
    reward: tuple[Clause, ...]
    marks: Marks | None = None
    casualty_shield: tuple[Clause, ...] = ()
    note: str = ""


class TurningPoint(Value):
    """A Turning Point Mission (R29). `asks` maps the name of a number to the question for it."""

    slug: str
    name: str
    story_arc: str
    setup: str
    scoring: str
    secondary: str
    advantages: Mapping[str, str]
    end_of_game: tuple[EndOfGame, ...]
    victory: tuple[Clause, ...]
    defeat: tuple[Clause, ...]
    asks: Mapping[str, str]


class StoryArc(Value):
    """A Story Arc: three Agendas, a Turning Point Mission, and a Commendation, Setback and Trait of its own. `own`
    marks a custom arc, which is not printed; only campaigns that imported it may begin it. `agendas_of_before` have
    left the catalogue: no Register brings them into a battle, but past battles refer to them.
    """

    slug: str
    name: str
    intended_for: str
    briefing: str
    commendation: str
    setback: str
    defining_trait: str
    turning_point: TurningPoint
    agendas: tuple[Agenda, ...]
    agendas_of_before: tuple[Agenda, ...] = ()
    own: bool = False
    retired: bool = False


def keyword_name(keyword: str) -> str:
    """Return the keyword without its value: "Independent: Aim 1" is "Independent", "Speeder 1" is "Speeder"."""
    name = keyword.split(":")[0].strip()
    head, _, tail = name.rpartition(" ")
    return head if head and tail.isdigit() else name
