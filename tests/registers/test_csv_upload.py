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
from tests.sent_tables import workbook

LIST = "admin:catalogue_unit_changelist"


@pytest.fixture
def staff(client, book):
    client.force_login(User.objects.create_superuser("mon-mothma"))
    return client


def send(client, text: str | bytes, kind: str = "unit"):
    """Upload a file, and return the preview."""
    file = SimpleUploadedFile("points.csv", text.encode() if isinstance(text, str) else text)
    return client.post(reverse(f"admin:catalogue_{kind}_import"), {"file": file})


def confirm(client, preview, **changed):
    """Import what was previewed, as a browser sends it."""
    forms = (preview.context["form"], preview.context["table"].columns)
    sent = {field.html_name: field.value() for form in forms for field in form if field.name != "file"}
    return client.post(reverse("admin:catalogue_unit_import"), sent | {"do": "import"} | changed)


def faults(preview) -> list[str]:
    """Return what is wrong with a table; nothing of it is offered for import then."""
    assert "Import these cards" not in html_of(preview)
    return preview.context["table"].faults


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


def test_points_are_read_as_people_write_them(staff):
    table = send(staff, "Unit;Rank;Old points;New points\nStorm Troopers;Corps;42;901 pts\n").context["table"]
    assert (table.faults, table.columns.left_out) == ([], ["Old points"])
    assert [(change.card, change.column, change.after) for change in table.changes] == [
        ("Stormtroopers", "Points", "901")
    ]


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
    ("table", "wrong"),
    [
        ("slug,points\nstormtroopers,many", ["Row 2, Points: expected a whole number, not many."]),
        ("slug,points\nsnowtroopers,1\n\nstormtroopers,-4", ["Row 4, Points: expected a whole number, not -4."]),
        ("name;points\nSnowtroopers;", ["Row 2, Points: the cell is empty."]),
        ("slug,points\n,5", ["Row 2: “” is no key: small letters, digits and single hyphens."]),
        ("name;points\nSnowtroper;5", ["Row 2: no card is called “Snowtroper”. Did you mean Snowtroopers?"]),
        ("name;points\nXyzzy;5", ["Row 2: no card is called “Xyzzy”."]),
        ("name;points\n;5", ["Row 2: the name of the card is missing."]),
        ("name;points\nSnowtroopers;5\nsnow-troopers;6",
         ["Row 3: Snowtroopers is in row 2, too. Remove one of the two rows."]),
        ("name;points;Punkte\nSnowtroopers;5;6",
         ["These columns are all set to “Points”: points, Punkte. Choose one of them."]),
        ("name;pionts\nSnowtroopers;5",
         ["No column changes anything. Choose what the columns hold, for example “Points”."]),
        ("pionts;faction;rank\n5;rebel;corps", ["No column is set to one of these: “Key”, “Name”."]),
    ],
)  # fmt: skip
def test_a_wrong_table_is_refused_with_the_row_of_the_spreadsheet_and_the_column(staff, table, wrong):
    before = points("stormtroopers", "snowtroopers")
    preview = send(staff, table)
    assert (preview.status_code, faults(preview)) == (422, wrong)
    assert points("stormtroopers", "snowtroopers") == before


def test_a_slug_without_a_card_is_refused_and_the_columns_of_a_new_card_named(staff):
    [fault] = faults(send(staff, "slug,points,name\nstorm-troopers,5,x\n"))
    assert fault.startswith(
        "Row 2: there is no card with the key “storm-troopers”. Correct it, or, for a new card, add"
    )
    assert "upgrade_slots" in fault


def test_namesakes_are_told_apart_by_what_stands_beside_them(staff):
    [fault] = faults(send(staff, "Unit;Points\nDarth Vader;1"))
    assert fault.startswith("Row 2: 2 cards are called “Darth Vader”: Darth Vader, ")
    assert "(darth-vader-dark-lord-of-the-sith)" in fault
    for table in (
        "Unit;Title;Points\nDarth Vader;dark lord of the sith;1",
        "Einheit;Punkte\nDarth Vader, Dark Lord of the Sith;1",
    ):
        [change] = send(staff, table).context["table"].changes
        assert (change.card, change.column, change.after) == ("Darth Vader, Dark Lord of the Sith", "Points", "1")


