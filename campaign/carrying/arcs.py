"""Story Arcs that are not printed: those of the campaign, those it took in, and those its Registers have begun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from campaign.models import ArcTakenIn, ArcVersion, Battle, OwnArc
from catalogue.services.own_arcs import add_arcs
from config.together import Together
from registers.models import Entry

from .arrival import Arrival, when
from .registers import carried
from .scope import Scope, moment

BEGUN = "StoryArcBegun"


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with the versions that this campaign knows. Of an arc that is written elsewhere the draft stays there."""
    played, taken = _played_and_taken_in(scope)
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


def _played_and_taken_in(scope: Scope) -> tuple[set[str], dict[UUID, int]]:
    """The slugs of all Story Arcs that Registers have begun or a Turning Point Mission was of; and by the key of each
    arc that was taken in, the number of its version."""
    begun, turning_points, taken = _KNOWN.ask(campaign=scope.campaign.pk)
    slugs = {effect["story_arc"] for row in begun for effect in row["effects"] if effect["kind"] == BEGUN}
    return (
        slugs | {row["turning_point"] for row in turning_points},
        {UUID(row["arc"]): row["version__number"] for row in taken},
    )


def _begun(campaign: UUID) -> QuerySet[Entry, Any]:
    begun = Entry.objects.filter(register__in=carried(campaign), effects__contains=[{"kind": BEGUN}])
    return begun.order_by().values("effects")


def _turning_points(campaign: UUID) -> QuerySet[Battle, Any]:
    battles = Battle.objects.filter(campaign=campaign).exclude(turning_point=None)
    return battles.order_by().values("turning_point")


def _taken_in(campaign: UUID) -> QuerySet[ArcTakenIn, Any]:
    return ArcTakenIn.objects.filter(campaign=campaign).values("arc", "version__number")


_KNOWN = Together({"campaign": UUID}, _begun, _turning_points, _taken_in)


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
    said_of = {said["id"]: said for said in arrival.data["story_arcs"]}
    arcs = {key: _made(arrival, said) for key, said in said_of.items() if not said["origin"]}
    versions = {
        (key, each["number"]): _published(arrival, arc, each)
        for key, arc in arcs.items()
        for each in said_of[key]["versions"]
    }
    known = {**arrival.shipped, **versions}
    taken = [known[key, said["taken_in"]] for key, said in said_of.items() if said["taken_in"]]
    cards = {version.story_arc_id: version.content for version in versions.values()}
    if cards:  # the catalogue has one writer at a time
        add_arcs(actor=arrival.actor.get_username(), arcs=cards, together=arrival.changes)
    arrival.changes.insert(*arcs.values())
    arrival.changes.insert(*versions.values())
    arrival.changes.insert(
        *(ArcTakenIn(campaign=arrival.campaign, arc=version.arc, version=version) for version in taken)
    )


def _made(arrival: Arrival, said: Mapping[str, Any]) -> OwnArc:
    return OwnArc(
        pk=UUID(said["id"]),
        campaign=arrival.campaign,
        draft=said["draft"],
        revision=said["revision"],
        created_at=when(said["created_at"]),
    )


def _published(arrival: Arrival, arc: OwnArc, version: Mapping[str, Any]) -> ArcVersion:
    return ArcVersion(
        pk=next(arrival.keys[ArcVersion]),
        arc=arc,
        number=version["number"],
        content=version["content"],
        story_arc_id=version["card"],
        by=arrival.person(version["by"]),
        published_at=when(version["published_at"]),
    )
