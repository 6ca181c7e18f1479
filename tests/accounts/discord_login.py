"""Somebody who comes back from Discord."""

import pytest

KEYS = {"client_id": "1234", "secret": "shh"}


@pytest.fixture
def discord(settings):
    settings.SOCIALACCOUNT_PROVIDERS = {"discord": {"SCOPE": ["identify"], "APPS": [KEYS]}}


def came_back(client, monkeypatch):
    """Come back from Discord, which says who one is."""
    from allauth.socialaccount.providers.discord.views import DiscordOAuth2Adapter
    from allauth.socialaccount.providers.oauth2.client import OAuth2Client

    monkeypatch.setattr(OAuth2Client, "get_access_token", lambda *_, **__: {"access_token": "t"})
    monkeypatch.setattr(
        DiscordOAuth2Adapter,
        "complete_login",
        lambda self, request, *_, **__: self.get_provider().sociallogin_from_response(
            request, {"id": "7", "username": "leia.o"}
        ),
    )
    sent = client.post("/accounts/discord/login/?process=login")
    state = sent.url.partition("state=")[2].partition("&")[0]
    return client.get(f"/accounts/discord/login/callback/?code=c&state={state}")
