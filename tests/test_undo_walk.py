"""Ways back of docs/undo.md, taken through the pages: afterwards a page that shows the act says what it said before."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse

from tests.campaign.conftest import book
from tests.form_walk import FormWalk
from tests.tournaments.world import make_event_world
from tests.world import make_world

__all__ = ["book"]

#: Who, the page that shows the act, and the steps: a label to press, with what is filled in; a page; "> " and a link.
Step = str | tuple[str, dict[str, Any]] | Callable[[Any], str]
Walk = tuple[str, Callable[[Any], str], list[Step]]
WHY = {"reason": "By mistake."}


def page(name: str, *of: str) -> Callable[[Any], str]:
    """Return what finds the page with this name, of what is named of the world ("register" or "battles.ready")."""

    def find(world: Any) -> str:
        return reverse(name, args=[_named(world, each) for each in of])

    return find


def _named(world: Any, path: str) -> Any:
    if path in ("1", "blue"):
        return path
    for name in path.split("."):
        world = world[name] if isinstance(world, Mapping) else getattr(world, name)
    return getattr(world, "pk", world)


status = page("campaign:register_status", "campaign", "register")
give = page("campaign:transfer_register", "campaign", "register")
people = page("campaign:people", "campaign")
register = page("registers:detail", "register")
ready = page("battles:detail", "battles.ready")


CAMPAIGNS: dict[str, Walk] = {
    "delete a draft": (
        "owner", page("registers:building", "unfinished"), ["> Delete draft", "Delete draft", "Restore draft"]
    ),
    "add a unit": (
        "owner", page("registers:building", "unfinished"), ["Add Fleet Troopers", "Remove Fleet Troopers"]
    ),
    "paint": ("owner", page("registers:dossier", "register", "1"), ["Mark as painted", "Mark as unpainted"]),
    "correct": (
        "organizer", register,
        [page("registers:correct", "register"), ("Save correction", {"supply_points": "10"} | WHY), ("Undo", WHY)],
    ),
    "award": (
        "organizer", register,
        [
            page("campaign:award", "campaign"),
            ("Preview award", {"supply_points": "3", "registers": "register"} | WHY),
            "Give award", ("Undo for all", WHY),
        ],
    ),
    "withdraw": ("owner", register, [status, "Withdraw Register", status, "Bring back Register"]),
    "retire": ("owner", register, [status, "Retire Register", status, "Bring back Register"]),
    "give away": (
        "organizer", register, [give, ("Give Register", {"to": "member"}), give, ("Give Register", {"to": "owner"})],
    ),
    "join": (
        "stranger", page("home"),
        [page("campaign:join", "invitation.token"), "Join Outer Rim Winter", people, "Leave campaign"],
    ),
    "offer a Story Arc": (
        "organizer", page("story_arcs:list", "campaign"), ["Withdraw Yard by Yard", "Add Yard by Yard"]
    ),
    "write a Story Arc": (
        "organizer", page("story_arcs:list", "campaign"),
        [page("story_arcs:new", "campaign"), ("Create Story Arc", {"name": "Fresh"}), "Delete draft"],
    ),
    "answer the sequence": (
        "owner", page("battles:sequence_side", "battles.sequence", "blue"), ["Roll die", "Undo my last answer"]
    ),
    "begin a battle": ("owner", register, [ready, "Start battle", "> Battle 2 details", "Cancel battle"]),
}  # fmt: skip

console, closed = page("tournaments:console", "events.running"), page("tournaments:check_in", "events.closed")
entry, claims = page("tournaments:entry", "events.open", "1"), page("tournaments:detail", "events.open")
draft, played = page("tournaments:draft", "events.drafted", "1"), page("tournaments:console", "events.finished")
table = page("tournaments:player", "events.running")

EVENTS: dict[str, Walk] = {
    "cancel": (
        "organizer", console,
        [
            page("tournaments:detail", "events.running"), ("Cancel the event", WHY), console,
            "> Undo the cancellation", ("Undo the cancellation", WHY),
        ],
    ),
    "close registration": ("organizer", claims, ["Close registration", "Open registration again"]),
    "paid": ("organizer", entry, ["Mark as paid", "Paid"]),
    "waiting": ("organizer", entry, ["Put on the waiting list", "Give a place"]),
    "withdraw": ("organizer", entry, ["Withdraw", "Give a place"]),
    "check in": ("organizer", closed, ["Check inMia", "UndoMia"]),
    "claim": ("stranger", claims, ["This is me", "Cancel"]),
    "dispute": ("opponent", table, [("Dispute result", {"text": "Eight hundred."}), "Withdraw my dispute"]),
    "drop": (
        "organizer", console,
        [ "> Jon #4 · table 2", "Drop", "> Jon #4 · table 2 dropped", ("Rejoin", WHY)],
    ),
    "publish": (
        "organizer", page("tournaments:pairings", "events.drafted"),
        [draft, "Publish the pairings", "> Undo publishing round 1", ("Undo publishing round 1", WHY)],
    ),
    "finish": ("organizer", played, ["> Undo finishing", ("Undo finishing", WHY), "Finish the event"]),
    "close a round": (
        "organizer", played,
        [
            "> Undo finishing", ("Undo finishing", WHY), "> Undo closing the final", ("Undo closing the final", WHY),
            "Close the final", "Finish the event",
        ],
    ),
    "league": ("organizer", page("tournaments:league", "league"), ["Remove open", ("Add event", {"event": "open"})]),
}  # fmt: skip


def failed(world: Any, walks: Mapping[str, Walk]) -> dict[str, str]:
    """Return the walks that do not lead back, with what is wrong."""
    wrong = {}
    for name, (who, shown, steps) in walks.items():
        with transaction.atomic():
            try:
                walk(world, FormWalk(world.people[who]), shown(world), steps)
            except AssertionError as error:
                wrong[name] = str(error)
            transaction.set_rollback(True)
    return wrong


def walk(world: Any, visitor: FormWalk, shown: str, steps: list[Step]) -> None:
    visitor.open(shown)
    before = visitor.words
    for step in steps:
        match step:
            case str() if step.startswith("> "):
                visitor.follow(step.removeprefix("> "))
            case str():
                visitor.press(step)
            case (label, filled):
                visitor.press(label, **{name: _filled(world, name, value) for name, value in filled.items()})
            case _:
                visitor.open(step(world))
    visitor.open(shown)
    assert visitor.words == before


def _filled(world: Any, name: str, value: Any) -> Any:
    match name:
        case "to":
            return world.people[value].pk
        case "registers":
            return world.register.pk
        case "event":
            return world.events[value].pk
    return value


def test_acts_of_a_campaign_are_undone_by_its_pages(book):
    assert failed(make_world(), CAMPAIGNS) == {}


def test_acts_of_an_event_are_undone_by_its_pages(book):
    assert failed(make_event_world(), EVENTS) == {}
