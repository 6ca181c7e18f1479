"""A page is of one moment: an answer that is committed while it is read does not tear it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from campaign.battles.services import sequence
from tests.campaign.battles.closing import SCOUT_AND_T1, to_step_4
from tests.campaign.first_blood import Fought, begin


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tail", ["sequence/blue/", "sequence/blue/poll/"])
def test_an_answer_meanwhile(book, monkeypatch, tail):
    """Between the side and its Register are read, blue rolls the dice that end step 4."""
    fought, client = begin(), Client()
    to_step_4(fought)
    client.force_login(fought.ada)
    address = fought.battle.get_absolute_url() + tail
    before = shown(client, address)
    monkeypatch.setattr(sequence, "state_of", after(fought, sequence.state_of))
    assert shown(client, address) == before
    assert [fought.blue.step, shown(client, address)[0]] == [5, 5]


def shown(client: Client, address: str) -> tuple[int, Any]:
    """The step that a page shows, and the Register."""
    page = client.get(address).context["page"]
    return page.side.step, page.state


def after(fought: Fought, hold: Any) -> Any:
    """Reading a Register, for the first time after somebody else has answered."""
    answered = []

    def answer() -> None:
        fought.answer("blue", SCOUT_AND_T1)
        connection.close()

    def read(*words: Any, **more: Any) -> Any:
        if not answered:
            answered.append(True)
            with ThreadPoolExecutor(1) as pool:
                pool.submit(answer).result(timeout=60)
        return hold(*words, **more)

    return read
