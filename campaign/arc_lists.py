"""The Story Arcs that are not printed, as a campaign's page lists them: a constant number of queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.models import User

from .models import ArcTakenIn, ArcVersion, Campaign, Membership, OwnArc


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcLine:
    """An arc in a list, with the version that counts; `newer` may be taken in, so many `registers` are on it."""

    arc: OwnArc
    version: ArcVersion
    newer: ArcVersion | None = None
    registers: int = 0


@dataclass(frozen=True, slots=True)
class ArcList:
    """What a campaign may begin, what else it could take in, and what is being written in it."""

    played: list[ArcLine]
    at_hand: list[ArcLine]
    drafts: list[OwnArc]


def arc_list(campaign: Campaign) -> ArcList:
    """All arcs that a campaign has to do with: four queries."""
    taken = list(ArcTakenIn.objects.select_related("arc").filter(campaign=campaign))
    shipped_or_own = list(OwnArc.objects.filter(Q(campaign=None) | Q(campaign=campaign)))
    versions = _versions_of({*shipped_or_own, *(line.arc for line in taken)})
    newest = {version.arc_id: version for version in versions}
    by_key = {version.pk: version for version in versions}
    on_it = Counter(campaign.registers.values_list("story_arc", flat=True))
    played = [
        ArcLine(
            arc=line.arc,
            version=(version := by_key[line.version_id]),
            newer=_newer(campaign, line.arc, version, newest[line.arc_id]),
            registers=on_it[version.story_arc_id],
        )
        for line in taken
    ]
    here = {line.arc_id for line in taken}
    at_hand = [
        ArcLine(arc=arc, version=newest[arc.pk])
        for arc in shipped_or_own
        if arc.pk in newest and arc.pk not in here
    ]
    return ArcList(played, at_hand, [arc for arc in shipped_or_own if arc.campaign_id])


def _versions_of(arcs: set[OwnArc]) -> QuerySet[ArcVersion]:
    """Every version of these arcs, the newest of each last, without what is in them."""
    return ArcVersion.objects.select_related("story_arc").filter(arc__in=arcs).defer("content")


def _newer(campaign: Campaign, arc: OwnArc, version: ArcVersion, newest: ArcVersion) -> ArcVersion | None:
    """The newest version, if it is another one and the campaign may have it."""
    may_have = arc.campaign_id in (None, campaign.pk) or arc.token is not None
    return newest if may_have and newest.number > version.number else None


def versions_seen(campaign: Campaign) -> QuerySet[ArcVersion]:
    """The versions that members of a campaign may read: of its own arcs, the shipped ones, and those taken in."""
    taken = ArcTakenIn.objects.filter(campaign=campaign).values("version")
    return ArcVersion.objects.filter(
        Q(arc__campaign=campaign) | Q(arc__campaign=None) | Q(pk__in=taken)
    ).select_related("arc", "story_arc")


def may_begin_like(campaign: Campaign) -> QuerySet[ArcVersion]:
    """The versions of which an arc of the campaign may start as a copy, by name."""
    return versions_seen(campaign).order_by("story_arc__name", "number")


def organised_by(user: User) -> QuerySet[Campaign]:
    """The campaigns that a user organises, by name."""
    return Campaign.objects.filter(
        memberships__user=user, memberships__role=Membership.Role.ORGANISER
    ).order_by("name")
