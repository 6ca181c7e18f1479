"""Story Arcs that are not printed: those of the campaign, those it took in, and those its Registers have begun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Func, Q, QuerySet, TextField

from campaign.models import ArcTakenIn, ArcVersion, Battle, OwnArc
from catalogue.services.own_arcs import add_arcs
from config.together import columns, made
from registers.models import Entry

from .arrival import Arrival, when
from .registers import carried
from .scope import Scope, moment

BEGUN = "StoryArcBegun"
#: The Story Arcs that an entry has begun.
_SLUGS = f"""(jsonb_path_query(%(expressions)s, '$[*] ? (@.kind == "{BEGUN}").story_arc') #>> '{{}}')"""


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with the versions that this campaign knows. Of an arc that is written elsewhere the draft stays there."""
    begun, turning_points, taken_in, arcs, of_all = scope.arcs
    played = {row["story_arc"] for row in begun} | {row["turning_point"] for row in turning_points}
    taken = {row["arc"]: row["version__number"] for row in taken_in}
    for arc in (made(OwnArc, row) for row in arcs):
        ours = arc.campaign_id == scope.campaign.pk
        versions = [made(ArcVersion, row) for row in of_all if row["arc_id"] == str(arc.pk)]
        if not ours:
            versions = _known(versions, taken.get(str(arc.pk)), played)
        yield {
            "id": str(arc.pk),
            "origin": arc.origin,
            "draft": arc.draft if ours else versions[-1].content,
            "revision": arc.revision if ours else 1,
            "created_at": moment(arc.created_at),
            "taken_in": taken.get(str(arc.pk)),
            "versions": [_version(scope, each) for each in versions],
        }


def _begun(campaign: UUID) -> QuerySet[Entry, Any]:
    """The slugs of all that the Registers of the campaign have begun."""
    begun = Entry.objects.filter(register__in=carried(campaign), effects__contains=[{"kind": BEGUN}])
    return begun.order_by().values(story_arc=Func("effects", template=_SLUGS, output_field=TextField()))


def _turning_points(campaign: UUID) -> QuerySet[Battle, Any]:
    """The slugs of those whose Turning Point Missions were fought."""
    battles = Battle.objects.filter(campaign=campaign).exclude(turning_point=None)
    return battles.order_by().values("turning_point")


def _taken_in(campaign: UUID) -> QuerySet[ArcTakenIn, Any]:
    return ArcTakenIn.objects.filter(campaign=campaign).values("arc", "version__number")


def _arcs(campaign: UUID) -> QuerySet[OwnArc, Any]:
    """All of them: those that are written here, were taken in, or are played."""
    known = Q(campaign=campaign) | Q(taken_in__campaign=campaign)
    for played in (_begun, _turning_points):
        known |= Q(versions__story_arc__in=played(campaign))
    arcs = OwnArc.objects.filter(pk__in=OwnArc.objects.filter(known).values("pk"))
    return arcs.order_by("created_at", "pk").values(*columns(OwnArc))


def _versions(campaign: UUID) -> QuerySet[ArcVersion, Any]:
    versions = ArcVersion.objects.filter(arc__in=_arcs(campaign).order_by().values("pk"))
    return versions.order_by("number").values(*columns(ArcVersion))


#: What is asked along with the campaign: its Story Arcs follow from what was played, which is found there and then.
ASKED = (_begun, _turning_points, _taken_in, _arcs, _versions)


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
        add_arcs(actor=arrival.actor.get_username(), arcs=cards)
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
