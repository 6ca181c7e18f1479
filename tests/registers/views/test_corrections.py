"""Correcting a Register by hand: every value in one form."""

import re

import pytest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate

from registers import projection
from registers.ledger import session
from registers.models import EntryType, Register
from registers.services import editing
from rules.adjustments.corrections import WantedValue
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import Corrected
from tests.html import html_of
from tests.registers.factories import make_player
from tests.registers.views.corrections import messages_of, typed
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture
def staff(client, book):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def page(register: Register) -> str:
    return reverse("registers:correct", args=[register.pk])


def now(register: Register) -> Register:
    return Register.objects.get(pk=register.pk)


def test_saves_what_was_changed_as_one_entry_and_says_so(staff, founded):
    sent = typed(
        founded, supply_points=2, assets__add="Medevac; combat-drop", **{"2.experience": 3}
    )  # fmt: skip
    answer = staff.post(page(founded), sent)
    assert (answer.status_code, answer["Location"]) == (302, page(founded))
    entry = founded.entries.last()
    assert (entry.act, entry.reason, entry.position) == (EntryType.CORRECT, "typed wrong", founded.position + 1)
    assert session.effects_of_entry(entry) == [
        Corrected(field="supply_points", old=5, new=2),
        Corrected(field="assets", old=(), new=("medevac", "combat-drop")),
        Corrected(unit="2", field="experience", old=0, new=3),
    ]
    [text] = messages_of(answer)
    assert text.split(". ") == [
        "SP corrected from 5 to 2",
        "Strategic Assets corrected: + Medevac, + Combat Drop",
        "Experience of Stormtroopers (no",
        "2) corrected from 0 to 3.",
    ]


def test_a_card_that_is_unticked_goes(staff, founded):
    staff.post(page(founded), typed(founded, **{"2.setbacks.add": "Battle-Shaken; downtrodden-1; downtrodden"}))
    assert now(founded).entries.last().act != EntryType.CORRECT  # there is no card downtrodden-1
    staff.post(page(founded), typed(founded, **{"2.setbacks.add": "Battle-Shaken; downtrodden; downtrodden"}))
    register = now(founded)
    staff.post(page(founded), typed(register, **{"2.setbacks": ["0:battle-shaken", "2:downtrodden"]}))
    assert projection.state_of(now(founded)).dossiers["2"].setbacks == ("battle-shaken", "downtrodden")


def test_a_dossier_is_entered_and_struck(staff, founded):
    new = {"new.card": "Snowtroopers", "new.name": "Late", "new.experience": 2}
    staff.post(page(founded), typed(founded, **new))
    assert founded.dossiers.get(key="4").name == "Late"
    staff.post(page(founded), typed(now(founded), **{"4.place": "struck"}))
    assert not founded.dossiers.filter(key="4").exists()


def test_a_refusal_stands_at_its_value_and_loses_nothing(staff, founded):
    sent = typed(founded, supply_points=-1, reason="", **{"2.experience": 6, "3.card": "Nobody"})
    answer = staff.post(page(founded), sent)
    form = answer.context["form"]
    assert answer.status_code == 422
    assert set(form.errors) == {"supply_points", "3.card"}
    assert (form["2.experience"].value(), form["supply_points"].value()) == ("6", "-1")
    of_unit = f"{form.parts[2].label}, {form['3.card'].label}"
    for field, label in (("supply_points", form["supply_points"].label), ("3.card", of_unit)):
        assert f'<a href="#id_{field}">{label}</a>: ' in html_of(answer)
    answer = staff.post(page(founded), typed(founded, reason=" ", supply_points=1))
    assert set(answer.context["form"].errors) == {"reason"}
    assert now(founded).position == founded.position


def test_a_position_longer_than_any_is_refused(staff, founded):
    answer = staff.post(page(founded), typed(founded, position="9" * 5000, supply_points=2))
    assert (answer.status_code, now(founded).position) == (422, founded.position)


def test_what_the_rules_forbid_is_offered_to_stand(staff, founded):
    assert b'type="checkbox" name="override"' not in staff.get(page(founded)).content
    sent = typed(founded, **{"2.experience": 6})
    answer = staff.post(page(founded), sent)
    assert dict(answer.context["form"].errors) == {"2.veteran_rank": ["With this XP it has VR 1. R12"]}
    assert b'type="checkbox" name="override"' in answer.content
    assert staff.post(page(founded), sent | {"override": "on"}).status_code == 302
    assert projection.state_of(now(founded)).dossiers["2"].experience == 6


def test_a_new_dossier_with_problems(staff, founded):
    sent = typed(founded, **{"new.card": "Snowtroopers", "new.experience": 6})
    assert set(staff.post(page(founded), sent).context["form"].errors) == {"new.veteran_rank"}


def test_an_old_form_keeps_what_was_typed_over_what_it_is_now(staff, founded):
    sent = typed(founded, supply_points=3)
    name = {"name": {"unit": "2", "name": "Grim Hounds"}}
    editing.edit(actor=founded.owner, register_id=founded.pk, position=founded.position, change=name)
    answer = staff.post(page(founded), sent)
    form = answer.context["form"]
    assert answer.status_code == 422
    assert list(form.non_field_errors()) == ["The Register has changed since then. Check it, then save again."]
    assert (form["supply_points"].value(), form["2.name"].value(), form["position"].value()) == (
        "3", "Grim Hounds", founded.position + 1,
    )  # fmt: skip
    assert form.wishes() == [WantedValue("supply_points", 3)]


