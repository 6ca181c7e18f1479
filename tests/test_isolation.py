"""Two campaigns: whoever asks with ids of the other one, alone or mixed with their own, sees and changes nothing of it.

The addresses come from the URL configuration, and the forms from the pages: a new one is asked as well.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection, models, transaction
from django.utils.regex_helper import normalize

from accounts.models import User
from bench.forms import Form, forms_of
from campaign.battles.models import Side
from campaign.story_arcs.models import ArcVersion
from tests.campaign.conftest import book
from tests.checksums import checksums, tables
from tests.statements import may_write
from tests.thoroughness import NIGHTLY
from tests.walking import Visitor, unprinted
from tests.world import Address, World, addresses, make_world

__all__ = ["book", "unprinted"]

MARK = "quillon"
#: Links that anybody may have been sent: with theirs, one sees what they lead to.
PUBLIC = (
    "story_arcs:shared", "campaign:join", "chronicle:public", "calendar:personal_feed", "calendar:campaign_feed",
    "calendar:public_feed", "dashboard:events_feed", "notifications:stop",
)  # fmt: skip
#: What may be answered: there is no such thing; an act may refuse in words, or lead back where there is nothing to do.
REFUSED = {"GET": (404, 405), "POST": (404, 405, 422, 302)}
#: Lead back to a page of ours from a picture that is not there, whoever else has it.
GONE = ("chronicle:battle_photo",)
ASKERS = ("owner", "organizer") if NIGHTLY else ("organizer",)
FORM = "application/x-www-form-urlencoded"


class Asker(Visitor):
    """Somebody of our campaign. What they did is compared and undone."""

    def __init__(self, world: World, role: str) -> None:
        super().__init__(world.people[role])
        self.names = tables()

    @cached_property
    def before(self) -> dict[str, str]:
        """What is in the tables, once everybody has signed in."""
        return checksums(self.names)

    def tries(self, method: str, path: str, sent: str = "") -> tuple[int, str, list[str]]:
        """The answer's status, all it says, and the tables that it changed."""
        before = self.before
        environ = self.requests.generic(method, path, sent, content_type=FORM).environ
        wrote: list[object] = []

        def watch(execute: Callable[..., Any], sql: object, *rest: Any) -> Any:
            wrote.extend([sql] if may_write(sql) else [])
            return execute(sql, *rest)

        with transaction.atomic():
            with connection.execute_wrapper(watch):
                response = self.site(environ)
                body = b"".join(response.streaming_content) if response.streaming else response.content
            after = checksums(self.names) if wrote else before
            transaction.set_rollback(True)
        changed = [name for name in self.names if after[name] != before[name]]
        return response.status_code, f"{response.headers} {body.decode(errors='replace')}", changed


@pytest.fixture
def worlds(book, settings, unprinted) -> tuple[World, World]:
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    with connection.cursor() as cursor:  # so that no id looks like a number of anything else
        for model in (User, Side, ArcVersion):
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 100000)", [model._meta.db_table])
    return make_world(), make_world(MARK)


def filled(address: Address, given: dict[str, Any]) -> str:
    return "/" + "".join(normalize(pattern.regex.pattern)[0][0] % given for pattern in address.patterns)


def arguments(world: World, address: Address) -> dict[str, Any]:
    """What fills the address, without what its route does not ask for."""
    given = world.arguments(address.name, address.route)
    if address.name in ("story_arcs:discard", "story_arcs:drop"):
        given["arc"] = world.draft.pk if address.name == "story_arcs:discard" else world.version.arc_id
    return {name: value for name, value in given.items() if f":{name}>" in address.route}


def mixed(address: Address, ours: World, theirs: World) -> Iterator[str]:
    """The address with theirs in the place of some of our ids, and of all."""
    own, other = arguments(ours, address), arguments(theirs, address)
    ids = [name for name in own if str(own[name]) != str(other[name])]
    for number in range(1, len(ids) + 1):
        for chosen in combinations(ids, number):
            if number < len(ids) or not address.name.startswith(PUBLIC):
                yield filled(address, {**own, **{name: other[name] for name in chosen}})


