"""Writing a Story Arc of one's own: beginning a draft, changing it, discarding it."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from campaign.models import ArcVersion, Campaign, OwnArc
from rules.language import gettext
from rules.own_arcs import LONGEST_NAME, Arc, blank_arc
from rules.refusal import refuse

from .arcs import ONLY_ORGANISERS, lock_arc
from .locks import check_organizer, lock_campaign

#: More than a playgroup will ever write.
MOST_ARCS = 30


@transaction.atomic
def begin(
    *, actor: User, campaign: Campaign, name: str, like: ArcVersion | None = None, arc_id: UUID | None = None
) -> OwnArc:
    """Begin to write an arc in the campaign: an empty one, or one that starts as a copy of the version `like`.

    `arc_id` is the primary key it shall have, so that a form which comes twice begins it once. Refuses who does not
    organise the campaign, an empty or overlong name, and one arc too many.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext(ONLY_ORGANISERS))
    if arc_id and (begun := OwnArc.objects.filter(pk=arc_id, campaign=campaign).first()):
        return begun
    name = name.strip()
    if not name:
        raise refuse("", gettext("Give the Story Arc a name."), "name")
    if len(name) > LONGEST_NAME:
        raise refuse("", gettext("{longest_name} letters at most.", longest_name=LONGEST_NAME), "name")
    if OwnArc.objects.filter(campaign=campaign).count() >= MOST_ARCS:
        raise refuse(
            "", gettext("A campaign writes {most_arcs} Story Arcs at most.", most_arcs=MOST_ARCS), "name"
        )
    draft = {**like.content, "name": name} if like else blank_arc(name)
    arc, _ = OwnArc.objects.get_or_create(
        pk=arc_id or uuid4(), defaults={"campaign": campaign, "draft": draft}
    )
    if arc.campaign_id != campaign.pk:
        raise refuse("", gettext("This Story Arc is written somewhere else."))
    return arc


@transaction.atomic
def change(*, actor: User, arc_id: UUID, revision: int | None, draft: Arc) -> OwnArc:
    """Put `draft` in the place of what was written; `revision` is the one it was made from.

    What is there already changes nothing, so that a form may come twice. Refuses who does not organise the campaign,
    and a draft that somebody else has changed meanwhile. It may be incomplete: `publish` asks for the rest.
    """
    arc, _ = lock_arc(actor, arc_id)
    if arc.draft == draft:
        return arc
    if revision != arc.revision:
        raise refuse(
            "",
            gettext(
                "Somebody has changed this Story Arc meanwhile. Look at it as it is now, then try again."
            ),
        )
    arc.draft = draft
    arc.revision += 1
    arc.save(update_fields=["draft", "revision"])
    return arc


@transaction.atomic
def discard(*, actor: User, campaign: Campaign, arc_id: UUID) -> None:
    """Throw a draft away that was never published. Twice changes nothing.

    Refuses who does not organise the campaign, and an arc of which there are versions: Registers may be on them.
    """
    arc = OwnArc.objects.select_for_update(no_key=True).filter(pk=arc_id, campaign=campaign).first()
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext(ONLY_ORGANISERS))
    if arc is None:
        return
    if arc.versions.exists():
        raise refuse("", gettext("A Story Arc that was published stays. Put it away instead."))
    arc.delete()
