"""The dice of a battle (what was promised, what fell, a word of one's own, the file), and those of a campaign."""

from __future__ import annotations

from itertools import groupby
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.battle_dice import drawn_in, entries_of, exported, unsealed
from campaign.life import OVER
from campaign.pictures.dice import fallen
from campaign.services import dice
from config.paths import BASE_DIR
from rules.refusal import Refusal

from .battles import WORD, show
from .common import crumbs_of

#: What whoever trusts no page runs at home.
SCRIPT = BASE_DIR / "docs" / "check_dice.py"


@require_safe
def of_battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All dice of a battle, with what was promised before."""
    battle, _role = access.battle_for(request.user, pk)
    entries = entries_of(battle)
    drawn = drawn_in(battle, entries)
    seeds = list(battle.dice_seeds.all())
    shown = {seed.number for seed in seeds if seed.shown}
    context = {
        "battle": battle,
        "crumbs": crumbs_of(battle.campaign, battle),
        "seeds": seeds,
        "sides": [(side, list(rolls)) for side, rolls in groupby(drawn, key=lambda one: one.side)],
        "several": len(seeds) > 1,
        "unsealed": unsealed(battle, entries),
        "over": battle.status in OVER,
        "all_typed": drawn and not any(one.number for one in drawn),
        "script": SCRIPT.read_text("utf-8"),
        "checkable": any(one.number and one.seed in shown for one in drawn),
    }
    return render(request, "campaign/dice.html", context)


@require_safe
def as_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The same as a file, for docs/check_dice.py and the check in the browser."""
    battle, _role = access.battle_for(request.user, pk)
    return JsonResponse(
        exported(battle, drawn_in(battle, entries_of(battle))),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="dice-of-battle-{battle.number}.json"'},
    )


@require_POST
def word(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Mix in the player's own word."""
    side = access.own_side_for(request.user, pk)
    try:
        dice.mix_in(actor=request.user, side_id=side.pk, word=request.POST.get("word", ""))
    except Refusal as refusal:
        return show(request, *access.battle_for(request.user, side.battle_id), WORD, refusal.problems)
    messages.success(request, _("Your word is mixed in."))
    return redirect(f"{side.battle.get_absolute_url()}#dice")


@require_safe
def statistics(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How all dice of a campaign fell, beside what is expected of fair ones."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = fallen(campaign)
    context = {
        "campaign": campaign,
        "app": [one for one in found if not one.typed],
        "typed": [one for one in found if one.typed],
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/dice_statistics.html", context)
