"""Pair a round: open a draft, change it, and create its battles."""

import datetime
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from campaign.access import campaign_role
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import versus
from campaign.battles.services.contenders import Contender
from campaign.battles.services.planning import BattlePlan, plan_battles
from campaign.models import ActivityKind, Campaign, Notification, Subject
from campaign.schedule.models import Pairing, Round
from campaign.schedule.proposal import BYE, LATER, Pair, added, assign, colored, places_of, propose, swapped, without
from campaign.schedule.queries import Field, draw_of, field_of, next_number, phase_on
from campaign.services.activity import log_activity
from campaign.services.locks import lock_organized
from campaign.services.webhooks import post
from campaign.star_map.models import System
from campaign.star_map.queries import contested_by, near_to, side_of, star_map_of
from campaign.star_map.services.star_map import fight_for_all
from core.db.rows import update
from notifications.discord import escaped
from rules.core.violations import RuleViolation, refuse

#: More Registers than that are not paired in one round; `proposal` counts on it.
MOST_ENTRANTS = 200
#: The system of each pairing of a form, by the key of Blue; None for no system.
Systems = Mapping[str, UUID | None]
NONE: Systems = MappingProxyType({})


@transaction.atomic
def open_draft(
    *,
    actor: User,
    campaign: Campaign,
    round_id: UUID,
    due: datetime.date,
    size: int,
    place: str = "",
    nearness: str = Round.Nearness.POTENTIAL,
    mates: str = Round.Mates.APART,
    stakes: str = Round.Stakes.BY_HAND,
    only_available: bool = False,
) -> Round:
    """Open the draft of the next round, with a first proposal, and return it.

    `due` is the date of its battles, `size` their points, `nearness` what is compared, `mates` whether teammates meet,
    and `stakes` the rule for the systems to fight for. With `only_available` only Registers of players who can play are
    paired. `round_id` is the new primary key, so that a form sent twice opens
    one draft; an open draft is returned unchanged. Refuses anyone but an organizer, and fewer than two Registers that
    can fight.
    """
    locked = _lock(actor, campaign)
    draft = locked.rounds.filter(state=Round.State.DRAFT).first()
    if known := draft or Round.objects.filter(pk=round_id).first():
        if known.campaign_id != locked.pk:
            raise refuse("", gettext("This round belongs to another campaign. Reload the page."))
        return known
    found = Round(
        pk=round_id, campaign=locked, number=next_number(locked), phase=phase_on(locked, due), due=due, size=size,
        place=place, nearness=nearness, mates=mates, stakes=stakes, only_available=only_available,
        seed=secrets.token_hex(16),
    )  # fmt: skip
    field = _field(actor, found)
    keys = [key for key, each in field.entries.items() if not each.why and (each.can_play or not only_available)]
    if len(keys) < 2 and only_available:
        raise refuse("", gettext("Fewer than two players said that they can play. Pair the whole campaign instead."))
    if len(keys) < 2:
        raise refuse("R17", gettext("A round needs at least two Registers that can fight. Finish building them first."))
    if len(keys) > MOST_ENTRANTS:
        text = gettext("Up to %(number)s Registers can be paired at once. Pair those who can play.")
        raise refuse("", text % {"number": MOST_ENTRANTS})
    found.save(force_insert=True)
    _write(found, _proposal(found, field, keys), field)
    return found


@transaction.atomic
def pair_again(*, actor: User, campaign: Campaign, number: int, version: int, systems: Systems = NONE) -> Round:
    """Replace the pairings of a draft by a new proposal for the same Registers. Refuses what `swap` refuses."""
    found, pairs = _lock_draft(actor, campaign, number, version, systems)
    field = _field(actor, found)
    keys = [key for pair in pairs for key in pair if key in field.entries and not field.entries[key].why]
    found.seed = secrets.token_hex(16)
    _write(found, _proposal(found, field, keys, avoid=pairs), field)
    return found


@transaction.atomic
def swap(
    *, actor: User, campaign: Campaign, number: int, version: int, one: str, other: str, systems: Systems = NONE
) -> Round:
    """Let two Registers of the campaign, by key, change places in a draft (`proposal.swapped`).

    `version` is that of the draft on the page, and `systems` are those chosen on it (`choose_systems`). Refuses anyone
    but an organizer, a round whose battles exist, a draft that has changed since, and a Register that is not in the
    campaign or cannot fight.
    """
    if one == other:
        raise refuse("", gettext("Choose two different Registers."), "players")
    return _change(actor, campaign, number, version, systems, [one, other], lambda pairs: swapped(pairs, one, other))


