"""Manage custom Story Arcs: drafts, versions, sharing, adopting, and the arcs that ship with Musterbook."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.models import ActivityKind, Campaign
from campaign.services.activity import log_activity
from campaign.services.locks import lock_organized
from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from catalogue.services.load import add_arcs
from catalogue.snapshot import rulebook
from core.db.rows import update
from registers.ledger import session
from registers.models import Register
from rules.arcs.custom_arcs import LONGEST_NAME, Arc, arc_violations, blank_arc
from rules.core.violations import raise_if_any, refuse
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures

PUBLISHED, TAKEN_IN, PUT_AWAY = gettext_noop("published"), gettext_noop("added"), gettext_noop("withdrawn")
ONLY_ORGANIZERS = gettext_noop("Only an organizer of the campaign can do this.")


@transaction.atomic
def publish(*, actor: User, arc_id: UUID, revision: int) -> ArcVersion:
    """Publish the draft as a version that the arc's campaign plays from now on. Registers on an older version stay on
    it. Publishing a draft twice returns the existing version. Refuses anyone but an organizer of the campaign, a draft
    that has changed since it was seen, and everything that makes it unplayable (`rules.arcs.custom_arcs`).
    """
    arc, campaign = lock_arc(actor, arc_id)
    newest = arc.versions.last()
    if newest and newest.content == arc.draft:
        return newest
    if revision != arc.revision:
        raise refuse("", gettext("The draft was changed a moment ago. Check it, then publish it."))
    raise_if_any(arc_violations(rulebook(), arc.draft))
    version = new_version(arc, newest, actor)
    _take_in(actor, campaign, version, PUBLISHED)
    return version


def new_version(arc: CustomArc, newest: ArcVersion | None, actor: User | None) -> ArcVersion:
    """Create a locked arc's version after `newest`, with its cards in the catalogue. Checks no rule."""
    number = newest.number + 1 if newest else 1
    key = arc.origin or f"{slugify(arc.draft['name'])[:40]}-{arc.pk.hex[:8]}".strip("-")
    by = actor.get_username() if actor else arc.origin
    slug = f"{key}-v{number}"
    add_arcs(actor=by, arcs={slug: arc.draft})
    return ArcVersion.objects.create(arc=arc, number=number, content=arc.draft, story_arc_id=slug, by=actor)


@transaction.atomic
def share(*, actor: User, arc_id: UUID) -> CustomArc:
    """Give the arc a link, if it has none. Refuses anyone but an organizer of its campaign, and an unpublished arc."""
    arc, _ = lock_arc(actor, arc_id)
    if not arc.versions.exists():
        raise refuse("", gettext("Publish a version first. The link shows the newest version."))
    if arc.token is None:
        update(arc, token=secrets.token_urlsafe(24))
    return arc


@transaction.atomic
def stop_sharing(*, actor: User, arc_id: UUID) -> CustomArc:
    """Remove the link; campaigns that have adopted the arc keep it. Refuses anyone but an organizer of its campaign."""
    arc, _ = lock_arc(actor, arc_id)
    update(arc, token=None)
    return arc


@transaction.atomic
def adopt(*, actor: User, campaign: Campaign, version_id: int, token: str = "") -> ArcVersion:
    """Let the campaign's Registers begin this version of an arc instead of an older one, and return the version they
    may begin now. Repeating it changes nothing, and neither does a version older than the adopted one. Refuses anyone
    but an organizer of the campaign, and an arc that is not its own, shipped, or shared: by the link with `token`, or
    because the campaign has adopted an older version.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    version = ArcVersion.objects.select_related("arc__campaign").filter(pk=version_id).first()
    if version is None or not _may_adopt(version.arc, campaign, token):
        raise refuse("", gettext("This Story Arc is no longer shared. Ask for a new link."))
    return _take_in(actor, campaign, version, TAKEN_IN)


@transaction.atomic
def drop(*, actor: User, campaign: Campaign, arc_id: UUID) -> None:
    """Stop offering an arc to the campaign's Registers; Registers on it play it to its end. Repeating it changes
    nothing. Refuses anyone but an organizer of the campaign.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    versions = _offered(campaign)
    if gone := versions.pop(arc_id, None):
        AdoptedArc.objects.filter(campaign=campaign, arc=arc_id).delete()
        _tell(actor, campaign, versions, gone, PUT_AWAY)


def offered_to(campaign: Campaign) -> list[str]:
    """Return the slugs of the arcs that Registers of a campaign may begin beside the printed ones (R10, R49)."""
    return [version.story_arc_id for version in _offered(campaign).values()]


def _offered(campaign: Campaign) -> dict[UUID, ArcVersion]:
    taken = AdoptedArc.objects.filter(campaign=campaign).select_related("version")
    return {each.arc_id: each.version for each in taken}


def lock_arc(actor: User, arc_id: UUID) -> tuple[CustomArc, Campaign]:
    """Lock the arc and its campaign until the transaction ends, and return both. Refuses anyone but an organizer of the
    campaign, a shipped arc, which nobody may change, and a draft that was deleted since it was read.
    """
    arcs = CustomArc.objects.select_related("campaign").select_for_update(of=("self",), no_key=True)
    if (arc := arcs.filter(pk=arc_id).first()) is None:
        raise refuse("", gettext("This draft was deleted a moment ago."))
    if arc.campaign is None:
        raise refuse("", gettext(ONLY_ORGANIZERS))
    campaign = lock_organized(actor, arc.campaign, gettext(ONLY_ORGANIZERS))
    return arc, campaign


def _may_adopt(arc: CustomArc, campaign: Campaign, token: str) -> bool:
    if arc.origin or arc.campaign == campaign:
        return True
    if arc.token is None:
        return False
    linked = secrets.compare_digest(arc.token.encode(), token.encode())
    return linked or AdoptedArc.objects.filter(campaign=campaign, arc=arc).exists()


