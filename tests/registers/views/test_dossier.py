"""The page of a Dossier."""

from datetime import date

from django.db import transaction
from django.urls import reverse

from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide
from registers.ledger import session
from registers.models import Dossier
from registers.services.editing import mark_of
from rules.register import effects as e
from tests.html import html_of
from tests.registers.charts.drawing import outside
from tests.registers.factories import make_register
from tests.registers.ledgers import append, lock, undo
from tests.registers.views.ledger_entries import put_in_place_of, undo_entry
from tests.registers.views.reading import queries_of, text_of


def happen(register, *effects, act="step", battle="7", step=4):
    with transaction.atomic():
        [locked] = lock(register.pk)
        return append(actor=register.owner, register=locked, act=act, battle=battle, step=step, effects=effects)


def address(register, key=2) -> str:
    return reverse("registers:dossier", args=[register.pk, key])


def test_everything_of_the_printed_dossier(signed_in, founded):
    happen(
        founded,
        e.ExperienceGained(unit="2", amount=6, rule="R39", why="took part"),
        e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"),
        e.SetbackGained(unit="2", setback="battle-shaken", rule="R36"),
        e.MaximumVeteranRankRaised(unit="2", rule="R44"),
    )
    page = signed_in.get(address(founded))
    text = text_of(page)
    for words in (
        "Corps Stormtroopers Veteran Rank 1 42 points",
        "Last deed Reached Veteran Rank 1 a battle",
        "Veteran Rank 1 , next at 13 Experience 6",
        "Battle-Shaken",
        "Keywords Precise 1",
        "1 Commendation to choose",
        "Special Training 1 time R44",
        "+6 Experience (took part) R39",
    ):
        assert words in text
    assert page.context["hero"]["card"]["thresholds"] == [5, 13, 25, 40]


def test_the_odds_of_a_casualty_check(signed_in, founded):  # R31
    assert signed_in.get(address(founded)).context["odds"] == {
        "escaped": 375,
        "setback": 375,
        "boon": 125,
        "casualty": 125,
    }
    assert "% Trait" in text_of(signed_in.get(address(founded, 1)))
    happen(founded, e.UnitFell(unit="2", rule="R35"))
    assert signed_in.get(address(founded)).context["odds"] is None


def test_the_fallen_and_the_reassigned(signed_in, founded):
    happen(founded, e.UnitFell(unit="2", rule="R35"), e.UnitReassigned(unit="3", rule="R46"))
    assert "Fallen a battle" in text_of(signed_in.get(address(founded)))
    assert "Reassigned" in text_of(signed_in.get(address(founded, 3)))


def test_the_paragon_has_its_command_cards_and_its_gained_keywords(signed_in, founded, book):  # R16
    slug, card = next(iter(book.command_cards.items()))
    happen(
        founded,
        e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
        e.CommandCardUnlocked(command_card=slug, rule="R16"),
        e.KeywordGained(unit="1", keyword="Aim 1", rule="R26"),
    )
    text = text_of(signed_in.get(address(founded, 1)))
    assert f"Paragon Command Cards 1 {card.name}" in text
    assert "Aim 1 gained" in text
    assert "Paragon Command Cards" not in text_of(signed_in.get(address(founded)))


def test_unknown(signed_in, founded):
    assert signed_in.get(address(founded, 9)).status_code == 404


class TestWrite:
    def test_a_name(self, signed_in, founded):
        form = {"do": "name", "position": 7, "name": "Grim Hounds"}
        for _ in range(2):  # law 6
            assert signed_in.post(address(founded), form)["Location"] == address(founded)
        assert "Named Grim Hounds" not in text_of(signed_in.get(address(founded, 3)))
        assert "This was already saved." in text_of(signed_in.post(address(founded), form, follow=True))
        assert founded.entries.count() == 8
        assert Dossier.objects.get(key="2").name == "Grim Hounds"

    def test_an_empty_name_is_refused_beside_the_field(self, signed_in, founded):  # R9
        answer = signed_in.post(address(founded), {"do": "name", "position": 7, "name": " "})
        assert answer.status_code == 422
        assert "Enter a name for the unit. R9" in text_of(answer)

    def test_a_biography(self, signed_in, founded):
        signed_in.post(address(founded), {"do": "biography", "biography": "> Hold the line"})
        assert "<blockquote>" in html_of(signed_in.get(address(founded)))

    def test_no_biography_of_a_unit_that_is_not_there(self, signed_in, founded):
        assert signed_in.post(address(founded, 99), {"do": "biography", "biography": "mine"}).status_code == 404

    def test_a_biography_that_is_too_long_is_not_lost(self, signed_in, founded):
        answer = signed_in.post(address(founded), {"do": "biography", "biography": "x" * 20_001})
        assert answer.status_code == 422
        assert "x" * 20_001 in html_of(answer)

    def test_a_biography_that_another_has_written_meanwhile(self, signed_in, founded):
        Dossier.objects.update(biography="Cold.")
        answer = signed_in.post(address(founded), {"do": "biography", "biography": "Colder.", "before": mark_of("")})
        assert answer.status_code == 422
        assert "Colder." in html_of(answer)
        assert mark_of("Cold.") in html_of(answer)

    def test_not_by_others(self, client, other, founded):
        client.force_login(other)
        assert client.post(address(founded), {"do": "biography", "biography": "mine"}).status_code == 404
        assert Dossier.objects.get(key="2").biography == ""


