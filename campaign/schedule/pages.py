"""A draft of a round, and a round with its battles, as their pages show them."""

from typing import Any

from django.db.models import Prefetch

from campaign.access import CampaignRole
from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages.battle_lines import BattleLine, battle_lines
from campaign.models import Campaign
from campaign.schedule.models import Round
from campaign.schedule.proposal import BYE
from campaign.schedule.queries import Field, field_of
from core.names import name_order
from registers.models import Register


def draft_page(role: CampaignRole, campaign: Campaign, found: Round) -> dict[str, Any]:
    """Return a draft as `schedule/draft.html` shows it: its pairings, the number of battles it would create, and the
    Registers that are left out, first those whose players can play. Seven queries.
    """
    field = field_of(role, campaign, found)
    pairs = [(str(blue), str(red) if red else BYE) for blue, red in found.pairings.values_list("blue", "red")]
    known = [(blue, red) for blue, red in pairs if blue in field.entries and (red == BYE or red in field.entries)]
    paired = {key for pair in known for key in pair}
    left_out = [each for key, each in field.entries.items() if key not in paired]
    left_out.sort(key=lambda each: (bool(each.why), not each.can_play, name_order(str(each.register))))
    rows = [_draft_row(field, *pair) for pair in known]
    return {"draft": found, "rows": rows, "pairs": sum(bool(row["red"]) for row in rows), "left_out": left_out}


def _draft_row(field: Field, blue: str, red: str) -> dict[str, Any]:
    """Return a pairing: Blue and Red (None: a bye), how often they met before, whether one player has both, and whose
    Turning Point Mission must be played.
    """
    one, other = field.entries[blue], field.entries.get(red)
    owes = next((key for key in (blue, red) if key in field.must), "") if other else ""
    return {
        "blue": one,
        "red": other,
        "met": field.met.get(frozenset((blue, red)), 0),
        "one_player": other and one.entrant.player and one.entrant.player == other.entrant.player,
        "mission": field.entries[owes].register if owes else "",
    }


def battles_of_round(found: Round) -> tuple[list[BattleLine], list[Register]]:
    """Return the battles of a round, those still open first, and the Registers that had a bye: three queries."""
    battles = Prefetch("battle", Battle.objects.prefetch_related(SIDES))
    pairings = list(found.pairings.select_related("blue__owner").prefetch_related(battles))
    lines = battle_lines(each.battle for each in pairings if each.battle)
    lines.sort(key=lambda line: (line.battle.is_over, line.battle.number))
    return lines, [each.blue for each in pairings if each.red_id is None]
