"""A short summary of ledger entries: "+4 SP", "2 promotions", "Red Six fell"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rules.core.translation import gettext, ngettext
from rules.register import effects as e


def summary_of(effects: Iterable[e.Effect], names: Mapping[str, str]) -> list[dict[str, str]]:
    """Return what the effects of a battle come to, as short texts with a tone ("good", "bad" or nothing).

    `names` are the units' names by key (`registers.ledger.text.names_of`). The most important comes first.
    """
    fell: list[str] = []
    promoted: dict[str, int] = {}
    sums: Counter[str] = Counter()
    for effect in effects:
        match effect:
            case e.UnitFell():
                fell.append(names.get(effect.unit, effect.unit))
            case e.VeteranRankReached():
                promoted[names.get(effect.unit, effect.unit)] = effect.veteran_rank
            case e.SupplyPointsGained() | e.SupplyPointsSpent():
                sums["gained" if isinstance(effect, e.SupplyPointsGained) else "spent"] += effect.amount
            case e.ReputationGained():
                sums["reputation"] += effect.amount
            case e.AgendaProgressed():
                sums["agendas"] += effect.amount
            case e.ExperienceGained():
                sums["experience"] += effect.amount
            case _:
                sums[type(effect).__name__] += 1
    return [
        *({"text": gettext("{unit} fell", unit=unit), "tone": "bad"} for unit in fell),
        *(
            {"text": gettext("{unit}: VR {rank}", unit=unit, rank=rank), "tone": "good"}
            for unit, rank in promoted.items()
        ),
        *({"text": text, "tone": ""} for text in _sums(sums)),
    ]


def _sums(sums: Counter[str]) -> list[str]:
    texts = []
    if sums["reputation"]:
        texts.append(gettext("{change} Reputation", change=_signed(sums["reputation"])))
    if sums["gained"]:
        texts.append(gettext("{change} SP", change=_signed(sums["gained"])))
    if sums["spent"]:
        texts.append(gettext("{change} SP", change=_signed(-sums["spent"])))
    if sums["experience"]:
        texts.append(gettext("{change} XP", change=_signed(sums["experience"])))
    if sums["agendas"]:
        texts.append(gettext("{change} Agenda progress", change=_signed(sums["agendas"])))
    if number := sums["UnitAdded"]:
        texts.append(ngettext("{number} new unit", "{number} new units", number))
    if number := sums["UpgradeAdded"]:
        texts.append(ngettext("{number} upgrade", "{number} upgrades", number))
    if number := sums["CommendationAwarded"]:
        texts.append(ngettext("{number} Commendation", "{number} Commendations", number))
    if number := sums["SetbackGained"]:
        texts.append(ngettext("{number} Setback", "{number} Setbacks", number))
    if number := sums["Corrected"]:
        texts.append(ngettext("{number} correction", "{number} corrections", number))
    return texts


def _signed(amount: int) -> str:
    return f"{amount:+d}".replace("-", "−")
