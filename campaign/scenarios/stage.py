"""The state of a scenario while it is played, and how a part of an act may be refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from campaign.models import Campaign, Membership
from campaign.services.campaigns import change_campaign_rules
from core.scenarios import ExpectationFailed, ScenarioError, is_refused
from registers import projection
from registers.models import Register
from rules.core.campaign_rules import from_data
from rules.core.violations import RuleViolation

from .answers import Handles


@dataclass
class Stage:
    """The state of a scenario: the campaign, its people, Registers by handle, units by handle."""

    campaign: Campaign
    registers: dict[str, UUID] = field(default_factory=dict)
    handles: dict[str, Handles] = field(default_factory=dict)

    def register(self, handle: str) -> Register:
        """Return the current Register."""
        if handle not in self.registers:
            raise ScenarioError(f"no Register {handle!r} was built")
        return Register.objects.get(pk=self.registers[handle])

    def next_key(self, handle: str) -> str:
        """Return the key that the next unit of the Register gets."""
        return str(projection.state_of(self.register(handle)).next_key)

    def owner(self, handle: str) -> User:
        """Return the player of the Register."""
        if (owner := self.register(handle).owner) is None:
            raise ScenarioError(f"Register {handle!r} has no player")
        return owner

    def agree_on(self, campaign_rules: Mapping[str, Any]) -> None:
        """Let an organizer change the campaign rules to these, with names as in `rules.core.campaign_rules`."""
        organizer, _ = User.objects.get_or_create(username="organizer")
        Membership.objects.get_or_create(
            campaign=self.campaign, user=organizer, defaults={"role": Membership.Role.ORGANIZER}
        )
        try:
            wanted = from_data(campaign_rules)
            self.campaign = change_campaign_rules(
                actor=organizer, campaign=self.campaign, campaign_rules=wanted, version=None
            )
        except (TypeError, ValueError, RuleViolation) as error:
            raise ScenarioError(f"terms: {error}") from error


def maybe_refused(entry: Mapping[str, Any], act: Callable[[], object]) -> bool:
    """Run a part of an act that may itself say "refused". Return whether it was accepted."""
    if "refused" not in entry:
        act()
        return True
    try:
        return not is_refused(entry, act)
    except ExpectationFailed as error:
        raise ExpectationFailed(f"{entry}: {error}") from error
