"""Custom Story Arcs in the file: the campaign's own, those it has adopted, and those its Registers have begun."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Prefetch, Q

from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.registers import carried
from campaign.archive.parts.scope import Scope
from campaign.models import Campaign
from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from catalogue.services.load import add_arcs
from registers.models import LedgerEntry
from rules.register.effects import StoryArcBegun

ARC = ("id", "origin", "draft", "revision", "picture", "created_at")
VERSION = ("number", "content", "by", "published_at")


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Yield each arc with the versions that this campaign knows, and another campaign's without its draft and map."""
    campaign = scope.campaign
    played = _played(campaign)
    taken = dict(AdoptedArc.objects.filter(campaign=campaign).values_list("arc", "version__number"))
    known = Q(campaign=campaign) | Q(pk__in=taken) | Q(versions__story_arc__in=played)
    arcs = CustomArc.objects.filter(pk__in=CustomArc.objects.filter(known).values("pk")).select_related("picture")
    numbered = Prefetch("versions", ArcVersion.objects.order_by("number"))
    for arc in arcs.order_by("created_at", "pk").prefetch_related(numbered):
        ours = arc.campaign_id == campaign.pk
        versions = list(arc.versions.all())
        if not ours:
            versions = _known(versions, taken.get(arc.pk), played)
        yield {
            **scope.values(arc, *(ARC if ours else ("id", "origin", "created_at"))),
            **({} if ours else {"draft": versions[-1].content, "revision": 1, "picture": None}),
            "taken_in": taken.get(arc.pk),
            "versions": [{**scope.values(each, *VERSION), "card": each.story_arc_id} for each in versions],
        }


def _played(campaign: Campaign) -> set[str]:
    kind = StoryArcBegun.__name__
    begun = LedgerEntry.objects.filter(register__in=carried(campaign), effects__contains=[{"kind": kind}])
    fought = campaign.battles.exclude(turning_point=None).values_list("turning_point", flat=True)
    return {
        effect["story_arc"]
        for effects in begun.values_list("effects", flat=True)
        for effect in effects
        if effect["kind"] == kind
    } | set(fought)


def _known(versions: Iterable[ArcVersion], taken: int | None, played: set[str]) -> list[ArcVersion]:
    """Return the versions up to the last one that was adopted or begun."""
    numbers = [each.number for each in versions if each.story_arc_id in played]
    last = max([*numbers, taken or 0])
    return [each for each in versions if each.number <= last]


def bring(arrival: Arrival) -> None:
    """Create the Story Arcs of the file in the campaign. Arcs that ship with Musterbook exist on this site already."""
    arcs, versions = [], {}
    for row in arrival.data["story_arcs"]:
        if not row["origin"]:
            arcs.append(arc := CustomArc(campaign=arrival.campaign, **arrival.values(CustomArc, row, *ARC)))
            versions |= {(row["id"], each["number"]): _published(arrival, arc, each) for each in row["versions"]}
    known = {**arrival.shipped, **versions}
    taken = [known[arc["id"], arc["taken_in"]] for arc in arrival.data["story_arcs"] if arc["taken_in"]]
    cards = {version.story_arc_id: version.content for version in versions.values()}
    if cards:  # the catalogue has one writer at a time
        add_arcs(actor=arrival.actor.get_username(), arcs=cards)
    CustomArc.objects.bulk_create(arcs)
    ArcVersion.objects.bulk_create(versions.values())
    AdoptedArc.objects.bulk_create(
        AdoptedArc(campaign=arrival.campaign, arc=version.arc, version=version) for version in taken
    )


def _published(arrival: Arrival, arc: CustomArc, version: Mapping[str, Any]) -> ArcVersion:
    return ArcVersion(arc=arc, story_arc_id=version["card"], **arrival.values(ArcVersion, version, *VERSION))
