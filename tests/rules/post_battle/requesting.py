"""Step 7 with its wishes and effects, for its tests."""

from typing import Any

from rules.core.rulebook import Rulebook
from rules.post_battle.aid_requests import make_aid_requests
from rules.post_battle.dialogue import Progress
from rules.register.effects import AidRequested, Effect, SupplyPointsSpent
from rules.register.state import RegisterState

from ..build import PARAGON, play, report, state

REINFORCEMENTS, PROVISIONS = "request-reinforcements", "supplies-and-provisions"


def step(book: Rulebook, *answers: Any, start: RegisterState | None = None) -> Progress:
    return play(book, start or state(), lambda context: make_aid_requests(context, report(PARAGON)), answers)


def wish(request: str, **words: str) -> dict[str, str]:
    return {"request": request, **words}


def paid(slug: str, name: str, cost: int = 1, asset: str = "") -> list[Effect]:
    return [AidRequested(request=slug, asset=asset, rule="R41"), SupplyPointsSpent(amount=cost, rule="R41", why=name)]
