"""An event as a file: what is in it, who gets it, and how it comes back (E10, E23)."""

import csv
import io
import json
from copy import deepcopy
from pathlib import Path
from uuid import uuid4

import jsonschema_rs
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, TestCase
from django.urls import reverse

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.played_events import CONQUEST, at_most, exported, open_event, play_conquest, play_round
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, LogLine, Membership, SubmittedList
from tournaments.pages.exchange import event_csv
from tournaments.queries.army_lists import opponents_of
from tournaments.queries.exchange import NEW_OPTIONS, as_json, content_of, schema
from tournaments.queries.standings import places_of
from tournaments.services import events, exchange as reading
from tournaments.services.exchange import import_event

UNITS = [{"card": "stormtroopers", "upgrades": ["dlt-19-stormtrooper"]}]


@pytest.fixture(scope="module")
def content(django_db_setup, django_db_blocker):
    """The export of a finished event."""
    return json.loads(as_json(exported(django_db_blocker, play_conquest)))


def refused(content):
    with pytest.raises(RuleViolation) as caught:
        import_event(actor=User.objects.create_user("ines"), content=content, key=uuid4())
    assert not Event.objects.exists()
    return str(caught.value)


def test_the_file_fits_its_published_schema(content):
    assert reading.read(as_json(content)) == content
    assert jsonschema_rs.meta.is_valid(schema())


@pytest.mark.django_db
def test_the_day_of_a_second_check_in_is_in_the_file(content):
    """Files made before there were later days have none, and a day that no calendar has is refused."""
    first, *others = content["entries"]
    old = [{name: value for name, value in each.items() if name != "checked_in_on"} for each in content["entries"]]
    assert reading.read(as_json(content | {"entries": old})) == content
    wrong = content | {"entries": [first | {"checked_in_on": "2026-02-30"}, *others]}
    assert "cannot be stored as it is" in refused(wrong)
    right = content | {"entries": [first | {"checked_in_on": "2026-11-29"}, *others]}
    event = import_event(actor=User.objects.get(username="ines"), content=right, key=uuid4())
    assert content_of(event)["entries"][0]["checked_in_on"] == "2026-11-29"


@pytest.mark.django_db
def test_an_imported_event_is_the_same_event(content):
    """A second export differs in nothing but its moment; the players have no accounts."""
    ines, key = User.objects.create_user("ines"), uuid4()
    for_players = {"schedule": "10:00 Round 1", "price": "10 €", "payment_link": "https://pay.example/me"}
    content = content | {"event": content["event"] | for_players}
    event = import_event(actor=ines, content=content, key=key)
    again = json.loads(as_json(content_of(event)))
    assert again | {"made_at": content["made_at"]} == content
    assert list(Membership.objects.values_list("event", "user__username", "role")) == [(key, "ines", "organizer")]
    assert set(Entry.objects.values_list("user", flat=True)) == {None}
    line = LogLine.objects.get(kind="imported")
    assert (line.actor, line.facts) == (ines, {"file": str(key), "made_at": content["made_at"]})
    assert import_event(actor=ines, content=content, key=key) == event
    assert Event.objects.count() == 1
    assert import_event(actor=ines, content=content, key=uuid4()) != event, "a copy next to it"


def test_a_link_to_pay_leads_to_a_page(content):
    with pytest.raises(RuleViolation, match="payment_link"):
        reading.read(as_json(content | {"event": content["event"] | {"payment_link": "javascript:alert(1)"}}))


def change_standings(content):
    content["standings"][0]["points"] += 1


def change_ticket(content):
    content["entries"][0]["ticket"] = str(int(content["entries"][0]["ticket"]) + 1)


def hide_seed(content):
    content["seed"] = None


def reopen_round(content):
    content["event"]["state"], content["seed"] = "running", None
    content["rounds"][0]["state"] = "published"


def repeat_number(content):
    content["entries"][1]["number"] = content["entries"][0]["number"]


def play_twice(content):
    games = content["rounds"][0]["games"]
    games[0]["second"] = games[1]["first"]


def name_somebody_else(content):
    game = next(game for game in content["rounds"][0]["games"] if game["result"])
    game["result"]["winner"] = next(
        each["number"] for each in content["entries"] if each["number"] not in (game["first"], game["second"])
    )