@transaction.atomic
def add(*, actor: User, campaign: Campaign, number: int, version: int, key: str, systems: Systems = NONE) -> Round:
    """Add a Register to a draft (`proposal.added`). Refuses what `swap` refuses."""
    return _change(actor, campaign, number, version, systems, [key], lambda pairs: added(pairs, key))


@transaction.atomic
def leave_out(
    *, actor: User, campaign: Campaign, number: int, version: int, keys: Sequence[str], systems: Systems = NONE
) -> Round:
    """Leave Registers out of a draft (`proposal.without`). Refuses what `swap` refuses."""

    def change(pairs: Sequence[Pair]) -> list[Pair]:
        for key in keys:
            pairs = without(pairs, key)
        return list(pairs)

    return _change(actor, campaign, number, version, systems, [], change)


@transaction.atomic
def remove_pairing(
    *, actor: User, campaign: Campaign, number: int, version: int, key: str, systems: Systems = NONE
) -> Round:
    """Remove the pairing that a Register is in; both are left out then. Refuses what `swap` refuses."""
    return _change(
        actor, campaign, number, version, systems, [], lambda pairs: [pair for pair in pairs if key not in pair]
    )


@transaction.atomic
def change_draft(
    *, actor: User, campaign: Campaign, number: int, version: int, due: datetime.date, size: int, place: str
) -> Round:
    """Change the date, size (points) and place of a draft. Refuses what `swap` refuses."""
    found, _pairs = _lock_draft(actor, campaign, number, version)
    update(found, due=due, size=size, place=place, phase=phase_on(found.campaign, due), version=found.version + 1)
    return found


@transaction.atomic
def choose_systems(*, actor: User, campaign: Campaign, number: int, version: int, systems: Systems) -> None:
    """Choose what the pairings of a draft, by the key of Blue, are fought for (None: no system). Unknown keys, what is
    chosen already, and a round whose battles exist change nothing. Refuses what `swap` refuses.
    """
    found = _round(_lock(actor, campaign), number)
    pairings = list(found.pairings.all()) if found.is_draft else []
    if _choose(found, pairings, systems):
        _check_version(found, version)
        Pairing.objects.bulk_update(pairings, ["system"])
        update(found, version=found.version + 1)


def _choose(found: Round, pairings: Sequence[Pairing], systems: Systems) -> bool:
    """Set the systems of these pairings of a round, as far as they are in its campaign. Return whether one changed."""
    known = set(found.campaign.systems.values_list("pk", flat=True)) if systems else set()
    before = [each.system_id for each in pairings]
    for pairing in pairings:
        chosen = systems.get(str(pairing.blue_id), pairing.system_id)
        if chosen is None or chosen in known:
            pairing.system_id = chosen
    return before != [each.system_id for each in pairings]


def _post_round(found: Round, battles: Sequence[Battle], stakes: Mapping[Battle, System]) -> None:
    """Post the whole round to the campaign's channel, instead of one message for each of its battles."""
    Notification.objects.filter(battle__in=battles, about=Subject.PLANNED).delete()
    title = gettext("%(round)s of %(campaign)s") % {"round": found, "campaign": found.campaign}
    due = gettext("Play by %(day)s.") % {"day": date_format(found.due, "DATE_FORMAT")}
    lines = [f"**{escaped(title)}**", escaped(due)]
    for battle in battles:
        stake = gettext(", for %(system)s") % {"system": stakes[battle]} if battle in stakes else ""
        lines.append(f"- {escaped(versus(battle) + stake)}")
    post(found.campaign, Subject.ROUND, lines, found.get_absolute_url(), key=found.pk)


@transaction.atomic
def delete_draft(*, actor: User, campaign: Campaign, number: int) -> None:
    """Delete a draft. Repeating it does nothing. Refuses anyone but an organizer, and a round whose battles exist."""
    locked = _lock(actor, campaign)
    found = locked.rounds.filter(number=number).first()
    if found and not found.is_draft:
        raise _created_already(found)
    if found:
        found.delete()