def test_constant_queries(signed_in, player, book):
    numbers = []
    for units in (2, 6):
        register = make_register(player, units=units)
        happen(register, *[e.ExperienceGained(unit="2", amount=1, rule="R39")] * units)
        numbers.append(queries_of(signed_in, address(register)))
    assert numbers[0] == numbers[1]


class TestHistory:
    def test_what_was_undone_or_written_anew_says_so_and_why(self, signed_in, founded):
        happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
        gained = happen(founded, e.ExperienceGained(unit="2", amount=1, rule="R39"), act="edit", step=None)
        put_in_place_of(gained, e.ExperienceGained(unit="2", amount=2, rule="R39"), reason="it held, too")
        slip = happen(founded, e.ExperienceGained(unit="2", amount=3, rule="R39"), act="edit", step=None)
        undo_entry(slip, "a slip")
        text = text_of(signed_in.get(address(founded)))
        assert "+3 Experience R39 No longer counts: see entry 12 (undone) ada: a slip" in text
        assert "+2 Experience R39 Replaces entry 9 (edited) ada: it held, too" in text
        assert "+1 Experience R39 No longer counts: see entry 10 (edited) ada: it held, too" in text
        assert f'href="{reverse("registers:ledger", args=[founded.pk])}?entry=12#entry-12"' in html_of(
            signed_in.get(address(founded))
        )

    def test_by_battle_and_day(self, signed_in, founded, monkeypatch):
        happen(founded, e.ExperienceGained(unit="2", amount=1, rule="R39", why="took part"))
        happen(founded, e.UnitNamed(unit="2", name="Red Six", rule="R9"), act="edit", battle="", step=None)
        monkeypatch.setattr(
            campaign_side,
            "campaigns",
            CampaignSide(battle_names=lambda ids: {"7": BattleName("Battle 7", "/b/", "", date(2026, 3, 5))}),
        )
        page = signed_in.get(address(founded))
        parts = [
            (part["battle"] and part["battle"].label, [line.text for item in part["acts"] for line in item.lines])
            for part in page.context["history"]
        ]
        assert parts == [
            (None, ["Unit named Red Six"]),
            ("Battle 7", ["+1 Experience (took part)"]),
            (None, ["Stormtroopers added"]),
        ]
        assert "Battle 7 5 Mar 2026 Go to Battle 7 +1 Experience (took part)" in text_of(page)
        assert 'href="/b/"' in html_of(page)


def test_experience_over_battles_is_what_the_ledger_adds_up_to(signed_in, founded, monkeypatch):
    names = {
        number: BattleName(f"Battle {number}", f"/b/{number}/", number, date(2026, 3, 5)) for number in ("7", "8", "9")
    }
    monkeypatch.setattr(campaign_side, "campaigns", CampaignSide(battle_names=lambda ids: names))
    happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
    happen(
        founded,
        e.ExperienceGained(unit="2", amount=6, rule="R39"),
        e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"),
        e.CommendationAwarded(unit="2", commendation="resilient", rule="R15"),
    )
    happen(founded, e.SetbackGained(unit="2", setback="battle-shaken", rule="R36"), battle="8")
    slip = happen(founded, e.ExperienceGained(unit="2", amount=9, rule="R39"), battle="9")
    founded.refresh_from_db()
    with transaction.atomic():
        undo(actor=founded.owner, register=founded, entry=slip)
    page = signed_in.get(address(founded))
    text = text_of(page)
    day = "5 Mar 2026"
    assert "6 of 25 Experience: Veteran Rank 1 of 3." in text
    assert (
        f"Battle 7 {day} 6 +6 1 Awarded Resilient Battle 8 {day} 6 1 Gained Battle-Shaken 1 Setback History"
    ) in text
    unit = session.replay_entries(founded.entries.order_by("position")).dossiers["2"]
    last = page.context["experience"].columns[-1]["stop"]
    assert (last.experience, last.veteran_rank, last.held) == (
        unit.experience, unit.veteran_rank, len(unit.setbacks),
    )  # fmt: skip
    assert outside(html_of(page)) == []


def test_no_picture_before_anything_has_happened(signed_in, founded):
    assert signed_in.get(address(founded)).context["experience"] is None


def test_how_many_dice_the_odds_are_of(signed_in, founded):  # R31, R33
    assert "Rolls 1 die." in text_of(signed_in.get(address(founded)))
    twice = [e.SetbackGained(unit="2", setback="downtrodden", rule="R36")] * 2
    owed = e.CommendationOwed(unit="2", rule="R26")
    happen(founded, *twice, owed, e.CommendationAwarded(unit="2", commendation="resilient", rule="R15"))
    assert "Rolls 2 dice. Includes 1 reroll." in text_of(signed_in.get(address(founded)))


def test_experience_takes_the_same_queries_however_long_it_is(signed_in, founded):
    numbers = []
    for battle in ("7", "8", "9"):
        happen(founded, e.ExperienceGained(unit="2", amount=2, rule="R39"), battle=battle)
        numbers.append(queries_of(signed_in, address(founded)))
    assert numbers[0] == numbers[1] == numbers[2]
