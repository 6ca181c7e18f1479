"""The next step of a player who is not in the middle of anything: one card on the home page."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaign.battles.pages.register_lines import RegisterLine
from dashboard.queries import Home
from members.models import Role
from rules.core.values import KeywordValue

#: Campaigns that one card offers for a Register.
MOST_OFFERED = 3


class Link(KeywordValue):
    """A button of the card; `posts` if it is sent as a form."""

    label: str
    href: str
    posts: bool = False


class NextStep(KeywordValue):
    """What to do next. `joins`: the card asks for an invitation, too."""

    title: str
    text: str
    links: tuple[Link, ...] = ()
    joins: bool = False


def next_step(home: Home) -> NextStep | None:
    """Return the first thing that keeps this player from playing; None if they only have to plan a battle."""
    return next(_steps(home), None)


def _steps(home: Home) -> Iterator[NextStep]:
    played = [campaign for campaign in home.campaigns if campaign.role != Role.VIEWER and campaign.is_open]
    free = [line for line in home.registers if line.register.commissioned and not hasattr(line.register, "enlistment")]
    create = Link(label=_("Create a campaign"), href=reverse("campaign:new"))
    build = Link(label=_("Build a Register"), href=reverse("registers:new"))
    if not (home.campaigns or home.registers or home.events):
        text = _("Join a campaign by link, or create one. You can also build your Register first and add it later.")
        yield NextStep(title=_("Get started"), text=text, links=(create, build), joins=True)
    if free and played:
        yield _add(free[0], played)
    if free:
        title = _("Find a campaign for %(register)s") % {"register": free[0].register}
        text = _("Join one by link, or create one and invite an opponent.")
        play = Link(label=_("Play a battle"), href=reverse("battles:solo", args=[free[0].register.pk]))
        yield NextStep(title=title, text=text, links=(create, play), joins=True)
    for campaign in played:
        yield from _in_campaign(campaign)
    if (home.registers or home.campaigns) and not any(campaign.is_open for campaign in home.campaigns):
        text = _("Join one by link, or create one.")
        yield NextStep(title=_("Find a campaign"), text=text, links=(create,), joins=True)


def _add(line: RegisterLine, campaigns: list[Any]) -> NextStep:
    links = tuple(
        Link(
            label=_("Add to %(campaign)s") % {"campaign": campaign},
            href=reverse("campaign:add_register", args=[campaign.pk, line.register.pk]),
            posts=True,
        )
        for campaign in campaigns[:MOST_OFFERED]
    )
    title = _("Add %(register)s to a campaign") % {"register": line.register}
    return NextStep(title=title, text=_("A Register fights in one campaign."), links=links)


def _in_campaign(campaign: Any) -> Iterator[NextStep]:
    """Yield what a campaign lacks before its player can fight, most urgent first."""
    there, organizes = campaign.get_absolute_url(), campaign.role == Role.ORGANIZER
    invite = Link(label=_("Invite an opponent"), href=f"{reverse('campaign:people', args=[campaign.pk])}#invite")
    if organizes and campaign.members == 1:
        title = _("Invite an opponent to %(campaign)s") % {"campaign": campaign}
        build = Link(label=_("Build your Register"), href=f"{there}#registers")
        text = _("Nobody else is in this campaign yet. Send them a link, or show them the QR code.")
        yield NextStep(title=title, text=text, links=(invite,) if campaign.own else (invite, build))
    elif not campaign.own and not (organizes and campaign.fought):
        title = _("Build your Register for %(campaign)s") % {"campaign": campaign}
        text = _("Choose your Paragon, your units and a Story Arc. Then you can plan battles.")
        yield NextStep(title=title, text=text, links=(Link(label=_("Build a Register"), href=f"{there}#registers"),))
    elif campaign.ready == 1 and not campaign.fought:
        title = _("Wait for a second Register in %(campaign)s") % {"campaign": campaign}
        text = _("A battle needs two Registers, or a guest as the opponent.")
        look = Link(label=_("Open the campaign"), href=there)
        yield NextStep(title=title, text=text, links=(invite, look) if organizes else (look,))
    elif campaign.ready > 1 and not campaign.fought:
        title = _("Plan the first battle of %(campaign)s") % {"campaign": campaign}
        text = _("Agree on the size, the day and who plays Blue. Then both of you choose an army.")
        plan = Link(label=_("Plan a battle"), href=reverse("battles:plan", args=[campaign.pk]))
        yield NextStep(title=title, text=text, links=(plan,))