def lose_result(content):
    next(game for game in content["rounds"][0]["games"] if game["result"])["result"] = None


def other_zone(content):
    content["event"]["time_zone"] = "Coruscant"


def shuffle_log(content):
    content["log"].reverse()


def other_ending(content):
    next(game for game in content["rounds"][0]["games"] if game["result"])["result"]["how"] = "six_rounds"


def forge_correction(content):
    line = next(line for line in content["log"] if line["kind"] == "corrected")
    line["facts"]["before"] = {"how": "victory"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_standings, "The standings do not follow from the results"),
        (change_ticket, "The ticket of player 1 was not drawn with the seed."),
        (hide_seed, "Only running and finished events can be imported. (E23)"),
        (reopen_round, "Round 1 is not closed."),
        (repeat_number, "Two players have the same number."),
        (play_twice, "A player is in round 1 twice."),
        (name_somebody_else, "the result names somebody else."),
        (lose_result, "it has no result."),
        (other_zone, "The time zone is unknown."),
        (shuffle_log, "The log is not in order."),
        (other_ending, "a game cannot end that way under these rules."),
        (forge_correction, "This file has values that are not valid in an event"),
    ],
)
def test_files_that_are_not_proved(content, change, text):
    forged = deepcopy(content)
    change(forged)
    assert text in refused(forged)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"nonsense", "This file is not valid JSON"),
        (b"[]", "This is not an event exported from Musterbook."),
        (b'{"format": "musterbook-event", "version": 3}', "This file has version 3; this site reads version 2."),
        (b'{"format": "musterbook-event", "version": 1}', "is a required property"),
        (b"[" * 100_000, "This JSON is nested too deeply."),
        (b'{"a": NaN}', "NaN is not a number"),
        (b"[" + b"," * 500_000, "This file has more values than Musterbook reads."),
        (b" " * (reading.MOST_BYTES + 1), "An event file has at most 8 MB."),
    ],
)
def test_files_that_are_not_read(text, sentence):
    with pytest.raises(RuleViolation) as caught:
        reading.read(text)
    assert sentence in str(caught.value)


@pytest.mark.django_db
def test_a_file_of_version_1_is_read_as_it_was_played(content):
    """It lacks the options that came later, which have their defaults. Its tickets are numbers."""
    old = deepcopy(content) | {"version": 1, "made_by": "Musterbook 1.0.0"}
    for name in NEW_OPTIONS:
        del old["event"][name]
    for entry in old["entries"]:
        entry["ticket"] = int(entry["ticket"])
        if entry["list"]:
            del entry["list"]["typed_deck"]
    for line in old["standings"]:
        line["ticket"] = int(line["ticket"])
    read = reading.read(json.dumps(old).encode())
    assert reading.violations(read) == []
    event = reading.import_event(actor=User.objects.create_user("import"), content=read, key=uuid4())
    assert {name: getattr(event, name) for name in NEW_OPTIONS} == NEW_OPTIONS
    tickets = {str(ticket) for ticket in event.entries.values_list("ticket", flat=True)}
    assert tickets == {entry["ticket"] for entry in content["entries"]}


def test_the_draws_of_a_file_are_bounded(content):
    """Each round is drawn again: 512 players and eight rounds are read, but no player or round more."""
    entry, each = content["entries"][0], content["rounds"][0]

    def sized(players, rounds):
        several = [{**entry, "number": number} for number in range(1, players + 1)]
        numbered = [{**each, "number": number, "games": []} for number in range(1, rounds + 1)]
        return as_json({**content, "entries": several, "rounds": numbered})

    text = "players times Swiss rounds can be 4096 at most|^entries: "
    assert len(reading.read(sized(512, 8))["entries"]) == 512
    for players, rounds in ((512, 9), (456, 9), (171, 24), (513, 1)):
        with pytest.raises(RuleViolation, match=text):
            reading.read(sized(players, rounds))


@pytest.mark.parametrize(("value", "text"), [("a\0b", "an invalid character"), (2**70, "is too large|greater than")])
def test_values_that_no_database_keeps(content, value, text):
    forged = deepcopy(content)
    forged["event"]["about" if isinstance(value, str) else "army_size"] = value
    with pytest.raises(RuleViolation, match=text):
        reading.read(as_json(forged))