def _take_in(actor: User, campaign: Campaign, version: ArcVersion, what: str) -> ArcVersion:
    versions = _offered(campaign)
    before = versions.get(version.arc_id)
    if before and before.number >= version.number:
        return before
    AdoptedArc.objects.update_or_create(campaign=campaign, arc=version.arc, defaults={"version": version})
    _tell(actor, campaign, {**versions, version.arc_id: version}, version, what)
    return version


def _tell(actor: User, campaign: Campaign, offered: Mapping[UUID, ArcVersion], version: ArcVersion, what: str) -> None:
    """Store the offered arcs on the Registers of a locked campaign, so that no page needs a query for them, and add a
    line about this version to the activity log.
    """
    registers = session.lock_registers(campaign.registers.all())
    for register in registers:
        register.adopted_arcs = [each.story_arc_id for each in offered.values()]
    Register.objects.bulk_update(registers, ["adopted_arcs"])
    log_activity(
        actor=actor, campaign=campaign, kind=ActivityKind.ARC, arc=version.content["name"], version=version.number,
        what=what,
    )  # fmt: skip


#: More than a playgroup will ever write.
MOST_ARCS = 30


@transaction.atomic
def begin(
    *, actor: User, campaign: Campaign, name: str, like: ArcVersion | None = None, arc_id: UUID | None = None
) -> CustomArc:
    """Begin a custom arc in the campaign: an empty one, or a copy of the version `like`. `arc_id` is its primary key,
    so that a form sent twice begins one. Refuses anyone but an organizer of the campaign, an empty or overlong name,
    and more than MOST_ARCS arcs.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if arc_id and (begun := CustomArc.objects.filter(pk=arc_id, campaign=campaign).first()):
        return begun
    if not (name := name.strip()):
        raise refuse("", gettext("Give the Story Arc a name."), "name")
    if len(name) > LONGEST_NAME:
        text = gettext("This name is too long. Use up to %(longest_name)s characters.")
        raise refuse("", text % {"longest_name": LONGEST_NAME}, "name")
    if CustomArc.objects.filter(campaign=campaign).count() >= MOST_ARCS:
        text = gettext("A campaign can have up to %(most_arcs)s custom Story Arcs. Delete a draft first.")
        raise refuse("", text % {"most_arcs": MOST_ARCS}, "name")
    draft = {**like.content, "name": name} if like else blank_arc(name)
    arc, _ = CustomArc.objects.get_or_create(pk=arc_id or uuid4(), defaults={"campaign": campaign, "draft": draft})
    if arc.campaign_id != campaign.pk:
        raise refuse("", gettext("This Story Arc belongs to another campaign."))
    return arc


@transaction.atomic
def change(*, actor: User, arc_id: UUID, revision: int | None, draft: Arc) -> CustomArc:
    """Replace the draft of a custom Story Arc; `revision` is the one it was made from. An identical draft changes
    nothing, so a form may be posted twice. Refuses anyone but an organizer of the campaign, and a draft that somebody
    else has changed since. The draft may be incomplete: `publish` asks for the rest.
    """
    arc, _ = lock_arc(actor, arc_id)
    if arc.draft == draft:
        return arc
    if revision != arc.revision:
        sentence = gettext("This Story Arc was changed a moment ago. Check it, then try again.")
        raise refuse("", sentence)
    update(arc, draft=draft, revision=arc.revision + 1)
    return arc


@transaction.atomic
def discard(*, actor: User, campaign: Campaign, arc_id: UUID) -> None:
    """Delete a draft that was never published. Repeating it changes nothing. Refuses anyone but an organizer of the
    campaign, and an arc with versions, because Registers may be on them.
    """
    arc = CustomArc.objects.select_for_update(no_key=True).filter(pk=arc_id, campaign=campaign).first()
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if arc is None:
        return
    if arc.versions.exists():
        raise refuse("", gettext("A published Story Arc cannot be deleted. Withdraw it instead."))
    arc.delete()


def set_mission_map(*, actor: User, arc_id: UUID, sent: bytes, alt: str, picture_id: UUID | None = None) -> Picture:
    """Give the mission of an arc this map, for all versions at once. The same picture again changes nothing. Refuses
    anyone but an organizer, and what `uploads` refuses.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        arc, _campaign = lock_arc(actor, arc_id)
        return pictures.show(actor=actor, on=arc, drawn=image, alt=alt, picture_id=picture_id)


@transaction.atomic
def remove_mission_map(*, actor: User, arc_id: UUID) -> None:
    """Remove the map, if there is one. Refuses anyone but an organizer of the campaign that writes the arc."""
    arc, _campaign = lock_arc(actor, arc_id)
    pictures.take_off(on=arc)


FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "arcs"


@transaction.atomic
def load_arcs(folder: Path = FOLDER) -> list[tuple[ArcVersion, bool]]:
    """Publish every arc in `folder` that differs from its newest version. The name of a file is the arc's permanent
    slug. Registers and campaigns stay on the versions they have. Return the newest version of each, and whether it is
    new. Refuses an unplayable arc, and then changes nothing.
    """
    return [_load(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]


def _load(origin: str, draft: dict[str, Any]) -> tuple[ArcVersion, bool]:
    raise_if_any(arc_violations(rulebook(), draft))
    arc, _ = CustomArc.objects.select_for_update().get_or_create(origin=origin, defaults={"draft": draft})
    newest = version = arc.versions.last()
    if version is None or version.content != draft:
        update(arc, draft=draft)
        version = new_version(arc, newest, None)
    return version, version != newest
