"""No line of the log tells of a person: a walk over the site with what people type, also while all goes wrong."""

from contextlib import nullcontext

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory, override_settings

from accounts.models import User
from tests.campaign.conftest import book
from tests.ops.monitoring.reading import Log
from tests.walking import Site
from tests.world import World, addresses, make_world

__all__ = ["book"]

#: Ends each name in the world.
MARK = "-Quillfeather"
TYPED, PASSWORD, ADDRESS, BROWSER = "Zymurgy", "hush-4-parade", "203.0.113.9", "Pigeon/7"
MAIL = f"{TYPED}@example.org"
FORM = dict.fromkeys(
    ("name", "title", "text", "notes", "reason", "username", "login", "what", "word", "turn"), TYPED
) | {"email": MAIL, "password": PASSWORD, "password1": PASSWORD, "url": f"https://discord.com/api/webhooks/7/{TYPED}"}
#: Their pages take seconds to be made, and say in the log what others say.
DEAR = ("print/", "/book/", "forms/", "card.png", "file/")


@pytest.fixture
def world(book) -> World:
    return make_world(MARK)


def paths(world: World) -> list[str]:
    """All addresses but the dear ones; of the admin those of accounts."""
    return [
        address.filled(world)
        for address in addresses()
        if not any(part in address.route for part in DEAR)
        and (not address.route.startswith("admin/") or "accounts/user" in address.route)
    ]


def walk(world: World, role: str, *, failing: bool = False) -> int:
    """Ask for everything, and send a form to everything; returns how many requests that were."""
    client = Client()
    if role != "anonymous":
        client.force_login(world.people[role])
    site, asked = Site(enforce_csrf_checks=False), 0
    factory = RequestFactory(REMOTE_ADDR=ADDRESS, HTTP_X_FORWARDED_FOR=ADDRESS, HTTP_USER_AGENT=BROWSER)
    factory.cookies = client.cookies
    for path in paths(world):
        for environ in (
            factory.get(path, {"q": TYPED, "next": f"/{TYPED}/"}).environ,
            factory.post(path, FORM).environ,
        ):
            with transaction.atomic(), connection.execute_wrapper(Failing()) if failing else nullcontext():
                response = site(environ)
                b"".join(response.streaming_content) if response.streaming else None
                transaction.set_rollback(True)
            asked += 1
    return asked


class Failing:
    """A database that refuses the third query of each request, and quotes what was typed."""

    def __init__(self) -> None:
        self.left = 3

    def __call__(self, execute, sql, params, many, context):
        self.left -= 1
        if self.left == 0:
            raise DatabaseError(f"Key (name)=({TYPED}) of {params}")
        return execute(sql, params, many, context)


@pytest.mark.parametrize(
    ("role", "failing"),
    [pytest.param("staff", False, marks=pytest.mark.nightly), ("owner", True), ("anonymous", False)],
)
def test_no_line_tells_of_a_person(world, role, failing):
    secrets = [world.invitation.token, world.link.token, world.version.arc.token, PASSWORD, MAIL, ADDRESS, BROWSER]
    persons = [MARK, TYPED, *User.objects.exclude(email="").values_list("email", flat=True), "example.org"]
    with override_settings(SLOW_REQUEST_MS=0), Log() as log:
        asked = walk(world, role, failing=failing)
    sentences = [line for line in log.text.splitlines() if any(each in line for each in (*secrets, *persons))]
    assert sentences == []
    sentences = [line for line in log.whole if line["logger"] == "musterbook"]
    assert len(sentences) == asked > 300
    assert all(line["request_id"] and line["view"] for line in log.whole)