def test_the_same_form_twice(staff, founded):
    sent = typed(founded, supply_points=3)
    assert [staff.post(page(founded), sent).status_code for _ in range(2)] == [302, 302]
    assert now(founded).position == founded.position + 1


def test_undo(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    address = reverse("registers:undo", args=[founded.pk, founded.position + 1])
    assert messages_of(staff.post(address, {"reason": "it was 5"}))[-1] == "Correction undone."
    assert now(founded).supply_points == 5
    [item] = staff.get(page(founded)).context["corrections"]
    assert (item.entry.undone_by.reason, [line.text for line in item.lines]) == (
        "it was 5",
        ["SP corrected from 5 to 3"],
    )


SHOWN = re.compile(
    r'<details class="fold"(?P<open> open)?><summary>(?P<label>Undo|Redo)</summary>.*?'
    r'id="id_reason_(?P<position>\d+)"[^>]* autocomplete="off"(?: value="(?P<reason>[^"]*)")?',
    re.DOTALL,
)


def folds_of(answer) -> list[tuple[str | None, ...]]:
    """Each fold under a correction: whether it is open, its label, the position of the entry, the reason in it."""
    return [found.groups() for found in SHOWN.finditer(html_of(answer))]


@pytest.mark.parametrize("again", [False, True])
def test_what_keeps_it_from_being_undone_stands_beside_it(staff, founded, monkeypatch, again):
    """With what was typed: a refusal loses nothing."""
    first = founded.position + 1
    staff.post(page(founded), typed(founded, supply_points=3))
    staff.post(page(founded), typed(now(founded), **{"2.experience": 3}))
    address = reverse("registers:undo", args=[founded.pk, first])
    if again:
        staff.post(address, {"reason": "it was 5"})
    act = "redo_correction" if again else "undo_correction"
    violation = Violation("R43", "Later entries stand on it.")
    monkeypatch.setattr(f"registers.services.corrections.{act}", raising(violation))
    answer = staff.post(address, {"reason": 'it "was" 5'} | ({"again": 1} if again else {}))
    label = "Redo" if again else "Undo"
    assert answer.status_code == 422
    assert folds_of(answer) == [
        (None, "Undo", str(first + 1), None),
        (" open", label, str(first), "it &quot;was&quot; 5"),
    ]
    article = html_of(answer).split("<article")[2]
    assert ("Later entries stand on it." in article, "R43" in article) == (True, True)
    assert answer.context["form"].errors == {}
    assert f'action="{page(founded)}"' in html_of(answer)  # this is another page than that of the form


def raising(violation: Violation):
    def act(**_) -> None:
        raise RuleViolation([violation])

    return act


def test_a_reason_is_asked_for_beside_it(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    address = reverse("registers:undo", args=[founded.pk, founded.position + 1])
    answer = staff.post(address, {"reason": " "})
    sentences = [violation["sentence"] for violation in answer.context["refused"]["violations"]]
    assert (answer.status_code, sentences[0].startswith("Give a reason"), now(founded).supply_points) == (422, True, 3)


def test_what_is_no_correction_is_not_undone_here(staff, founded):
    answer = staff.post(reverse("registers:undo", args=[founded.pk, 1]), {"reason": "a slip"})
    assert (answer.status_code, messages_of(answer)) == (422, ["Only a correction can be undone here."])


def test_says_who_corrected_and_who_took_it_back(staff, client, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    day = date_format(localdate(), "SHORT_DATE_FORMAT")
    assert f"{day} · root for ada SP corrected from 5 to 3" in text_of(staff.get(page(founded)))
    client.force_login(make_player("olga", is_staff=True, is_superuser=True))
    address = reverse("registers:undo", args=[founded.pk, founded.position + 1])
    client.post(address, {"reason": "it was 5"})
    assert "undone by olga for ada: it was 5" in text_of(client.get(page(founded)))


def test_undo_and_let_it_count_again(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    address = reverse("registers:undo", args=[founded.pk, founded.position + 1])
    staff.post(address, {"reason": "it was 5"})
    assert b"Redo" in staff.get(page(founded)).content
    again = staff.post(address, {"reason": "no, 3", "again": 1})
    assert messages_of(again)[-1] == "Correction redone."
    assert now(founded).supply_points == 3


def test_only_who_organizes(signed_in, founded):
    """Its player does not: the books are not theirs alone."""
    assert signed_in.get(page(founded)).status_code == 404
    assert signed_in.post(page(founded), {}).status_code == 404
    assert signed_in.post(reverse("registers:undo", args=[founded.pk, 3]), {}).status_code == 404
    assert b"Correct by hand" not in signed_in.get(reverse("registers:detail", args=[founded.pk])).content


def test_constant_queries(staff, founded, player):
    one = queries_of(staff, page(founded))
    for points in (3, 4, 6):
        staff.post(page(founded), typed(now(founded), supply_points=points))
    assert queries_of(staff, page(founded)) == one