def test_a_heading_may_be_the_name_of_the_column_in_the_panel(staff):
    [change] = send(staff, "Key;Points\nsnowtroopers;77").context["table"].changes
    assert (change.card, change.after) == ("Snowtroopers", "77")


def test_of_namesakes_the_name_alone_means_the_one_without_a_title(staff):
    [change] = send(staff, "Unit;Points\nStormtroopers;1").context["table"].changes
    assert (change.card, change.after) == ("Stormtroopers", "1")


def test_numbers_and_truths_are_taken_from_a_workbook(staff, django_capture_on_commit_callbacks):
    preview = send(staff, workbook({1: ["Name", "Punkte", "Unique", "Why"], 2: ["Snowtroopers", 77, False, "FAQ"]}))
    assert preview.context["table"].columns.left_out == ["Why"]
    with django_capture_on_commit_callbacks(execute=True):
        assert confirm(staff, preview).status_code == 302
    assert points("snowtroopers") == [77]


def test_what_the_database_refuses_is_said_in_words(staff):
    assert faults(send(staff, "slug,source_id\nstormtroopers,at\n")) == ["Two cards have the same Legion HQ ID."]


def test_a_file_that_changes_nothing_says_so(staff):
    [now] = points("stormtroopers")
    said = " ".join(html_of(send(staff, f"slug,points\nstormtroopers,{now}\n")).split())
    assert "0 cards change" in said
    assert "The cards of the table have these values already." in said
    assert "Import these cards" not in said


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("", "This file is empty. Choose another one, or paste a table."),
        ("slug,points\n", "The table has no rows below its headings. Add a row for each card that changes"),
        (
            workbook({1: ["Name", "Points"]}, others=["More"]),
            "Only one sheet is read. Left out: More. To import another",
        ),
    ],
)
def test_a_file_without_cards_says_what_to_do(staff, sent, sentence):
    assert sentence in " ".join(html_of(send(staff, sent)).split())


def test_a_download_can_be_uploaded_again(staff):
    text = staff.get(reverse("admin:catalogue_unit_export")).content.decode()
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    trooper = next(row for row in rows if row["slug"] == "stormtroopers")
    unit = Unit.objects.get(slug="stormtroopers")
    assert len(rows) == Unit.objects.count()
    assert (trooper["points"], trooper["keywords"], trooper["unique"]) == (
        str(unit.points),
        "|".join(unit.keywords),
        "false",
    )
    preview = send(staff, text)
    assert (preview.context["table"].faults, preview.context["table"].changes) == ([], [])
    assert "0 cards change" in " ".join(html_of(preview).split())


def test_confirming_twice_changes_cards_once(staff, django_capture_on_commit_callbacks):
    preview = send(staff, "slug,points\nstormtroopers,900\n")
    with django_capture_on_commit_callbacks(execute=True):
        answers = [confirm(staff, preview), confirm(staff, preview)]
    assert [(answer.status_code, answer.url) for answer in answers] == [(302, reverse(LIST))] * 2
    assert PointsChange.objects.count() == 1


def test_a_table_that_changed_under_its_columns_is_shown_again(staff):
    preview = send(staff, "slug,points\nstormtroopers,900\n")
    answer = confirm(staff, preview, text="points,slug\n900,stormtroopers\n")
    assert (answer.status_code, "Nothing is saved yet." in html_of(answer)) == (200, True)
    assert not PointsChange.objects.exists()


def test_a_download_with_an_unknown_filter_leaves_it_out(staff):
    address = reverse("admin:catalogue_unit_export")
    answer = staff.get(address, {"no_such_filter": "1"})
    assert (answer.status_code, answer.url) == (302, address)


def test_a_new_card_is_added_after_the_others(staff, django_capture_on_commit_callbacks):
    header, *rows = staff.get(reverse("admin:catalogue_unit_export")).content.decode().splitlines()
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
    assert client.get(reverse("admin:catalogue_unit_export")).status_code == 403
