"""The custom Story Arcs of a campaign, their versions, and the maps of their missions."""

from collections import Counter
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign, Membership
from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from uploads.models import Picture


def arc_list(campaign: Campaign) -> dict[str, list[Any]]:
    """Return the arcs that a campaign may begin (`played`), may adopt (`at_hand`), and is writing (`drafts`), in four
    queries. `newer` is a version to adopt, `registers` are on the arc now.
    """
    taken = list(AdoptedArc.objects.select_related("arc").filter(campaign=campaign))
    shipped_or_own = list(CustomArc.objects.filter(~Q(origin="") | Q(campaign=campaign)))
    arcs = {*shipped_or_own, *(line.arc for line in taken)}
    versions = ArcVersion.objects.select_related("story_arc").filter(arc__in=arcs).defer("content")
    newest = {version.arc_id: version for version in versions}
    by_key = {version.pk: version for version in versions}
    on_it = Counter(campaign.registers.values_list("story_arc", flat=True))
    played = [
        {
            "arc": line.arc,
            "version": (version := by_key[line.version_id]),
            "newer": _newer(campaign, line.arc, version, newest[line.arc_id]),
            "registers": on_it[version.story_arc_id],
        }
        for line in taken
    ]
    here = {line.arc_id for line in taken}
    at_hand = [
        {"arc": arc, "version": newest[arc.pk]} for arc in shipped_or_own if arc.pk in newest and arc.pk not in here
    ]
    return {"played": played, "at_hand": at_hand, "drafts": [arc for arc in shipped_or_own if arc.campaign_id]}


def _newer(campaign: Campaign, arc: CustomArc, version: ArcVersion, newest: ArcVersion) -> ArcVersion | None:
    """Return the newest version, if it is another one and the campaign may adopt it."""
    may_have = arc.campaign_id == campaign.pk or bool(arc.origin or arc.token)
    return newest if may_have and newest.number > version.number else None


def visible_versions(campaign: Campaign) -> QuerySet[ArcVersion]:
    """Return the versions that members of a campaign may read: of its own arcs, shipped ones, and adopted ones."""
    taken = AdoptedArc.objects.filter(campaign=campaign).values("version")
    return ArcVersion.objects.filter(Q(arc__campaign=campaign) | ~Q(arc__origin="") | Q(pk__in=taken)).select_related(
        "arc__picture", "story_arc"
    )


def mission_map(arc: CustomArc, campaign: Campaign) -> dict[str, Any] | None:
    """Return the map of an arc's mission for the members of a campaign that may see it: the picture, its address and
    that of its full size.
    """
    if arc.picture is None:
        return None
    small, full = (
        reverse("story_arcs:map_picture", args=[campaign.pk, arc.picture.pk, size]) for size in ("medium", "full")
    )
    return {"picture": arc.picture, "address": small, "full": full}


def mission_map_of(battle: Battle, **_signal: object) -> dict[str, Any] | None:
    """Return the map of a battle's Turning Point Mission, if it is that of a custom Story Arc: one query."""
    arcs = CustomArc.objects.select_related("picture").filter(versions__story_arc=battle.turning_point_id)
    arc = arcs.exclude(picture=None).first()
    return mission_map(arc, battle.campaign) if arc else None


def map_pictures(campaign: Campaign) -> QuerySet[Picture]:
    """Return the maps that members of a campaign may see: of its own arcs, adopted ones, and those it has fought."""
    fought = ArcVersion.objects.filter(story_arc__in=campaign.battles.values("turning_point"))
    adopted = AdoptedArc.objects.filter(campaign=campaign)
    seen = Q(campaign=campaign) | Q(pk__in=adopted.values("arc")) | Q(pk__in=fought.values("arc"))
    return Picture.objects.filter(customarc__in=CustomArc.objects.filter(seen))


def may_begin_like(campaign: Campaign) -> QuerySet[ArcVersion]:
    """Return the versions that a new arc of the campaign may start from, by name."""
    return visible_versions(campaign).order_by("story_arc__name", "number")


def organized_by(user: User) -> QuerySet[Campaign]:
    """Return the open campaigns that a user organizes, by name."""
    own = Campaign.objects.filter(memberships__user=user, memberships__role=Membership.Role.ORGANIZER)
    return own.filter(state=Campaign.State.OPEN).order_by("name")
