"""Battles and Story Arcs on paper."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import access
from campaign.arc_lists import versions_seen
from campaign.armies import side_views
from campaign.books import book_of
from campaign.paper.muster import is_printable, muster_leaves
from catalogue.snapshot import rulebook
from registers.paper.arcs import arc_cards
from registers.paper.page import Printed, answer, choice, paper_choice, stock_choice
from registers.paper.stock import card_leaves
from rules.own_arcs import WORKBENCH, book_with

from .battle import crumb, crumbs_of


@require_safe
def muster(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The muster sheets of a battle: of each army that this person may see, while the battle is being fought."""
    battle, role = access.battle_for(request.user, pk)
    shown = [view for view in side_views(role, battle) if is_printable(view)]
    sides = {view.side.colour: view for view in sorted(shown, key=lambda view: not view.mine)}
    asked = choice(
        request.GET,
        "side",
        _("Which army"),
        [*((colour, view.side.name, "") for colour, view in sides.items()), ("both", _("Both"), "")],
    )
    paper_asked, paper = paper_choice(request.GET)
    wished = [sides[asked.current]] if asked.current in sides else list(sides.values())
    leaves = [
        leaf
        for view in wished
        for leaf in muster_leaves(book_of(view.side), battle, view.side, view.force, view.allowed, paper)
    ]
    return answer(
        request,
        Printed(
            name=str(battle),
            paper=paper,
            leaves=leaves,
            choices=[*([asked] if len(sides) > 1 else []), paper_asked],
            crumbs=[*crumbs_of(battle.campaign), crumb(battle)],
            nothing=_("There is no army to print, or none that you may see."),
        ),
    )


@require_safe
def arc(request: HttpRequest, pk: UUID, version: int) -> HttpResponse:
    """The cards of a Story Arc that the campaign has taken in or may take in."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = get_object_or_404(versions_seen(campaign), pk=version)
    book = book_with(rulebook(), found.content)
    paper_asked, paper = paper_choice(request.GET)
    stock_asked, stock = stock_choice(request.GET)
    return answer(
        request,
        Printed(
            name=found.story_arc.name,
            paper=paper,
            leaves=card_leaves(arc_cards(book, book.story_arcs[WORKBENCH]), stock, paper),
            choices=[stock_asked, paper_asked],
            crumbs=[
                {"label": str(campaign), "href": campaign.get_absolute_url()},
                {
                    "label": found.story_arc.name,
                    "href": reverse("campaign:arc_version", args=[campaign.pk, found.pk]),
                },
            ],
        ),
    )
