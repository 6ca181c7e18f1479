"""The projector: what it shows when, and how long it waits."""

import pytest
from django.utils import timezone

from rules.tournaments.results import Ending
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tournaments.models import Event
from tournaments.services import bracket, clock, pairing
from tournaments.views.display import NAME_LINES as LINES, _paged

pytestmark = pytest.mark.django_db


def kind_and_text(event, **query):
    answer = event.client().get(event.page("projector"), query)
    assert answer.status_code == 200
    return answer.context["screen"]["kind"], text_of(answer.content)


def test_it_follows_the_event():
    """Pairings after they are published, standings after the round is closed, then the bracket."""
    event = SmallEvent(GC, "ABCD", rounds=1, cut=2)
    assert kind_and_text(event) == ("welcome", "Pairings appear here.")
    event.draft(("A", "B"), ("C", "D"))
    assert kind_and_text(event)[0] == "welcome"
    event.publish()
    assert kind_and_text(event) == ("names", "Round 1: your table A B 1 B A 1 C D 2 D C 2")
    event.result("A", (600, 300), (5, 3))
    event.result("C", (500, 200))
    event.close()
    heads = "Rank Player Points SoS"
    assert kind_and_text(event) == (
        "standings", f"Standings after round 1 {heads} 1 A 3 0.000 2 C 3 0.000 3 B 0 3.000 4 D 0 3.000",
    )  # fmt: skip
    bracket.make_cut(**event.both)
    assert kind_and_text(event)[0] == "standings"
    event.publish()
    event.result("C", (400, 100), (3, 2))
    assert kind_and_text(event) == (
        "bracket", "Bracket Winner C Final Seed 1 A Points defeated 100 Seed 2 C Points defeated 400 Table 1",
    )  # fmt: skip


def test_a_view_can_be_chosen():
    event = SmallEvent(GC, "ABCDE", rounds=2)
    assert kind_and_text(event, view="tables") == ("welcome", "Pairings appear here.")
    event.publish(("A", "B"), ("C", "D"), bye="E")
    event.result("B")
    assert kind_and_text(event, view="tables") == ("tables", "Round 1 1 A B 2 C D – E Bye")
    assert kind_and_text(event, view="standings")[0] == "welcome"
    assert kind_and_text(event, view="bracket")[0] == "names"
    assert kind_and_text(event, view="clock") == ("clock", "Round 1")
    assert kind_and_text(event, view="nonsense")[0] == "names"
    Event.objects.update(cut=2, state=Event.State.FINISHED)
    assert kind_and_text(event, view="bracket") == ("welcome", "Thank you for playing.")


def test_the_map_has_the_tables_by_zone(monkeypatch):
    """It is offered where tables have zones; a reported result waits, a confirmed one is finished."""
    event = SmallEvent(GC, "ABCDEF", rounds=2)
    assert "Map" not in kind_and_text(event, view="map")[1]
    Event.objects.update(table_names="2–3 Hall B\n2 Stream\n9 Hall C")
    assert kind_and_text(event, view="map")[0] == "welcome"
    event.publish(("A", "B"), ("C", "D"), ("E", "F"))
    event.result("C")
    answer = event.client().get(event.page("projector"), {"view": "map"})
    zones = answer.context["screen"]["zones"]
    assert [(name, [(line.table, line.state) for line in lines]) for name, lines in zones] == [
        ("Hall B", [(2, "confirmed"), (3, "open")]), ("Other tables", [(1, "open")]),
    ]  # fmt: skip
    assert answer.content.decode().count('aria-label="finished"') == 1
    for most, columns in ((3, 1), (2, 2)):  # many tables are smaller, so that all are seen
        monkeypatch.setattr("tournaments.views.display.MOST_LARGE_TABLES", most)
        page = event.client().get(event.page("projector"), {"view": "map"}).content.decode()
        assert f"screen--columns-{columns}" in page


def test_the_names_hold_until_the_clock_starts():
    """A round that is under way tells the hall the time; not how long it lasts (E26)."""
    event = SmallEvent(GC, "ABCD", rounds=1)
    event.publish(("A", "B"), ("C", "D"))
    poll = event.client().get(event.page("projector")).context["poll"]
    clock.start_clock(**event.both, now=timezone.now())
    assert event.client().get(poll).context["screen"]["kind"] == "clock"
    assert kind_and_text(event, view="names")[0] == "names"


def test_the_names_are_shared_out_over_two_screens():
    """No letter is on both."""
    event = SmallEvent(GC, ("Ada", "Ana", "Axel", "Bo", "Cai", "Zoe"), rounds=1)
    event.publish(("Ada", "Bo"), ("Ana", "Cai"), ("Axel", "Zoe"))
    assert [kind_and_text(event, view=view) for view in ("names-1", "names-2")] == [
        ("names", "Round 1: your table · A–A Ada Bo 1 Ana Cai 2 Axel Zoe 3"),
        ("names", "Round 1: your table · B–Z Bo Ada 1 Cai Ana 2 Zoe Axel 3"),
    ]


def test_a_poll_gets_nothing_until_something_has_changed():
    event = SmallEvent(TR, "ABCD", rounds=2)
    client = event.client()
    poll = client.get(event.page("projector")).context["poll"]
    assert client.get(poll).status_code == 204
    event.publish(("A", "B"), ("C", "D"))
    changed = client.get(poll)
    assert text_of(changed.content) == "Round 1: your table A B 1 B A 1 C D 2 D C 2"
    assert client.get(changed.context["poll"]).status_code == 204


def test_a_bracket_too_large_for_the_screen_is_shown_as_pairings(monkeypatch):
    monkeypatch.setattr("tournaments.views.display.MOST_GAMES", 1)
    event = SmallEvent(GC, "ABCD", rounds=1, cut=4)
    event.publish(("A", "B"), ("C", "D"))
    event.result("A", (600, 300))
    event.result("C")
    event.close()
    bracket.make_cut(**event.both)
    event.publish()
    kind, text = kind_and_text(event)
    assert (kind, text.startswith("Semifinals 1 ")) == ("tables", True)
    event.result("A")
    event.result("C", (0, 0), (0, 0), how=Ending.DRAW, roll="C")
    event.close()
    pairing.draw_round(**event.both)
    event.publish()
    assert kind_and_text(event) == ("bracket", "Bracket Final Seed 1 A Seed 2 C Table 1")


@pytest.mark.parametrize(
    ("lines", "columns", "sizes"),
    [(0, 1, []), (LINES, 1, [[LINES]]), (LINES + 1, 3, [[LINES, 1]]), (3 * LINES + 2, 3, [[LINES] * 3, [2]])],
)
def test_lines_are_shared_out_over_pages(lines, columns, sizes):
    found = _paged("names", list(range(lines)))
    assert (found["columns"], [[len(column) for column in page] for page in found["pages"]]) == (columns, sizes)
    assert [line for page in found["pages"] for column in page for line in column] == list(range(lines))