@transaction.atomic
def create_battles(*, actor: User, campaign: Campaign, number: int, version: int, systems: Systems = NONE) -> Round:
    """Create all battles of a draft at once. Repeating it does nothing.

    A Register that has to play its Turning Point Mission is Blue and plays it (R22). Refuses anyone but an organizer, a
    draft that has changed since or has no pairing, and each battle that `plan_battle` refuses, with both names; then
    nothing is created, and the draft stays as it is.
    """
    locked = _lock(actor, campaign)
    found = _round(locked, number)
    if not found.is_draft:
        return found
    _check_version(found, version)
    if not (pairings := list(found.pairings.filter(red__isnull=False))):
        raise refuse("", gettext("This draft has no pairing. Add Registers, or delete it."))
    _choose(found, pairings, systems)
    in_campaign = found.campaign.systems.in_bulk() if any(each.system_id for each in pairings) else {}
    must = _field(actor, found).must
    plans = [_plan(found, pairing, must) for pairing in pairings]
    battles = plan_battles(actor=actor, campaign=locked, plans=plans)
    for pairing, battle in zip(pairings, battles, strict=True):
        pairing.battle = battle
        pairing.blue, pairing.red = (side.own_register for side in battle.sides.all())
    chosen = zip(battles, pairings, strict=True)
    stakes = {battle: in_campaign[each.system_id] for battle, each in chosen if each.system_id in in_campaign}
    fight_for_all(actor=actor, campaign=locked, systems=stakes)
    _post_round(found, battles, stakes)
    Pairing.objects.bulk_update(pairings, ["battle", "blue", "red", "system"])
    update(found, state=Round.State.CREATED, version=found.version + 1)
    log_activity(
        actor=actor, campaign=locked, kind=ActivityKind.ROUND, number=found.number, battles=len(battles),
        due=found.due.isoformat(),
    )  # fmt: skip
    return found


@transaction.atomic
def plan_again(*, actor: User, campaign: Campaign, number: int, blue: UUID | None) -> None:
    """Plan the battle of a pairing, by the key of Blue, again after it was canceled, for the same system. Repeating it
    does nothing. Refuses anyone but an organizer, a pairing without a canceled battle, and what `plan_battle` refuses.
    """
    locked = _lock(actor, campaign)
    found = _round(locked, number)
    pairing = (
        found.pairings.filter(blue=blue, battle__isnull=False).select_related("battle__fought_for__system").first()
    )
    if pairing is None or pairing.battle is None:
        raise refuse("", gettext("This pairing has no battle to plan again. Reload the page."))
    if pairing.battle.status != Battle.Status.CANCELLED:
        return
    stake = getattr(pairing.battle, "fought_for", None)
    found.due = max(found.due, timezone.localdate())
    plan = replace(_plan(found, pairing, _field(actor, found).must), battle_id=uuid4())
    [pairing.battle] = plan_battles(actor=actor, campaign=locked, plans=[plan])
    pairing.blue, pairing.red = (side.own_register for side in pairing.battle.sides.all())
    pairing.save(update_fields=["battle", "blue", "red"])
    if stake:
        fight_for_all(actor=actor, campaign=locked, systems={pairing.battle: stake.system})


def _plan(found: Round, pairing: Pairing, must: set[str]) -> BattlePlan:
    blue, red = str(pairing.blue_id), str(pairing.red_id)
    if red in must and blue not in must:
        blue, red = red, blue
    return BattlePlan(
        size=found.size, date=found.due, place=found.place, battle_id=pairing.pk,
        blue=Contender(register_id=UUID(blue)), red=Contender(register_id=UUID(red)),
        owner=Side.BLUE if blue in must else "",
    )  # fmt: skip


def _change(
    actor: User,
    campaign: Campaign,
    number: int,
    version: int,
    systems: Systems,
    keys: Sequence[str],
    change: Callable[[Sequence[Pair]], list[Pair]],
) -> Round:
    found, pairs = _lock_draft(actor, campaign, number, version, systems)
    field = _field(actor, found)
    for key in keys:
        if (entry := field.entries.get(key)) is None:
            raise refuse("", gettext("This Register is no longer in the campaign. Choose another."), "players")
        if entry.why and not places_of(pairs, key):
            text = gettext("%(register)s cannot fight now: %(why)s.") % {"register": entry.register, "why": entry.why}
            raise refuse("", text, "players")
    after = change(pairs)
    if len(after) > MOST_ENTRANTS:
        sentence = gettext("Up to %(number)s Registers can be paired at once.")
        raise refuse("", sentence % {"number": MOST_ENTRANTS}, "players")
    if after != pairs:
        _write(found, after, field, kept=pairs)
    return found


