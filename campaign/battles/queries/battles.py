"""Lists of battles: status, result, sides."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.formats import date_format, time_format

from accounts.models import User
from campaign.battles.access import SIDES, fighters_of
from campaign.battles.agenda_choice import side_to_choose
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.models import Campaign
from core.time_zones import site_zone
from registers.battle_names import BattleName
from registers.keys import key_in
from rules.core.translation import gettext, ngettext


def both_ways(battle: Battle) -> list[tuple[Side, Side]]:
    """Return both sides of a battle, blue first, each paired with the other. No query if they are prefetched."""
    blue, red = battle.sides.all()
    return [(blue, red), (red, blue)]


@dataclass(frozen=True, slots=True)
class BattleLine:
    """A battle in a list."""

    battle: Battle
    title: str
    note: str
    end: str = ""

    @property
    def url(self) -> str:
        """The URL of its page."""
        return self.battle.get_absolute_url()

    def fought_by(self, user: User) -> bool:
        """Return whether one of the user's Registers fights in it."""
        return user.pk in fighters_of(self.battle)


def battles_of(campaign: Campaign) -> QuerySet[Battle]:
    """Return all battles of a campaign, newest first, ready for `battle_lines`."""
    return campaign.battles.prefetch_related(SIDES)


def battle_lines(battles: Iterable[Battle]) -> list[BattleLine]:
    """Return battles (with their sides) as list lines."""
    return [_battle_line(battle) for battle in battles]


def _battle_line(battle: Battle) -> BattleLine:
    (blue, red), _ = both_ways(battle)
    parts = [
        gettext("Battle {number}", number=battle.number),
        ngettext("{number} point", "{number} points", battle.size),
    ]
    if battle.status in BEFORE_PLAY:
        parts += [when_text(battle, "MONTH_DAY_FORMAT"), *filter(None, [battle.place])]
    return BattleLine(
        battle,
        gettext("{blue} against {red}", blue=blue.name, red=red.name),
        f"{', '.join(parts)}: {status_text(battle)}",
        result(battle),
    )


def when_text(battle: Battle, days: str = "DATE_FORMAT") -> str:
    """Return when a battle takes place: its date in the format `days`, its time, and its time zone unless that is the
    site's ("21 April 2026, 19:00 Europe/Berlin").
    """
    return ", ".join(filter(None, [date_format(battle.date, days), clock_text(battle)]))


def clock_text(battle: Battle) -> str:
    """Return the time of a battle, and its time zone unless that is the site's; empty if no time is set."""
    if battle.time is None:
        return ""
    zone = battle.time_zone.replace("_", " ") if battle.time_zone not in ("", site_zone()) else ""
    return f"{time_format(battle.time)} {zone}".strip()


def open_amendment_of(battle: Battle) -> Amendment | None:
    """Return the open amendment of a battle, neither applied nor dropped yet."""
    return battle.amendments.filter(state=Amendment.State.OPEN).select_related("made_by").first()


def status_text(battle: Battle) -> str:
    """Return the status of a battle in a few words."""
    (blue, red), _ = both_ways(battle)
    match battle.status:
        case Battle.Status.PLANNED:
            late = [side.name for side in (blue, red) if not side.army_chosen]
            if len(late) == 1:
                return gettext("{side} is choosing its army", side=late[0])
            return gettext("both are choosing armies")
        case Battle.Status.READY if waits_for := side_to_choose(battle.sides.all()):
            return gettext("{side} is choosing its Agenda", side=waits_for.name)
        case Battle.Status.READY:
            return gettext("ready to start")
        case Battle.Status.SEQUENCE:
            under_way = (side for side in (blue, red) if not side.done)
            return ", ".join(gettext("{side} at step {step}", side=each.name, step=each.step) for each in under_way)
        case Battle.Status.CLOSED:
            winner = next((side.name for side in (blue, red) if side.colour == battle.winner), "")
            return gettext("{winner} won", winner=winner) if winner else gettext("a draw")
        case _:
            return str(battle.get_status_display())


def result(battle: Battle) -> str:
    """Return the victory points, blue to red, if the report has any."""
    (blue, red), _ = both_ways(battle)
    known = battle.version and (blue.victory_points or red.victory_points)
    return f"{blue.victory_points}–{red.victory_points}" if known else ""


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """Return the names of battles for the pages of the Registers."""
    found = Battle.objects.filter(pk__in=[pk for pk in ids if key_in(pk)])
    return {
        str(battle.pk): BattleName(
            gettext("Battle {number}", number=battle.number), battle.get_absolute_url(), str(battle.number)
        )
        for battle in found
    }
