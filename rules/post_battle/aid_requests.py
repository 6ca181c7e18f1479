"""Step 7, Make Aid Requests (R41 to R46); building a Register uses these requests too (R10)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.battle.report import Report
from rules.core.card_types import AidRequest
from rules.core.dice import RED_DEFENSE
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.core.values import Value
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse, retired
from rules.post_battle.dialogue import ChooseSeveral, Context, Dialogue, Pool, Question, roll
from rules.post_battle.rewards import choose_setback
from rules.register import effects as e
from rules.register.building import PARAGON_STAYS, upgrade_violations
from rules.register.labels import unit_label
from rules.register.upgrade_slots import spoken
from rules.register.veterans import HIGHEST, MAXIMUM_IS_HIGHEST, maximum_veteran_rank

CHOOSE_AID = Fault("R41", gettext_noop("Choose an Aid Request."))

ACTIVE_RECRUITING = "active-recruiting"
MEDICAL_SUPPLIES = "request-medical-supplies"
STRATEGIC_ASSET = "request-strategic-asset"
REINFORCEMENTS = "request-reinforcements"
SPECIAL_TRAINING = "special-training"
PROVISIONS = "supplies-and-provisions"
REASSIGN = "reassign-unit"

COMBAT_POTENTIAL_RECRUITED = 150
REINFORCEMENT_TYPES = ("heavy-weapon", "personnel")


class RequestedAid(Value):
    """One Aid Request as a player makes it; the fields it does not need stay empty."""

    request: str
    unit: str = ""
    upgrade: str = ""
    asset: str = ""
    setback: str = ""


class RequestAid(Question):
    """The next Aid Request. Answer: the fields of a RequestedAid as a mapping, or None when the player is done."""

    supply_points: int

    def check(self, answer: Any) -> RequestedAid | None:
        """Return the request, or None. Refuses answers of another shape."""
        if answer is None:
            return None
        words = {"request", "unit", "upgrade", "asset", "setback"}
        if not isinstance(answer, Mapping) or not answer.get("request") or not set(answer) <= words:
            raise RuleViolation([CHOOSE_AID()])
        if any(not isinstance(value, str) for value in answer.values()):
            raise refuse("R41", gettext("Choose an Aid Request and what it is for."))
        return RequestedAid(**answer)

    @property
    def forced(self) -> tuple[Any] | None:
        """The answer None, which ends the step, for a Register without SP."""
        return (None,) if self.supply_points == 0 else None


def make_aid_requests(context: Context, report: Report) -> Dialogue[None]:
    """Resolve Selfless Warden first, then as many requests as the player likes (R41)."""
    yield from _selfless_warden(context)
    while wish := (yield ask(context)):
        yield from aid_request(context, wish)
    if not context.state.requests:
        yield e.Noted(rule="R41", why=gettext_noop("no Aid Request"))


def ask(context: Context) -> RequestAid:
    """Return the question for the next Aid Request."""
    points = context.state.supply_points
    return RequestAid(
        rule="R41",
        text=gettext("{points} SP left. Make an Aid Request, or continue.", points=points),
        supply_points=points,
    )


def _selfless_warden(context: Context) -> Dialogue[None]:
    """Roll the dice of the Trait that the Paragon had when the battle began, which may cost SP, if able (R41, R37).

    By house rules it is the Trait the Paragon has now (`selfless_warden`).
    """
    slug = context.state.in_field.trait if context.state.in_field else ""
    if context.book.house.selfless_warden == "at_once":
        slug = context.state.trait.slug if context.state.trait else ""
    trait = context.book.defining_traits.get(slug)
    if not trait or not trait.aid_dice:
        return
    loses = gettext(" or ").join(spoken(face) for face in trait.aid_faces_lost)
    note = gettext("{trait}: −1 SP for each {faces}", trait=trait.name, faces=loses)
    faces = yield from roll(
        Pool("warden", trait.aid_die, trait.aid_dice, note),
        rule="R41",
        text=gettext("{trait}: roll {aid_dice}", trait=trait.name, aid_dice=trait.aid_dice),
        why=trait.name,
    )
    lost = min(sum(face in trait.aid_faces_lost for face in faces), context.state.supply_points)
    if lost:
        yield e.SupplyPointsSpent(amount=lost, rule="R41", why=trait.name)


def aid_request(context: Context, wish: RequestedAid) -> Dialogue[None]:
    """Pay for one Aid Request and resolve it. Refuses it with every rule it breaks (R41 to R46)."""
    if (request := context.book.aid_requests.get(wish.request)) is None:
        raise refuse("R41", gettext("This Aid Request does not exist. Choose another one."), "request")
    violations = list(_PROBLEMS[request.slug](context, wish))
    if request.retired:
        violations.append(retired("R41", request.name, "request"))
    cost = _cost(context, request, wish)
    if not request.repeatable and context.state.requests.get(request.slug):
        text = gettext("{request} can be made only once per sequence.", request=request.name)
        violations.append(Violation("R41", text, "request"))
    if cost > context.state.supply_points:
        text = gettext(
            "This costs {cost} SP, but only {supply_points} are left.",
            cost=cost,
            supply_points=context.state.supply_points,
        )
        violations.append(Violation("R41", text, "request"))
    raise_if_any(violations)
    asset = wish.asset if request.slug == STRATEGIC_ASSET else ""
    yield e.AidRequested(request=request.slug, asset=asset, rule="R41")
    yield e.SupplyPointsSpent(amount=cost, rule="R41", why=request.name)
    yield from _RESOLVE[request.slug](context, wish)


def _cost(context: Context, request: AidRequest, wish: RequestedAid) -> int:
    if request.cost is not None:
        return request.cost
    if request.slug == STRATEGIC_ASSET:
        asset = context.book.assets.get(wish.asset)
        return asset.cost if asset else 0
    dossier = context.state.dossiers.get(wish.unit)
    return max(1, dossier.veteran_rank if dossier else 0)


def _unit_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    if wish.unit not in context.state.dossiers:
        yield Violation("R41", gettext("Choose a unit of the Register."), "unit")


def _medical_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _unit_violations(context, wish)
    if dossier := context.state.dossiers.get(wish.unit):
        if not dossier.setbacks:
            yield Violation("R42", gettext("This unit has no Setback."), "unit")
        elif wish.setback and wish.setback not in dossier.setbacks:
            yield Violation("R42", gettext("This unit does not have that Setback."), "setback")


def _asset_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    if (asset := context.book.assets.get(wish.asset)) is None:
        yield Violation("R43", gettext("Choose a Strategic Asset."), "asset")
        return
    if asset.retired:
        yield retired("R43", asset.name, "asset")
    most = context.book.held_at_most(asset)
    if context.state.assets.count(asset.slug) >= most:
        text = gettext("The Register cannot hold {asset} more than {most}.", asset=asset.name, most=_times(most))
        yield Violation("R43", text, "asset")
    if context.state.requests.get(asset.slug, 0) >= asset.per_sequence:
        often = _times(asset.per_sequence)
        text = gettext("{asset} can be requested only {often} per sequence.", asset=asset.name, often=often)
        yield Violation("R43", text, "asset")


def too_many_held(book: Rulebook, slug: str, about: str) -> Violation:
    """Return the violation for more of an asset than a Register may hold (R43)."""
    asset = book.assets[slug]
    text = ngettext(
        "A Register can hold {asset} at most {number} time.",
        "A Register can hold {asset} at most {number} times.",
        book.held_at_most(asset),
        asset=asset.name,
    )
    return Violation("R43", text, about)


def _times(number: int) -> str:
    return gettext("once") if number == 1 else gettext("twice")


def _training_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _unit_violations(context, wish)
    if dossier := context.state.dossiers.get(wish.unit):
        maximum = maximum_veteran_rank(context.book, dossier)
        if maximum >= HIGHEST:
            yield MAXIMUM_IS_HIGHEST("unit", highest=HIGHEST)
        elif dossier.veteran_rank < maximum:
            text = gettext(
                "This unit is at VR {veteran_rank}. It must reach its maximum, VR {maximum}, first.",
                veteran_rank=dossier.veteran_rank,
                maximum=maximum,
            )
            yield Violation("R44", text, "unit")


def _reinforcement_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _upgrade_wish_violations(context, wish)
    dossier = context.state.dossiers.get(wish.unit)
    if dossier and not set(REINFORCEMENT_TYPES) & set(context.book.units[dossier.card].upgrade_slots):
        yield Violation("R45", gettext("This unit’s card has no heavy weapon or personnel slot."), "unit")
    card = context.book.upgrades.get(wish.upgrade)
    if card and card.type not in REINFORCEMENT_TYPES:
        yield Violation("R45", gettext("Choose a heavy weapon or personnel upgrade."), "upgrade")


def _provision_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _upgrade_wish_violations(context, wish)
    card = context.book.upgrades.get(wish.upgrade)
    if card and card.type in REINFORCEMENT_TYPES:
        yield Violation(
            "R41",
            gettext("This request cannot add a heavy weapon or personnel upgrade. Choose another type."),
            "upgrade",
        )


def _upgrade_wish_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _unit_violations(context, wish)
    if (card := context.book.upgrades.get(wish.upgrade)) is None:
        yield Violation("R8", gettext("Choose an upgrade card."), "upgrade")
    elif dossier := context.state.dossiers.get(wish.unit):
        yield from upgrade_violations(context.book, context.state, dossier, card)


def _reassign_violations(context: Context, wish: RequestedAid) -> Iterator[Violation]:
    yield from _unit_violations(context, wish)
    if wish.unit and wish.unit == context.state.paragon:
        yield Violation("R46", gettext("The Paragon cannot be reassigned."), "unit")
        yield PARAGON_STAYS("unit")


def _heal(context: Context, wish: RequestedAid) -> Dialogue[None]:
    """Remove one Setback, then roll a red defense die for each one left: each block removes one more (R42)."""
    first = wish.setback or (yield from choose_setback(context, wish.unit, rule="R42"))
    yield e.SetbackRemoved(unit=wish.unit, setback=first, rule="R42", why=gettext_noop("medical supplies"))
    if not (left := Counter(context.state.dossiers[wish.unit].setbacks)):
        return
    who = unit_label(context.book, context.state, wish.unit)
    faces = yield from roll(
        Pool("aid", RED_DEFENSE, left.total(), who, gettext("each block removes a Setback")),
        rule="R42",
        text=gettext("Medical supplies: roll {left}", left=left.total()),
        why=gettext_noop("medical supplies"),
        unit=wish.unit,
    )
    if not (blocks := faces.count("block")):
        return
    gone: tuple[str, ...] = yield ChooseSeveral(
        rule="R42",
        text=ngettext(
            "{who}: choose {number} Setback to remove.", "{who}: choose {number} Setbacks to remove.", blocks, who=who
        ),
        about=wish.unit,
        kind="setbacks",
        bag=dict(left),
        labels={slug: context.book.setbacks[slug].name for slug in left},
        count=blocks,
    )
    for slug in gone:
        yield e.SetbackRemoved(unit=wish.unit, setback=slug, rule="R42", why=gettext_noop("a block"))


_PROBLEMS: Mapping[str, Callable[[Context, RequestedAid], Iterator[Violation]]] = {
    ACTIVE_RECRUITING: lambda context, wish: iter(()),
    MEDICAL_SUPPLIES: _medical_violations,
    STRATEGIC_ASSET: _asset_violations,
    REINFORCEMENTS: _reinforcement_violations,
    SPECIAL_TRAINING: _training_violations,
    PROVISIONS: _provision_violations,
    REASSIGN: _reassign_violations,
}
_RESOLVE: Mapping[str, Callable[[Context, RequestedAid], Dialogue[None] | list[e.Effect]]] = {
    ACTIVE_RECRUITING: lambda context, wish: [
        e.CombatPotentialRaised(amount=COMBAT_POTENTIAL_RECRUITED, rule="R41", why=gettext_noop("Active Recruiting"))
    ],
    MEDICAL_SUPPLIES: _heal,
    STRATEGIC_ASSET: lambda context, wish: [e.AssetGained(asset=wish.asset, rule="R43")],
    REINFORCEMENTS: lambda context, wish: [
        e.UpgradeAdded(unit=wish.unit, upgrade=wish.upgrade, rule="R45", why=gettext_noop("reinforcements"))
    ],
    SPECIAL_TRAINING: lambda context, wish: [e.MaximumVeteranRankRaised(unit=wish.unit, rule="R44")],
    PROVISIONS: lambda context, wish: [
        e.UpgradeAdded(unit=wish.unit, upgrade=wish.upgrade, rule="R41", why=gettext_noop("provisions"))
    ],
    REASSIGN: lambda context, wish: [e.UnitReassigned(unit=wish.unit, rule="R46")],
}
