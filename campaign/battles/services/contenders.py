"""Check the two sides of a battle to be planned (R4, R17, R18, R22)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext, gettext_noop

from campaign import access
from campaign.battles.models import Battle, Side
from campaign.models import Campaign
from registers.ledger import session
from registers.models import Register
from rules.battle.army import turning_point_violations
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.core.violations import Fault, Violation, refuse
from rules.post_battle.steps import unready_violations
from rules.register.state import RegisterState

NO_SIZE = Fault("R18", gettext_noop("Choose a size in points."))


class Contender(KeywordValue):
    """One side of a battle to be planned: a Register, or a guest with name, Faction and points (R17)."""

    register_id: UUID | None = None
    guest_name: str = ""
    guest_faction: str = ""
    guest_points: int = 0


def side_of(battle: Battle, colour: str, contender: Contender, register: Register | None) -> Side:
    """Return a side of a new battle: a Register, or a guest, whose army counts as chosen at once (R17)."""
    if register:
        return Side(battle=battle, colour=colour, register=register)
    return Side(
        battle=battle,
        colour=colour,
        guest_name=contender.guest_name.strip(),
        guest_faction=contender.guest_faction,
        guest_points=contender.guest_points,
        army_chosen=True,
    )


def lock_contenders(campaign: Campaign, *contenders: Contender) -> dict[UUID | None, Register]:
    """Lock and return the Registers that will fight, so that each finishes other actions first, with its enlistment (a
    solo Register has none) and `owner_plays` (its player plays in the campaign): the locked campaign keeps both.
    """
    keys = [contender.register_id for contender in contenders if contender.register_id]
    playing = access.players_of(campaign).filter(user=OuterRef("owner"))
    own = Q(pk=campaign.solo_id) if campaign.solo_id else Q(enlistment__campaign=campaign)
    found = Register.objects.filter(own, pk__in=keys).select_related("enlistment")
    return {register.pk: register for register in session.lock_registers(found.annotate(owner_plays=Exists(playing)))}


def check_may_plan(role: access.CampaignRole, registers: Collection[Register]) -> None:
    """Refuse viewers, and users who play none of the Registers of a battle and do not organize."""
    if role.is_organizer:
        return
    leads = not registers or role.user.pk in [register.owner_id for register in registers]
    if not leads or not role.is_player:
        raise refuse("R17", gettext("You can plan battles only for your own Registers."), "own")


def plan_violations(
    size: int,
    contenders: Mapping[str, Contender],
    registers: Mapping[UUID | None, Register],
    states: Mapping[UUID | None, RegisterState],
    owner: str,
) -> Iterator[Violation]:
    """Yield the violations that prevent a battle of `size` points; `about` is the field or the color concerned."""
    if size < 1:
        yield NO_SIZE("size")
    yield from _contender_violations(contenders, states)
    if registers:
        blue, red = (states.get(contender.register_id) for contender in contenders.values())
        yield from mission_violations(session.rulebook_for(next(iter(registers.values()))), blue, red, owner)
    yield from _gone(contenders, registers)


def mission_violations(
    book: Rulebook, blue: RegisterState | None, red: RegisterState | None, owner: str
) -> Iterator[Violation]:
    """Yield the reasons why two sides cannot play the Turning Point Mission of `owner`, or none (R22). `blue` and `red`
    are None for a guest. Registers without a Story Arc are skipped: they may not fight at all.
    """
    if all(state is None or state.story_arc for state in (blue, red)):
        yield from turning_point_violations(book, blue, red, owner)


def _contender_violations(
    contenders: Mapping[str, Contender], states: Mapping[UUID | None, RegisterState]
) -> Iterator[Violation]:
    if not states:
        yield Violation("R17", gettext("At least one side must be a Register. Choose one."))
    elif len(states) != sum(contender.register_id is not None for contender in contenders.values()):
        yield Violation("R17", gettext("Choose two different Registers of this campaign, or one Register and a guest."))
    for colour, contender in contenders.items():
        state = states.get(contender.register_id)
        if contender.register_id is None and not contender.guest_name.strip():
            yield Violation("R17", gettext("Enter the guest’s name."), "guest_name")
        if state:
            yield from (replace(each, about=colour) for each in unready_violations(state))


def _gone(contenders: Mapping[str, Contender], registers: Mapping[UUID | None, Register]) -> Iterator[Violation]:
    for colour, contender in contenders.items():
        register = registers.get(contender.register_id)
        if register and not register.owner_plays:  # type: ignore[attr-defined]
            sentence = gettext("%(register)s has no player in the campaign now. Choose another Register.")
            yield Violation("", sentence % {"register": register}, colour)
        if register is None or not hasattr(register, "enlistment"):
            continue
        if not register.enlistment.plays:
            text = gettext("%(register)s is %(status)s. Its player or an organizer has to bring it back first.") % {
                "register": register,
                "status": register.enlistment.get_status_display(),
            }
            yield Violation("", text, colour)
        if register.enlistment.awaits_consent:
            text = gettext("An organizer has to approve the import of %(register)s first.") % {"register": register}
            yield Violation("", text, colour)
