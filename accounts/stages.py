"""A stage of signing in that differs from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account import stages


class EmailVerificationStage(stages.EmailVerificationStage):
    """Asks whoever signs up to confirm their address: the one that was kept a moment ago, so it is not looked for."""

    def handle(self) -> Any:
        """As allauth's."""
        if self.login.signup and self.login.user:
            self.login.email = self.login.email or self.login.user.email or None
        return super().handle()
