"""Lists of anybody: the command for bug reports, and the page that needs no account."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.lists.armies import MINIMAL

pytestmark = pytest.mark.usefixtures("book")

FOLDER = Path(__file__).parent / "read_list"
FILES = sorted({*FOLDER.iterdir()} - {FOLDER / "found.json"})
LINK = "https://legionhq2.com/list/empire/600:1Cb0nz00000,2az0000,bl"


def test_the_command_prints_what_is_read():
    """Files of players and of bug reports; `read_list/found.json` has the line of each."""
    out = StringIO()

    call_command("read_list", "--json", *FILES, stdout=out)

    found = {name: json.loads(text) for name, text in (line.split("\t") for line in out.getvalue().splitlines())}
    assert found == json.loads((FOLDER / "found.json").read_text())


def test_the_command_reads_with_the_shipped_cards_before_a_site_was_started(tmp_path, monkeypatch):
    monkeypatch.setattr("django.db.connection.introspection.table_names", list)
    (tmp_path / "link.txt").write_text(LINK)
    out = StringIO()

    with CaptureQueriesContext(connection) as queries:
        call_command("read_list", str(tmp_path / "link.txt"), stdout=out)

    assert (out.getvalue(), len(queries)) == ("link.txt\tLegion HQ link: 3 units, 1 cards, 0 to decide\n", 0)


def test_a_stranger_reads_checks_and_copies_a_list(client):
    page = client.post(reverse("lists:read_list"), {"text": MINIMAL})

    assert page.status_code == 200
    checked = {check.name: len(check.violations) for check in page.context["checks"]}
    assert list(checked) == ["Core rules", "Galactic Conquest event", "Tournament", "Register"]
    assert (checked["Core rules"], checked["Tournament"] > 0) == (0, True)
    assert "https://legionhq2.com/list/empire/600:" in page.text
    assert "Academy Trained" in page.text


def test_half_of_a_character_that_json_hides_gets_a_sentence(client):
    page = client.post(reverse("lists:read_list"), {"text": r"{\"units\": []} \ud800 x"})

    assert page.status_code == 422
    assert "This text contains control characters." in page.text


def test_what_stops_a_file_is_in_sight(client):
    text = f"Zoë’s list\n{MINIMAL}"
    page = client.post(reverse("lists:read_list"), {"text": text})

    assert '<details class="fold" open>' in page.text


def test_a_stranger_sends_a_file_in_the_encoding_of_their_editor(client):
    file = SimpleUploadedFile("list.txt", f"Zoë’s list\n{MINIMAL}".encode("utf-16"))
    page = client.post(reverse("lists:read_list"), {"file": file})

    assert (page.status_code, page.context["open"], page.context["ignored"]) == (200, [], ["Zoë’s list"])


def test_a_stranger_decides_an_open_line_and_chooses_one_of_two_links(client):
    page = client.post(reverse("lists:read_list"), {"text": "Darth Vader (Saber Throw)"})
    fields = {"text": page.context["text"], "read": page.context["digest"]}
    place = page.context["open"][0]["place"]
    page = client.post(reverse("lists:read_list"), {**fields, f"line-{place}": "darth-vader-dark-lord-of-the-sith"})
    assert (page.context["open"], page.context["sheet"].points) == ([], 180)

    page = client.post(reverse("lists:read_list"), {"text": f"{LINK} or {LINK},bj"})
    fields = {"text": page.context["text"], "read": page.context["digest"]}
    page = client.post(reverse("lists:read_list"), {**fields, "line-0": f"{LINK},bj"})
    assert (page.context["open"], len(page.context["sheet"].hand)) == ([], 3)


def test_a_stranger_chooses_one_of_two_lists_in_json(client):
    lists = [json.dumps({"listname": name, "units": ["Snowtroopers"]}) for name in ("Ice", "Snow")]
    page = client.post(reverse("lists:read_list"), {"text": "\n".join(lists)})
    assert page.context["open"][0]["options"] == [(lists[0], "Ice"), (lists[1], "Snow")]
    fields = {"text": page.context["text"], "read": page.context["digest"]}
    page = client.post(reverse("lists:read_list"), {**fields, "line-0": lists[1]})
    assert (page.context["open"], page.context["text"]) == ([], lists[1])


def test_what_is_no_list_keeps_the_text(client):
    page = client.post(reverse("lists:read_list"), {"text": "Dear diary"})

    assert page.status_code == 422
    assert "Dear diary" in page.text
    assert "This list format is unknown." in page.text


def test_reading_is_limited(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "read_list": "1/h/ip"}
    codes = [client.post(reverse("lists:read_list"), {"text": MINIMAL}).status_code for _ in range(2)]

    assert codes == [200, 429]
