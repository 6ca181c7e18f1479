"""Story Arcs that are not printed: those of the campaign, those it took in, and those its Registers have begun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q

from campaign.models import ArcTakenIn, ArcVersion, OwnArc
from catalogue.services.own_arcs import add_arc
from registers.models import Entry

from .arrival import Arrival, dated, when
from .checking import shipped
from .registers import carried
from .scope import Scope, moment

BEGUN = "StoryArcBegun"


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with the versions that this campaign knows. Of an arc that is written elsewhere the draft stays there."""
    played = _played(scope)
    taken = dict(ArcTakenIn.objects.filter(campaign=scope.campaign).values_list("arc", "version__number"))
    known = Q(campaign=scope.campaign) | Q(pk__in=taken) | Q(versions__story_arc__in=played)
    arcs = OwnArc.objects.filter(pk__in=OwnArc.objects.filter(known).values("pk"))
    for arc in arcs.prefetch_related("versions").order_by("created_at", "pk"):
        ours, versions = arc.campaign_id == scope.campaign.pk, list(arc.versions.all())
        if not ours:
            versions = _known(versions, taken.get(arc.pk), played)
        yield {
            "id": str(arc.pk),
            "origin": arc.origin,
            "draft": arc.draft if ours else versions[-1].content,
            "revision": arc.revision if ours else 1,
            "created_at": moment(arc.created_at),
            "taken_in": taken.get(arc.pk),
            "versions": [_version(scope, each) for each in versions],
        }


def _played(scope: Scope) -> set[str]:
    """The slugs of all Story Arcs that Registers have begun or a Turning Point Mission was of."""
    begun = Entry.objects.filter(register__in=carried(scope), effects__contains=[{"kind": BEGUN}])
    slugs = {
        effect["story_arc"]
        for effects in begun.values_list("effects", flat=True)
        for effect in effects
        if effect["kind"] == BEGUN
    }
    return slugs | set(
        scope.campaign.battles.exclude(turning_point=None).values_list("turning_point", flat=True)
    )


def _known(versions: Iterable[ArcVersion], taken: int | None, played: set[str]) -> list[ArcVersion]:
    """The versions up to the last that was taken in or begun."""
    numbers = [each.number for each in versions if each.story_arc_id in played]
    last = max([*numbers, taken or 0])
    return [each for each in versions if each.number <= last]


def _version(scope: Scope, version: ArcVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "card": version.story_arc_id,
        "content": version.content,
        "by": scope.person(version.by_id),
        "published_at": moment(version.published_at),
    }


def bring(arrival: Arrival) -> None:
    """Make them Story Arcs of the campaign. Those that come with Musterbook are here."""
    for said in arrival.data["story_arcs"]:
        versions = {each["number"]: _here(said, each) for each in said["versions"] if said["origin"]}
        if not said["origin"]:
            arc = OwnArc.objects.create(
                pk=UUID(said["id"]), campaign=arrival.campaign, draft=said["draft"], revision=said["revision"]
            )
            dated(arc, created_at=said["created_at"])
            versions = {each["number"]: _made(arrival, arc, each) for each in said["versions"]}
        if version := versions.get(said["taken_in"]):
            ArcTakenIn.objects.create(campaign=arrival.campaign, arc=version.arc, version=version)


def _here(arc: Mapping[str, Any], version: Mapping[str, Any]) -> ArcVersion:
    here = shipped(arc["origin"], version)
    if here is None:  # never: it was looked for before
        raise ValueError(arc["origin"])
    return here


def _made(arrival: Arrival, arc: OwnArc, version: Mapping[str, Any]) -> ArcVersion:
    by = arrival.person(version["by"])
    return ArcVersion.objects.create(
        arc=arc,
        number=version["number"],
        content=version["content"],
        story_arc=add_arc(actor=str(by or "a file"), arc=version["content"], slug=version["card"]),
        by=by,
        published_at=when(version["published_at"]),
    )
