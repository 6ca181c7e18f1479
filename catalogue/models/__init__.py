"""The cards in the database, one model a kind; whatever names another kind stands after it."""

from .base import Card, CatalogueState, PointsChange, SourcedCard
from .printed import (
    BattleCard,
    BattleForce,
    BattleForceCard,
    CommandCard,
    Counterpart,
    RankRequirement,
    Unit,
    Upgrade,
)
from .tours import (
    Agenda,
    AidRequest,
    Asset,
    Commendation,
    DefiningTrait,
    Keyword,
    ParagonCommandCard,
    Setback,
    StoryArc,
    TurningPoint,
)

#: Kind of card, as `rules.reading` names it, to its model.
MODELS: dict[str, type[Card]] = {
    "unit": Unit,
    "upgrade": Upgrade,
    "counterpart": Counterpart,
    "command_card": CommandCard,
    "battle_force": BattleForce,
    "battle_force_card": BattleForceCard,
    "rank_requirement": RankRequirement,
    "battle_card": BattleCard,
    "keyword": Keyword,
    "story_arc": StoryArc,
    "commendation": Commendation,
    "setback": Setback,
    "defining_trait": DefiningTrait,
    "aid_request": AidRequest,
    "asset": Asset,
    "paragon_command_card": ParagonCommandCard,
    "agenda": Agenda,
    "turning_point": TurningPoint,
}

__all__ = [
    "MODELS",
    "Agenda",
    "AidRequest",
    "Asset",
    "BattleCard",
    "BattleForce",
    "BattleForceCard",
    "Card",
    "CatalogueState",
    "CommandCard",
    "Commendation",
    "Counterpart",
    "DefiningTrait",
    "Keyword",
    "ParagonCommandCard",
    "PointsChange",
    "RankRequirement",
    "Setback",
    "SourcedCard",
    "StoryArc",
    "TurningPoint",
    "Unit",
    "Upgrade",
]
