"""The choice of Agendas on the page of a battle (R22, R23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaign.battles.agenda_choice import agendas_version, side_to_choose
from campaign.battles.models import Battle
from campaign.battles.queries.armies import SideView
from campaign.battles.report_data import book_of
from rules.battle.army import open_agendas


@dataclass(frozen=True, slots=True)
class AgendaChoices:
    """The choices so far. `turn` is the side that chooses next, from `options`; None once all have chosen.

    `chosen` are the sides that have chosen, Blue first; only those of them in `changeable` may change their choice: the
    last one, and any whose Agenda an earlier battle has completed since. `version`: see `agendas_version`.
    """

    turn: SideView | None
    options: Sequence[dict[str, Any]]
    chosen: Sequence[SideView]
    changeable: Sequence[SideView]
    version: int


def agenda_choices(battle: Battle, views: Sequence[SideView]) -> AgendaChoices | None:
    """Return the choice of Agendas in a battle with these sides, Blue first; None before both armies are ready, and
    once the battle has begun. No query.
    """
    if battle.status != Battle.Status.READY:
        return None
    due = side_to_choose(view.side for view in views)
    turn = next((view for view in views if view.side is due), None)
    free = [view for view in views if view.may_bring_agenda and view.side.agenda is not None]
    outdated = [view for view in views if view.side.agenda and view.side.agenda not in _open_agendas(view)]
    return AgendaChoices(
        turn=turn,
        options=_options(turn) if turn and turn.mine else (),
        chosen=[view for view in views if view in free or view in outdated],
        changeable=[*free[-1:], *outdated],
        version=agendas_version(view.side for view in views),
    )


def _open_agendas(view: SideView) -> list[str]:
    return [agenda.slug for agenda in open_agendas(book_of(view.side), view.state)] if view.may_bring_agenda else []


def _options(view: SideView) -> list[dict[str, Any]]:
    return [
        {
            "value": agenda.slug,
            "label": agenda.name,
            "note": agenda.tally,
            "done": view.state.agendas.get(agenda.slug, 0),
            "total": agenda.progressions_to_complete,
        }
        for agenda in open_agendas(book_of(view.side), view.state)
    ]