def test_with_ids_of_another_campaign_nothing_is_found(worlds):
    ours, theirs = worlds
    asked, wrong = 0, []
    askers = [Asker(ours, role) for role in ASKERS]
    for address in addresses():
        if address.route.startswith(("admin/", "accounts/")):
            continue
        for path in mixed(address, ours, theirs):
            for asker in askers:
                for method in ("GET", "POST"):
                    status, violations, changed = asker.tries(method, path)
                    asked += 1
                    refused = status in REFUSED[method] or (status == 302 and address.name in GONE)
                    if not refused or MARK in violations or changed:
                        wrong.append((address.name, method, path, status, MARK in violations, changed))
    assert not wrong, "\n".join(map(str, wrong))
    assert asked > 200


# --- Forms of our own pages, with their things in the fields ---------------------------------------------------------


def ids_of(ours: World, theirs: World) -> dict[str, str]:
    """Each of our ids to theirs in its place: of people, Registers, battles, sides, pictures, arcs, pieces …"""
    pairs: list[tuple[Any, Any]] = [
        (getattr(ours, field.name), getattr(theirs, field.name))
        for field in fields(World)
        if isinstance(getattr(ours, field.name), models.Model)
    ]
    pairs += [(ours.people[role], theirs.people[role]) for role in ours.people]
    for status, battle in ours.battles.items():
        other = theirs.battles[status]
        pairs.append((battle, other))
        for side, their_side in zip(battle.sides.order_by("colour"), other.sides.order_by("colour"), strict=True):
            pairs += [(side, their_side), (side.register, their_side.register)]
    found = {str(one.pk): str(other.pk) for one, other in pairs}
    found[ours.version.story_arc_id] = theirs.version.story_arc_id
    return found


#: The button that sends a field, where a form has others that do not read it.
BUTTONS = {"players": "leave_out", "system": "systems"}


def forged(form: Form, swapped: dict[str, str]) -> Iterator[list[tuple[str, str]]]:
    """The form filled in, once for each field that holds an id of ours: with theirs in its place."""
    for name, values in form.fields:
        for value in values:
            if value in swapped:
                button = BUTTONS.get(name.partition(":")[0])
                sent = [
                    (other, button if button and other == "do" else text)
                    for other, text in form.filled(Random(1))
                    if other != name and not other.startswith("system:")  # whose options are chosen at random
                ]
                yield [*sent, (name, swapped[value])]


def shows(text: str, sent: list[tuple[str, str]]) -> str:
    """What is said of theirs, but for what was sent and comes back as it was."""
    for _, value in sent:
        text = text.replace(value, "") if MARK in value else text
    return text[max(0, text.find(MARK) - 80) : text.find(MARK) + 40] if MARK in text else ""


def test_forms_that_name_things_of_another_campaign_change_nothing(worlds):
    ours, theirs = worlds
    swapped, wrong, asked = ids_of(ours, theirs), [], set()
    for asker in [Asker(ours, role) for role in ASKERS]:
        for address in addresses():
            if address.route.startswith(("admin/", "accounts/")):
                continue
            path = address.filled(ours)
            _, page, _ = asker.tries("GET", path)
            for form in forms_of(page):
                for sent in forged(form, swapped):
                    if (form.action or path, str(sent)) in asked:
                        continue
                    asked.add((form.action or path, str(sent)))
                    status, text, changed = asker.tries("POST", form.action or path, urlencode(sent))
                    shown = shows(text, sent)
                    if shown or changed or status >= 500:
                        wrong.append((address.name, form.action, sent[-1], status, shown, changed))
    assert not wrong, "\n".join(map(str, wrong))
    assert len(asked) > 10
