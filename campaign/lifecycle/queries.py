"""Reasons why a campaign cannot be closed or deleted."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from campaign.battles.models import Amendment, Battle
from campaign.battles.state_machine import BEFORE_PLAY, OPEN
from campaign.models import ActivityKind, Campaign
from rules.core.violations import Violation


def battles_under_way(battles: Sequence[Battle]) -> list[Battle]:
    """Return those of a campaign's battles that have begun and are not over, or that are being corrected."""
    amended = Amendment.objects.filter(battle__in=battles, state=Amendment.State.OPEN)
    corrected = set(amended.values_list("battle", flat=True))
    return [each for each in battles if each.pk in corrected or each.status in {*OPEN} - {*BEFORE_PLAY}]


def planned_battles(battles: Sequence[Battle]) -> list[Battle]:
    """Return those of a campaign's battles that have not begun."""
    return [each for each in battles if each.status in BEFORE_PLAY]


def closing_violations(battles: Sequence[Battle]) -> Iterator[Violation]:
    """Yield why a campaign with these battles cannot be closed: each battle that is not over."""
    for battle in battles_under_way(battles):
        names = {"battle": battle, "state": battle.get_status_display()}
        if battle.status in OPEN:
            text = gettext("%(battle)s is not over (%(state)s). Finish or cancel it first.") % names
        else:
            text = gettext("A correction of %(battle)s is open. Apply or drop it first.") % names
        yield Violation("", text, str(battle.pk))


def deletion_violations(campaign: Campaign) -> Iterator[Violation]:
    """Yield why a campaign cannot be deleted: nobody has downloaded its file, or it has changed since."""
    if campaign.exported_at is None:
        yield Violation("", gettext("Download the campaign file first."))
    elif campaign.activity.filter(at__gt=campaign.exported_at).exclude(kind=ActivityKind.LIFECYCLE).exists():
        yield Violation("", gettext("The campaign has changed since its file was downloaded. Download it again."))
