"""A short summary of ledger entries: "+4 SP", "2 promotions", "Red Six fell"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rules.core.translation import gettext, gettext_noop, ngettext
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
    amounts = [
        (gettext_noop("{change} Reputation"), sums["reputation"]),
        (gettext_noop("{change} SP"), sums["gained"]),
        (gettext_noop("{change} SP"), -sums["spent"]),
        (gettext_noop("{change} XP"), sums["experience"]),
        (gettext_noop("{change} Agenda progress"), sums["agendas"]),
    ]
    return [
        *(gettext(text, change=_signed(amount)) for text, amount in amounts if amount),
        *(text for kind, text in _counts(sums) if sums[kind]),
    ]


def _counts(sums: Counter[str]) -> Iterator[tuple[str, str]]:
    yield "UnitAdded", ngettext("{number} new unit", "{number} new units", sums["UnitAdded"])
    yield "UpgradeAdded", ngettext("{number} upgrade", "{number} upgrades", sums["UpgradeAdded"])
    awarded = sums["CommendationAwarded"]
    yield "CommendationAwarded", ngettext("{number} Commendation", "{number} Commendations", awarded)
    yield "SetbackGained", ngettext("{number} Setback", "{number} Setbacks", sums["SetbackGained"])
    yield "Corrected", ngettext("{number} correction", "{number} corrections", sums["Corrected"])


def _signed(amount: int) -> str:
    return f"{amount:+d}".replace("-", "−")