class TestRunningEvent(TestCase):
    """An event under way: what leaders export, and what nobody does."""

    @classmethod
    def setUpTestData(cls):
        cls.olga = User.objects.create_user("olga")
        cls.event = open_event(
            cls.olga, CONQUEST, ["Ada", "=2+2", "Cem", "Dee"], name="Winter", rule_set=RuleSet.GALACTIC_CONQUEST,
            rounds=3,
        )  # fmt: skip
        play_round(cls.olga, cls.event)
        play_round(cls.olga, cls.event, close=False)
        cls.ada, cls.dee = (cls.event.entries.get(number=number) for number in (1, 4))
        cls.ada.note, cls.ada.paid = "owes 5 €", True
        cls.ada.save()
        SubmittedList.objects.create(
            entry=cls.ada, number=1, faction="empire", points=990, units=UNITS, command_hand=["ambush"],
            battle_deck=["intercept"], source_text="my secret list",
        )  # fmt: skip

    def address(self, name="export", *arguments):
        return reverse(f"tournaments:{name}", args=[self.event.pk, *arguments])

    def test_only_leaders_export_it_and_without_secrets(self):
        """E10, E23, E26: no seed, no minutes, no hands; nor notes, payments and tokens."""
        assert self.client.get(self.address()).status_code == 404
        self.client.force_login(User.objects.create_user("mallory"))
        assert self.client.get(self.address()).status_code == 404
        self.client.force_login(self.olga)
        answer = self.client.get(self.address())
        assert answer["Content-Disposition"] == 'attachment; filename="winter.event.json"'
        content = json.loads(answer.content)
        assert reading.read(answer.content) == content
        assert content["seed"] is None
        assert [(each["minutes"], each["started_at"]) for each in content["rounds"]] == [(None, None)] * 2
        shown = content["entries"][0]["list"]
        assert (shown["units"], shown["command_hand"], shown["battle_deck"]) == (UNITS, None, None)
        for secret in ("owes", "paid", self.ada.token, "my secret list", bytes(self.event.draw.seed).hex(), "olga"):
            assert secret not in answer.content.decode()

    def lists_of(self, reader, **settings):
        """Return what the file for a reader has of the lists: the units, the hand and the deck of each."""
        Event.objects.update(**settings)
        self.event.refresh_from_db()
        content = content_of(self.event, reader)
        return {
            each["number"]: (each["list"]["units"], each["list"]["command_hand"], each["list"]["battle_deck"])
            for each in content["entries"]
            if each["list"]
        }

    def test_everybody_gets_the_lists_that_they_may_see(self):
        """E10: a finished event's file follows the pages; leaders get all of it."""
        leader, player, stranger = EventRole(None, "judge"), EventRole(None, entry=self.dee), EventRole(None)
        assert self.lists_of(leader) == {1: (UNITS, None, None)}
        finished = {"state": Event.State.FINISHED}
        assert self.lists_of(leader, **finished) == {1: (UNITS, ["ambush"], ["intercept"])}
        assert self.lists_of(player) == {1: (UNITS, None, ["intercept"])}
        assert self.lists_of(stranger) == {}
        assert self.lists_of(player, hands_published=True) == {1: (UNITS, ["ambush"], ["intercept"])}
        assert self.lists_of(player, lists_published="never") == {}
        met = opponents_of(self.ada).met
        regulations = {"rule_set": "TR", "lists_published": "start", "hands_published": False}
        files = {
            each.pk: self.lists_of(EventRole(None, entry=each), **regulations)
            for each in self.event.entries.exclude(pk=self.ada.pk)
        }
        assert files == {pk: {1: (UNITS, None, None)} if pk in met else {} for pk in files}
        assert len(files) - len(met) == 1

    def table(self, name):
        answer = self.client.get(self.address("export_csv", name))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))

    def test_tables_for_a_spreadsheet(self):
        """Results that are not confirmed are left out; a name is no formula."""
        Game.objects.filter(round__number=2).update(state=Game.State.REPORTED)
        pairings, results, standings = map(self.table, ("pairings", "results", "standings"))
        assert [len(pairings), len(results), len(standings)] == [5, 3, 5]
        assert "'=2+2" in {row[3] for row in standings}
        best = dict(zip(standings[0], standings[1], strict=True))
        assert (best["Place"], best["Event points"], best["Strength of schedule"]) == ("1", "3", "0.0")
        parts = (best[f"Strength of schedule ({part})"] for part in ("numerator", "denominator"))
        assert tuple(parts) == ("0", "1")
        tickets = {f"'{entry.ticket}" for entry in self.event.entries.exclude(ticket=None)}
        assert {row[-1] for row in standings[1:]} <= tickets
        assert self.client.get(self.address("export_csv", "seeds")).status_code == 404

    def test_a_file_has_no_query_for_each_row(self):
        with at_most(9):
            content_of(self.event, EventRole(None, entry=self.dee))
        with at_most(6):
            event_csv(places_of(self.event), "results")

    def test_the_schema_is_served(self):
        answer = self.client.get("/events/schema.json")
        assert json.loads(answer.content) == schema()
        assert b"Prove the draws" in self.client.get("/events/check_event.py").content


