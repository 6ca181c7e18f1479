"""A draft of a round, and a round with its battles, as their pages show them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q

from campaign.access import CampaignRole
from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages.battle_lines import BattleLine, battle_lines
from campaign.battles.pages.candidates import candidates
from campaign.models import Activity, Campaign
from campaign.models.activity import Action
from campaign.schedule.models import Pairing, Round
from campaign.schedule.proposal import BYE
from campaign.schedule.queries import Field, field_of
from core.names import name_order
from registers.models import Register


def draft_page(
    role: CampaignRole, campaign: Campaign, found: Round, typed: Mapping[str, UUID | None]
) -> dict[str, Any]:
    """Return a draft as `schedule/draft.html` shows it: its pairings, the number of battles it would create, the
    `systems` of the map, and the Registers that are left out, first those whose players can play. `typed` are the
    systems of a refused form, by the key of Blue. Eight queries.
    """
    field = field_of(role, campaign, found)
    rows = found.pairings.values_list("blue", "red", "system")
    pairs = [(str(blue), str(red) if red else BYE, typed.get(str(blue), system)) for blue, red, system in rows]
    known = [pair for pair in pairs if pair[0] in field.entries and (pair[1] == BYE or pair[1] in field.entries)]
    paired = {key for blue, red, _system in known for key in (blue, red)}
    left_out = [each for key, each in field.entries.items() if key not in paired]
    left_out.sort(key=lambda each: (bool(each.why), not each.can_play, name_order(str(each.register))))
    drawn = [_draft_row(field, *pair) for pair in known]
    return {
        "draft": found,
        "rows": drawn,
        "pairs": sum(bool(row["red"]) for row in drawn),
        "left_out": left_out,
        "systems": list(campaign.systems.all()),
    }


def _draft_row(field: Field, blue: str, red: str, system: UUID | None) -> dict[str, Any]:
    """Return a pairing: Blue and Red (None: a bye), how often they met before, whether one player or one team has both,
    whether they have no day in common, whose Turning Point Mission must be played, and the system they fight for.
    """
    one, other = field.entries[blue], field.entries.get(red)
    owes = next((key for key in (blue, red) if key in field.must), "") if other else ""
    return {
        "blue": one,
        "red": other,
        "met": field.met.get(frozenset((blue, red)), 0),
        "one_player": other and one.entrant.player and one.entrant.player == other.entrant.player,
        "mates": other and one.entrant.team and one.entrant.team == other.entrant.team,
        "no_day": other and not one.entrant.days & other.entrant.days,
        "system": system,
        "mission": field.entries[owes].register if owes else "",
    }


def to_plan_again(role: CampaignRole, campaign: Campaign, found: Round) -> list[Pairing]:
    """Return the pairings of a round whose battle was canceled and whose Registers can both fight: three queries."""
    canceled = found.pairings.filter(battle__status=Battle.Status.CANCELLED).select_related("blue", "red")
    able = {each.register.pk for each in candidates(role, campaign) if not each.why} if canceled else set()
    return [each for each in canceled if {each.blue_id, each.red_id} <= able]


def round_to_plan_again(role: CampaignRole, campaign: Campaign, register: Register) -> Round | None:
    """Return the latest round with a canceled battle of a Register, if it can be planned again: four queries."""
    own = Q(pairings__blue=register) | Q(pairings__red=register)
    found = campaign.rounds.filter(own, pairings__battle__status=Battle.Status.CANCELLED).order_by("-number").first()
    pairings = to_plan_again(role, campaign, found) if found else []
    return found if any(register.pk in (each.blue_id, each.red_id) for each in pairings) else None


def battles_of_round(found: Round) -> tuple[list[BattleLine], list[Register]]:
    """Return the battles of a round, those still open first, and the Registers that had a bye: five queries. A canceled
    battle says why.
    """
    cancellations = Activity.objects.filter(facts__act__in=(Action.CANCEL, Action.ANNUL))
    reasons = Prefetch("activity", cancellations, to_attr="cancellations")
    battles = Prefetch("battle", Battle.objects.prefetch_related(SIDES, reasons))
    pairings = list(found.pairings.select_related("blue__owner").prefetch_related(battles))
    lines = [_with_reason(line) for line in battle_lines(each.battle for each in pairings if each.battle)]
    lines.sort(key=lambda line: (line.battle.is_over, line.battle.number))
    return lines, [each.blue for each in pairings if each.red_id is None]


def _with_reason(line: BattleLine) -> BattleLine:
    noted = line.battle.cancellations[0].facts.get("reason") if line.battle.cancellations else ""
    return replace(line, note=f"{line.note}. {noted}") if noted else line
