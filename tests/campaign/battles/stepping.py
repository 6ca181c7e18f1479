"""Browsers of the two players on the page of the sequence."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.campaign.first_blood import Fought
from tests.html import html_of

HTMX = {"HTTP_HX_REQUEST": "true"}


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(fought: Fought) -> Client:
    return client_of(fought.ada)


@pytest.fixture
def ben(fought: Fought) -> Client:
    return client_of(fought.ben)


def url(fought: Fought, colour: str = "blue", part: str = "") -> str:
    return f"/battles/{fought.battle.pk}/sequence/{colour}/{part}"


def words(response: Any) -> str:
    """What stands on the page, in one line."""
    return " ".join(unescape(html_of(response)).split())


def post(client: Client, fought: Fought, colour: str, turn: int | None = None, **data: Any) -> Any:
    turn = fought.side(colour).turn if turn is None else turn
    return client.post(url(fought, colour), {"turn": turn, **data}, **HTMX)
