"""Story Arcs of one's own: published in versions, shared by link, taken in by campaigns, and put away again."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify

from accounts.models import User
from campaign.models import ArcTakenIn, ArcVersion, Campaign, Kind, OwnArc
from catalogue.services.own_arcs import add_arc
from catalogue.snapshot import rulebook
from registers.models import Register
from registers.services import ledger
from rules.arc_problems import arc_problems
from rules.language import gettext, gettext_noop
from rules.refusal import refuse, refuse_any

from .chronicle import record
from .locks import lock_for_organiser

PUBLISHED, TAKEN_IN, PUT_AWAY = gettext_noop("published"), gettext_noop("taken in"), gettext_noop("put away")
ONLY_ORGANISERS = gettext_noop("Only an organiser of the campaign does this.")


@transaction.atomic
def publish(*, actor: User, arc_id: UUID, revision: int) -> ArcVersion:
    """Make a version of the draft, for the arc's campaign to play from now on.

    Registers that are on an older version stay on it. Publishing a draft twice gives the version there is.
    Refuses who does not organise the campaign, a draft that was changed since it was seen, and everything that
    keeps it from being played (`rules.arc_problems`).
    """
    arc, campaign = lock_arc(actor, arc_id)
    newest = arc.versions.last()
    if newest and newest.content == arc.draft:
        return newest
    if revision != arc.revision:
        raise refuse("", gettext("The draft has been changed since. Look at it again before you publish it."))
    refuse_any(arc_problems(rulebook(), arc.draft))
    version = new_version(arc, newest, actor)
    _take_in(actor, campaign, version, PUBLISHED)
    return version


def new_version(arc: OwnArc, newest: ArcVersion | None, actor: User | None) -> ArcVersion:
    """The draft of a locked arc as the version after its `newest`, with its cards in the catalogue. Asks no rule."""
    number = newest.number + 1 if newest else 1
    key = arc.origin or f"{slugify(arc.draft['name'])[:40]}-{arc.pk.hex[:8]}".strip("-")
    by = actor.get_username() if actor else arc.origin
    card = add_arc(actor=by, arc=arc.draft, slug=f"{key}-v{number}")
    return ArcVersion.objects.create(arc=arc, number=number, content=arc.draft, story_arc=card, by=actor)


@transaction.atomic
def share(*, actor: User, arc_id: UUID) -> OwnArc:
    """Give the arc a link, if it has none. Refuses who does not organise its campaign, and an unpublished arc."""
    arc, _ = lock_arc(actor, arc_id)
    if not arc.versions.exists():
        raise refuse("", gettext("Publish a version first: the link leads to the newest one."))
    if arc.token is None:
        arc.token = secrets.token_urlsafe(24)
        arc.save(update_fields=["token"])
    return arc


@transaction.atomic
def stop_sharing(*, actor: User, arc_id: UUID) -> OwnArc:
    """Take the link back; who has taken a version in keeps it. Refuses who does not organise its campaign."""
    arc, _ = lock_arc(actor, arc_id)
    arc.token = None
    arc.save(update_fields=["token"])
    return arc


@transaction.atomic
def take_in(*, actor: User, campaign: Campaign, version_id: int, token: str = "") -> ArcTakenIn:
    """Let the campaign's Registers begin this version of an arc, instead of an older one.

    Twice changes nothing; nor does a version that is older than the one there is.

    Refuses who does not organise the campaign, and an arc that is neither its own, nor shipped, nor shared: by the
    link with `token`, or with a campaign that has taken in an older version already.
    """
    campaign = lock_for_organiser(actor, campaign, gettext(ONLY_ORGANISERS))
    version = ArcVersion.objects.select_related("arc__campaign").filter(pk=version_id).first()
    if version is None or not _may_be_taken_in(version.arc, campaign, token):
        raise refuse("", gettext("This Story Arc is not shared any more: ask for another link."))
    return _take_in(actor, campaign, version, TAKEN_IN)


@transaction.atomic
def put_away(*, actor: User, campaign: Campaign, arc_id: UUID) -> None:
    """Offer an arc to the campaign's Registers no more; who is on it plays it to its end. Twice changes nothing.

    Refuses who does not organise the campaign.
    """
    campaign = lock_for_organiser(actor, campaign, gettext(ONLY_ORGANISERS))
    taken = ArcTakenIn.objects.select_related("version").filter(campaign=campaign, arc_id=arc_id).first()
    if taken:
        taken.delete()
        _tell_registers(campaign)
        _record(actor, campaign, taken.version, PUT_AWAY)


def offered_to(campaign: Campaign) -> list[str]:
    """The slugs of the arcs that Registers of this campaign may begin besides the printed ones (R10, R49)."""
    return list(ArcTakenIn.objects.filter(campaign=campaign).values_list("version__story_arc", flat=True))


def lock_arc(actor: User, arc_id: UUID) -> tuple[OwnArc, Campaign]:
    """The arc and the campaign in which it is written, both locked until the transaction ends.

    Refuses who does not organise the campaign; what comes with Musterbook belongs to nobody. Raises
    OwnArc.DoesNotExist.
    """
    arcs = OwnArc.objects.select_related("campaign").select_for_update(of=("self",), no_key=True)
    arc = arcs.get(pk=arc_id)
    if arc.campaign is None:
        raise refuse("", gettext(ONLY_ORGANISERS))
    return arc, lock_for_organiser(actor, arc.campaign, gettext(ONLY_ORGANISERS))


def _may_be_taken_in(arc: OwnArc, campaign: Campaign, token: str) -> bool:
    if arc.campaign is None or arc.campaign == campaign:
        return True
    if arc.token is None:
        return False
    linked = secrets.compare_digest(arc.token.encode(), token.encode())
    return linked or ArcTakenIn.objects.filter(campaign=campaign, arc=arc).exists()


def _take_in(actor: User, campaign: Campaign, version: ArcVersion, what: str) -> ArcTakenIn:
    """Once the campaign is locked."""
    taken = ArcTakenIn.objects.select_related("version").filter(campaign=campaign, arc=version.arc).first()
    if taken and taken.version.number >= version.number:
        return taken
    taken = taken or ArcTakenIn(campaign=campaign, arc=version.arc)
    taken.version = version
    taken.save()
    _tell_registers(campaign)
    _record(actor, campaign, version, what)
    return taken


def _tell_registers(campaign: Campaign) -> None:
    """The Registers of a locked campaign hold what it offers, so that no page asks for it."""
    registers = ledger.lock_all(campaign.registers.all())
    offered = offered_to(campaign)
    for register in registers:
        register.arcs_taken_in = offered
    Register.objects.bulk_update(registers, ["arcs_taken_in"])


def _record(actor: User, campaign: Campaign, version: ArcVersion, what: str) -> None:
    record(
        actor=actor,
        campaign=campaign,
        kind=Kind.ARC,
        arc=version.content["name"],
        version=version.number,
        what=what,
    )
