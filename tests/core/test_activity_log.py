"""The logs of campaigns and events: every kind of line has words."""

import pytest

from campaign.battles.pages.activity import BATTLE_PRESENTERS, PRESENTERS, SENTENCES
from campaign.models import ActivityKind
from campaign.models.activity import Action
from core.activity_log import Presenters
from tournaments.models import LogKind
from tournaments.pages.log import PRESENTERS as EVENT_PRESENTERS


@pytest.mark.parametrize(
    ("kinds", "registries"),
    [
        (ActivityKind, (PRESENTERS, SENTENCES["lines"])),
        (Action, (BATTLE_PRESENTERS, SENTENCES["battle"])),
        (LogKind, (EVENT_PRESENTERS,)),
    ],
)
def test_every_kind_is_worded_once(kinds, registries):
    assert sorted(kind for registry in registries for kind in registry) == sorted(kinds)


def test_a_kind_has_one_presenter():
    presenters = Presenters()
    presenters.presents("joined")(str)
    with pytest.raises(ValueError, match="joined has a presenter already"):
        presenters.presents("joined")(repr)
