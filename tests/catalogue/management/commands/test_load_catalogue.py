"""What the command says."""

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import PointsChange, Unit
from tests.rules.catalogue.files import drop_row, edit_rows, set_cell

pytestmark = pytest.mark.django_db


def lines(capsys, *arguments, **options):
    call_command("load_catalogue", *arguments, **options)
    return capsys.readouterr().out.splitlines()


def test_the_project_s_own_catalogue(empty, capsys):
    printed = lines(capsys)
    assert printed[:3] == ["Edition 2026-04-21:", "  unit: 178 added", "  upgrade: 434 added"]
    assert lines(capsys) == ["Edition 2026-04-21 is already loaded. Nothing to do."]
    assert lines(capsys, again=True)[1] == "  unit: unchanged"


def test_what_changed_is_named(cards, folder, capsys):
    set_cell(folder, "units.csv", "rebel-troopers", points="41")
    drop_row(folder, "upgrades.csv", "axe-ewok")
    assert lines(capsys, folder)[1:3] == ["  unit: 1 changed (rebel-troopers)", "  upgrade: 1 retired (axe-ewok)"]
    assert PointsChange.objects.get().by == f"load_catalogue {folder}"


def test_a_long_list_is_cut_unless_all_is_asked_for(cards, folder, capsys):
    def edit(rows):
        for row in rows[:10]:
            row["points"] = "1"

    edit_rows(folder, "units.csv", edit)
    unit = lines(capsys, folder)[1]
    assert (unit.startswith("  unit: 10 changed (darth-vader-"), unit.endswith(", …)"), unit.count(", ")) == (
        True,
        True,
        8,
    )
    Unit.objects.filter(points=1).update(points=2)
    assert lines(capsys, folder, again=True, verbosity=2)[1].count(", ") == 9


def test_errors_are_told_with_file_and_row(folder):
    set_cell(folder, "units.csv", "rebel-troopers", points="many")
    with pytest.raises(CommandError) as refused:
        call_command("load_catalogue", folder)
    assert str(refused.value) == (
        "Nothing was changed. Errors: 1\n  units.csv, row 99: points: expected a whole number, not 'many'"
    )


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match=r"^The folder .*nowhere\ does not exist.$"):
        call_command("load_catalogue", tmp_path / "nowhere")