def _lock(actor: User, campaign: Campaign) -> Campaign:
    return lock_organized(actor, campaign, gettext("Only an organizer can pair a round."))


def _lock_draft(
    actor: User, campaign: Campaign, number: int, version: int, systems: Systems = NONE
) -> tuple[Round, list[Pair]]:
    found = _round(_lock(actor, campaign), number)
    if not found.is_draft:
        raise _created_already(found)
    _check_version(found, version)
    pairings = list(found.pairings.all())
    if _choose(found, pairings, systems):
        Pairing.objects.bulk_update(pairings, ["system"])
    return found, [(str(each.blue_id), str(each.red_id) if each.red_id else BYE) for each in pairings]


def _round(campaign: Campaign, number: int) -> Round:
    if (found := campaign.rounds.filter(number=number).first()) is None:
        raise refuse("", gettext("This draft was deleted a moment ago. Pair the next round again."))
    found.campaign = campaign
    return found


def _check_version(found: Round, version: int) -> None:
    if found.version != version:
        raise refuse("", gettext("The draft changed a moment ago. Check it, then try again."))


def _created_already(found: Round) -> RuleViolation:
    return refuse(
        "", gettext("The battles of %(round)s exist already. Change or cancel them one by one.") % {"round": found}
    )


def _field(actor: User, found: Round) -> Field:
    return field_of(campaign_role(actor, found.campaign), found.campaign, found)


def _proposal(found: Round, field: Field, keys: Sequence[str], avoid: Sequence[Pair] = ()) -> list[Pair]:
    entrants = [field.entries[key].entrant for key in keys]
    avoided = [frozenset(pair) for pair in avoid]
    return propose(draw_of(found), found.number, entrants, field.met, avoided, found.mates)


def _write(found: Round, pairs: Sequence[Pair], field: Field, kept: Sequence[Pair] = ()) -> None:
    """Write the pairings of a draft. Colors are chosen again, except for opponents that were paired before (`kept`):
    those have the colors of `pairs`, which an organizer may have swapped, and keep their system.
    """
    before, draw = {frozenset(pair) for pair in kept}, draw_of(found)
    systems = {
        frozenset((str(each.blue_id), str(each.red_id))): each.system_id for each in found.pairings.all() if kept
    }
    final = [
        pair
        if frozenset(pair) in before
        else colored(pair, blue=field.blue, must=field.must, draw=draw, number=found.number)
        for pair in pairs
    ]
    final.sort(key=lambda pair: pair[1] == BYE)
    new = [pair for pair in final if BYE not in pair and frozenset(pair) not in systems]
    there = {frozenset(pair) for pair in final}
    taken = Counter(str(system) for pair, system in systems.items() if pair in there)
    systems |= _stakes(found, field, new, taken)
    found.pairings.all().delete()
    Pairing.objects.bulk_create(
        Pairing(
            round=found, place=place, blue_id=UUID(blue), red_id=UUID(red) if red else None,
            system_id=systems.get(frozenset((blue, red))),
        )
        for place, (blue, red) in enumerate(final)
    )  # fmt: skip
    found.version += 1
    found.save(update_fields=["seed", "version"])


def _stakes(found: Round, field: Field, pairs: Sequence[Pair], taken: Mapping[str, int]) -> dict[frozenset[str], UUID]:
    """Return the system that each of these pairs fights for by the rule of the round, one that others have not `taken`
    before one that they have.
    """
    if not found.stakes or not pairs:
        return {}
    star_map, rank = star_map_of(found.campaign), {
        Round.Stakes.CONTESTED: contested_by, Round.Stakes.NEIGHBORS: near_to,
    }[Round.Stakes(found.stakes)]  # fmt: skip
    ranks = [rank(star_map, *(side_of(field.entries[key].register) for key in pair)) for pair in pairs]
    keyed = [{str(key): value + LATER * taken.get(str(key), 0) for key, value in each.items()} for each in ranks]
    chosen = assign(draw_of(found), found.number, keyed)
    return {frozenset(pair): UUID(key) for pair, key in zip(pairs, chosen, strict=True) if key}
