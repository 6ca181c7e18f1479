"""Cards uploaded as CSV in the admin: previewed, then imported; and downloaded."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from catalogue.models import PointsChange, Unit
from catalogue.snapshot import rulebook
from registers.models import Register
from tests.html import html_of
from tests.registers.factories import make_player, make_register

LIST = "admin:catalogue_unit_changelist"


@pytest.fixture
def staff(client, book):
    client.force_login(User.objects.create_superuser("mon-mothma"))
    return client


def send(client, text: str, kind: str = "unit"):
    """Upload a file, and return the preview."""
    file = SimpleUploadedFile("points.csv", text.encode(), content_type="text/csv")
    return client.post(reverse(f"admin:catalogue_{kind}_import"), {"import_file": file, "format": "0", "resource": ""})


def confirm(client, preview):
    """Import what was previewed."""
    return client.post(reverse("admin:catalogue_unit_process_import"), preview.context["confirm_form"].initial)


def points(*slugs: str) -> list[int]:
    return [Unit.objects.get(slug=slug).points for slug in slugs]


def test_a_preview_counts_cards_and_registers_and_saves_nothing(staff):
    founded = make_register(make_player("ada"))
    before = points("stormtroopers", "snowtroopers")
    said = html_of(send(staff, "slug,points\nstormtroopers,900\nsnowtroopers,901\nat-st,195\n"))
    assert "1 Register goes over its Combat Potential" in " ".join(said.split())
    assert str(founded) in said
    assert points("stormtroopers", "snowtroopers") == before
    assert not PointsChange.objects.exists()


def test_a_confirmed_upload_changes_the_cards_for_everybody(staff, django_capture_on_commit_callbacks):
    make_register(make_player("ada"))
    [before] = points("stormtroopers")
    preview = send(staff, "slug,points\nstormtroopers,900\n")
    with django_capture_on_commit_callbacks(execute=True):
        answer = confirm(staff, preview)
    assert (answer.status_code, answer.url) == (302, reverse(LIST))
    assert rulebook().units["stormtroopers"].points == 900
    assert list(PointsChange.objects.values_list("card", "points_before", "points_after", "by")) == [
        ("stormtroopers", before, 900, "mon-mothma")
    ]
    over = staff.get(reverse("admin:registers_register_changelist") + "?over=yes")
    assert [each.pk for each in over.context["cl"].result_list] == [Register.objects.get().pk]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("stormtroopers,many", "Row 1, points: "),
        ("stormtroopers,-4", "Row 1, points: "),
        (",5", "Row 1: &#x27;&#x27; is not a slug"),
        ("storm-troopers,5", "Row 1: There is no card with the slug “storm-troopers”."),
    ],
)
def test_what_no_card_can_be_is_refused_with_its_column(staff, row, wrong):
    before = points("stormtroopers")
    preview = send(staff, f"slug,points\n{row}\nsnowtroopers,1\n")
    assert "confirm_form" not in preview.context
    assert wrong in html_of(preview)
    assert points("stormtroopers") == before


def test_a_file_that_changes_nothing_says_so(staff):
    [now] = points("stormtroopers")
    said = " ".join(html_of(send(staff, f"slug,points\nstormtroopers,{now}\n")).split())
    assert "0 cards change" in said
    assert "Import these cards" not in said


def test_a_download_can_be_uploaded_again(staff):
    answer = staff.post(reverse("admin:catalogue_unit_export"), {"format": "0", "resource": ""})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    trooper = next(row for row in rows if row["slug"] == "stormtroopers")
    unit = Unit.objects.get(slug="stormtroopers")
    assert len(rows) == Unit.objects.count()
    assert (trooper["points"], trooper["keywords"], trooper["unique"]) == (
        str(unit.points),
        "|".join(unit.keywords),
        "false",
    )
    assert "0 cards change" in " ".join(html_of(send(staff, answer.content.decode())).split())


def test_confirming_twice_imports_once_and_says_so(staff, django_capture_on_commit_callbacks):
    preview = send(staff, "slug,points\nstormtroopers,900\n")
    with django_capture_on_commit_callbacks(execute=True):
        answers = [confirm(staff, preview), confirm(staff, preview)]
    assert [(answer.status_code, answer.url) for answer in answers] == [
        (302, reverse(LIST)), (302, reverse("admin:catalogue_unit_import")),
    ]  # fmt: skip
    assert PointsChange.objects.count() == 1
    assert "imported already or has expired" in html_of(staff.get(answers[1].url))


@pytest.mark.parametrize("changed", [{"format": "7"}, {"format": "csv"}, {"resource": "1"}, {"import_file_name": ""}])
def test_a_confirmation_that_no_preview_sends_changes_nothing(staff, changed):
    preview = send(staff, "slug,points\nstormtroopers,900\n")
    sent = preview.context["confirm_form"].initial | changed
    answer = staff.post(reverse("admin:catalogue_unit_process_import"), sent)
    assert (answer.status_code, answer.url) == (302, reverse("admin:catalogue_unit_import"))
    assert "upload it" in html_of(staff.get(answer.url))
    assert not PointsChange.objects.exists()


def test_a_download_with_an_unknown_filter_leaves_it_out(staff):
    address = reverse("admin:catalogue_unit_export")
    answer = staff.get(address, {"no_such_filter": "1"})
    assert (answer.status_code, answer.url) == (302, address)


def test_a_new_card_is_added_after_the_others(staff, django_capture_on_commit_callbacks):
    row = staff.post(reverse("admin:catalogue_unit_export"), {"format": "0", "resource": ""}).content.decode()
    header, *rows = row.splitlines()
    trooper = next(each for each in rows if each.startswith("stormtroopers,"))
    fresh = trooper.replace("stormtroopers,", "dune-troopers,", 1)
    fresh = fresh.rsplit(",", 1)[0] + ",zZ"
    preview = send(staff, f"{header}\n{fresh}\n")
    assert "1 card is added" in " ".join(html_of(preview).split())
    confirm(staff, preview)
    assert Unit.objects.order_by("position").last().slug == "dune-troopers"


def test_only_those_who_may_change_cards_upload_them(client, book):
    looker = make_player("looker", is_staff=True)
    client.force_login(looker)
    assert send(client, "slug,points\nstormtroopers,900\n").status_code == 403
    assert client.post(reverse("admin:catalogue_unit_export"), {"format": "0"}).status_code == 403