@pytest.mark.django_db
def test_a_file_is_checked_shown_and_imported_once(content, client):
    """The confirmation sent twice ends at the same event; the file of somebody else is not there."""
    client.force_login(User.objects.create_user("ines"))
    assert client.get("/events/import/").status_code == 200
    sent = SimpleUploadedFile("winter.event.json", as_json(content))
    review = client.post("/events/import/", {"file": sent})["Location"]
    page = client.get(review).content.decode()
    assert "Winter Conquest" in page
    assert "You organize" not in page
    assert not Event.objects.exists()
    other = Client()
    other.force_login(User.objects.create_user("mallory"))
    assert other.get(review).status_code == 404
    answers = [client.post(review) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert list(Event.objects.values_list("origin", flat=True)) == [CONQUEST]
    sent.seek(0)
    again = client.post("/events/import/", {"file": sent})["Location"]
    assert "on this site already. The import becomes a copy next to it." in client.get(again).content.decode()


@pytest.mark.django_db
def test_a_file_that_is_deleted_while_it_is_opened_is_not_found(content, client, monkeypatch, settings):
    """By the nightly clearing, or by a second upload in another tab."""
    client.force_login(User.objects.create_user("ines"))
    sent = SimpleUploadedFile("winter.event.json", as_json(content))
    review = client.post("/events/import/", {"file": sent})["Location"]
    (path,) = Path(settings.ARRIVALS_DIR).glob(f"*{review.rstrip('/').rpartition('/')[2]}*")
    monkeypatch.setattr("tournaments.views.exchange.check_limit", lambda *_: path.unlink())
    assert client.get(review).status_code == 404


@pytest.mark.django_db
def test_previews_are_limited(content, client, settings):
    """Each reads the whole file, and a process reads one at a time."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "look_event": "2/h/user"}
    client.force_login(User.objects.create_user("ines"))
    sent = SimpleUploadedFile("winter.event.json", as_json(content))
    review = client.post("/events/import/", {"file": sent})["Location"]
    assert [client.get(review).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.django_db
@pytest.mark.parametrize("text", [b"", b"nonsense"])
def test_a_bad_file_is_refused_on_its_page(client, text):
    client.force_login(User.objects.create_user("ines"))
    answer = client.post("/events/import/", {"file": SimpleUploadedFile("a.json", text)})
    assert answer.status_code == 422
    assert client.post("/events/import/").status_code == 422


@pytest.mark.django_db
def test_a_draft_is_nobodys_but_its_leaders(client):
    event = events.create_event(
        actor=User.objects.create_user("olga"), name="Secret", rule_set=RuleSet.GALACTIC_CONQUEST
    )
    for name, arguments in (
        ("export", ()), ("export_csv", ("standings",)), ("feed", ()), ("statistics", ()), ("record", (1,)),
        ("share_card", (1,)), ("share_picture", (1,)),
    ):  # fmt: skip
        assert client.get(reverse(f"tournaments:{name}", args=[event.pk, *arguments])).status_code == 404
