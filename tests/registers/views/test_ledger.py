"""The ledger of a Register."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide
from registers.pages import history as runs
from rules.register import effects as e
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.ledger_entries import POINT, edit, put_in_place_of, undo_entry
from tests.registers.views.reading import happen, queries_of, text_of


def ledger_of(register, query: str = "") -> str:
    return reverse("registers:ledger", args=[register.pk]) + query


def texts(page) -> list[str]:
    return [line.text for item in page.context["entries"] for line in item.lines]


def positions(page) -> list[int]:
    return [item.entry.position for item in page.context["entries"]]


class TestNumbers:
    def test_the_number_is_the_sum_of_its_lines(self, signed_in, founded):
        happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
        happen(founded, e.SupplyPointsGained(amount=2, rule="R30"))
        spent = happen(founded, e.SupplyPointsSpent(amount=3, rule="R41", why="Active Recruiting"))
        undo_entry(spent, "a slip")
        page = signed_in.get(ledger_of(founded, "?of=supply_points"))
        found = [
            (line.text, line.signed, line.balance, line.undone)
            for item in page.context["entries"]
            for line in item.lines
        ]
        assert found == [
            ("−3 SP (Active Recruiting)", "−3", 7, True),
            ("+2 SP", "+2", 7, False),
            ("Register started with 600 Combat Potential, 5 SP and Reputation 0", "+5", 5, False),
        ]
        assert page.context["balance"] == 7
        assert "Entry 10 (step of the Post-Battle Sequence) undone" in text_of(signed_in.get(ledger_of(founded)))

    def test_sums_are_those_of_the_whole_ledger_whatever_is_left_out(self, signed_in, founded):
        happen(founded, POINT)
        happen(founded, POINT, POINT, battle="8")
        page = signed_in.get(ledger_of(founded, "?of=reputation&battle=8"))
        [item] = page.context["entries"]
        assert [(line.signed, line.balance) for line in item.lines] == [("+1", 3), ("+1", 2)]
        assert page.context["balance"] == 3

    def test_a_correction_of_another_number_is_none_of_it(self, signed_in, founded):
        edit(founded, POINT)
        edit(founded, e.Corrected(field="supply_points", old=5, new=3), act="correct", reason="a slip")
        assert positions(signed_in.get(ledger_of(founded, "?of=reputation"))) == [8, 1]
        page = signed_in.get(ledger_of(founded, "?of=supply_points"))
        assert (positions(page), page.context["balance"]) == ([9, 1], 3)


class TestAskedFor:
    def test_lines(self, signed_in, founded):
        happen(
            founded,
            e.ExperienceGained(unit="2", amount=2, rule="R39"),
            e.AgendaProgressed(agenda="keep-them-in-line", amount=1, rule="R25"),
        )
        values = {
            "?dossier=2&of=experience": ["Stormtroopers (no. 2): +2 Experience"],
            "?dossier=1&of=experience": [],
            "?of=agendas&agenda=keep-them-in-line": ["Agenda Keep Them in Line progressed 1 time"],
            "?of=agendas&agenda=gather-intelligence": [],
            "?dossier=3": ["Stormtroopers added"],
            "?of=no-such-number&dossier=3": ["Stormtroopers added"],
            "?dossier=3&battle=7": [],
            "?dossier=2&battle=7&act=step&of=experience": ["Stormtroopers (no. 2): +2 Experience"],
            "?act=commission": ["Register created"],
        }
        assert {query: texts(signed_in.get(ledger_of(founded, query))) for query in values} == values

    def test_by_or_in_the_stead_of_somebody(self, signed_in, founded, player, other):
        happen(founded, POINT, actor=other, for_owner=True)
        happen(founded, POINT, actor=other)
        happen(founded, POINT, actor=None)
        assert positions(signed_in.get(ledger_of(founded, f"?person={other.pk}"))) == [9, 8]
        assert positions(signed_in.get(ledger_of(founded, f"?person={player.pk}&act=step"))) == [8]

    def test_battles_newest_first_and_only_what_there_is(self, signed_in, founded, other):
        happen(founded, POINT)
        happen(founded, POINT, battle="8", actor=other)
        choices = signed_in.get(ledger_of(founded)).context["choices"]
        assert list(choices.battles) == ["8", "7"]
        assert list(choices.acts) == ["open", "unit", "arc", "name", "commission", "step"]
        assert list(choices.people.values()) == ["ada", "ben"]

    def test_battles_by_their_numbers_whichever_began_first(self, signed_in, founded, monkeypatch):
        names = {"x": ("Battle 4", "4"), "y": ("Battle 10", "10"), "z": ("Battle 3", "3")}
        named = {key: BattleName(label, "", number) for key, (label, number) in names.items()}
        monkeypatch.setattr(campaign_side, "campaigns", CampaignSide(battle_names=lambda ids: named))
        for battle in ("x", "y", "z"):
            happen(founded, POINT, battle=battle)
        choices = signed_in.get(ledger_of(founded)).context["choices"]
        assert [name.label for name in choices.battles.values()] == ["Battle 10", "Battle 4", "Battle 3"]

    def test_what_is_no_choice_is_not_asked_for_and_said_to_be_left_out(self, signed_in, founded):
        everything = [7, 6, 5, 4, 3, 2, 1]
        for query in ("?battle=99", "?act=x", "?person=99999", "?dossier=%00", "?battle=%00", "?agenda=x"):
            page = signed_in.get(ledger_of(founded, query))
            word = query[1:].partition("=")[0]
            assert (positions(page), f"Unknown filter ignored: {word}." in text_of(page)) == (everything, True)
        text = text_of(signed_in.get(ledger_of(founded, "?of=no-such-number&battle=99&dossier=3")))
        assert "Unknown filter ignored: of, battle." in text
        for query in ("", "?of=&dossier=&battle=&act=&person=", "?entry=99"):
            page = signed_in.get(ledger_of(founded, query))
            assert (positions(page), "filter ignored" in text_of(page)) == (everything, False)

    def test_nothing_fits_and_the_way_back(self, signed_in, founded):
        page = signed_in.get(ledger_of(founded, "?of=reputation&dossier=1"))
        assert "No entry matches this filter Show whole history" in text_of(page)
        assert f'href="{ledger_of(founded)}">Show whole history' in html_of(page)


class TestEntries:
    def test_all_of_an_entry(self, signed_in, founded, other):
        entry = happen(founded, POINT, actor=other, for_owner=True, reason="He is on holiday")
        text = text_of(signed_in.get(ledger_of(founded)))
        day = f"{localtime(entry.created_at):%-d %b %Y, %H:%M}"
        assert f"No. 8 Step 4 {day} ben for ada Earlier version +1 Reputation" in text
        assert "He is on holiday" in text

    def test_what_was_undone_says_by_what(self, signed_in, founded):
        undo = undo_entry(edit(founded, POINT))
        page = signed_in.get(ledger_of(founded))
        assert "No longer counts: see entry 9 (undone)" in text_of(page)
        assert f'{ledger_of(founded)}?entry={undo.position}#entry-9"' in html_of(page)
        assert "<s>+1 Reputation</s>" in html_of(page)

    def test_one_in_the_place_of_another_says_so(self, signed_in, founded):
        happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
        put_in_place_of(happen(founded, POINT, POINT), POINT, act="step")
        page = signed_in.get(ledger_of(founded))
        assert "Replaces entry 9 (step of the Post-Battle Sequence)" in text_of(page)
        assert "No longer counts: see entry 10 (step of the Post-Battle Sequence)" in text_of(page)

    def test_an_undo_that_was_undone(self, signed_in, founded):
        undo = undo_entry(edit(founded, POINT))
        put_in_place_of(undo, POINT)
        page = signed_in.get(ledger_of(founded, "?act=undo"))
        assert "<s>Entry 8 (edited) undone</s>" in html_of(page)

    def test_dice_are_drawn(self, signed_in, founded):
        happen(
            founded,
            e.DiceRolled(die="red_defense", faces=("block",), rule="R30", why="supplies"),
            answers=[{"supply": ["block"]}],
            by_hand=[0],
        )
        page = signed_in.get(ledger_of(founded))
        [line] = page.context["entries"][0].lines
        assert (line.dice, line.by_hand) == ([{"face": "block", "die": "red_defense"}], True)
        assert "#defense-block" in html_of(page)

    def test_page_by_page_without_tearing_a_battle_apart(self, signed_in, founded, monkeypatch):
        monkeypatch.setattr(runs, "ENTRIES_A_PAGE", 8)
        for battle in ("7", "7", "7", "8", "8"):
            happen(founded, POINT, battle=battle)
        first = signed_in.get(ledger_of(founded))
        assert (positions(first), "1 / 2" in text_of(first)) == ([12, 11, 10, 9, 8], True)
        for query in ("?page=2", "?entry=1", "?entry=7"):
            assert positions(signed_in.get(ledger_of(founded, query))) == [7, 6, 5, 4, 3, 2, 1]
        assert positions(signed_in.get(ledger_of(founded, "?act=step&of=reputation"))) == [12, 11, 10, 9, 8]

    def test_folded_by_battle_with_what_it_came_to(self, signed_in, founded, monkeypatch):
        monkeypatch.setattr(
            campaign_side,
            "campaigns",
            CampaignSide(battle_names=lambda ids: {"7": BattleName("Battle 7", "/b/", "", date(2026, 3, 5))}),
        )
        happen(founded, e.FieldTaken(battle="7", rule="R11"), act="begin", step=None)
        happen(founded, POINT, e.UnitFell(unit="2", rule="R35"))
        undo_entry(happen(founded, POINT))
        edit(founded, e.SupplyPointsGained(amount=2, rule="R30"), battle="")
        page = signed_in.get(ledger_of(founded))
        seen = [
            (group.battle and group.battle.label, [part["text"] for part in group.summary], group.open)
            for group in page.context["groups"]
        ]
        assert seen == [
            (None, ["+2 SP"], False),
            ("Battle 7", ["Stormtroopers (no. 2) fell", "+1 Reputation"], False),
            (None, ["3 new units"], False),
        ]
        assert "Battle 7 5 Mar 2026 Stormtroopers (no. 2) fell" in text_of(page)
        assert '<a href="/b/">Go to Battle 7</a>' in " ".join(html_of(page).split())
        opened = signed_in.get(ledger_of(founded, "?entry=10")).context["groups"]
        assert [group.open for group in opened] == [False, True, False]

    def test_nobody_elses(self, client, other, founded):
        client.force_login(other)
        assert client.get(ledger_of(founded)).status_code == 404


@pytest.mark.parametrize("query", ["", "?of=units&dossier=2"])
def test_constant_queries(signed_in, player, book, other, query):
    numbers = []
    for many in (1, 3):
        register = make_register(player, units=many + 1)
        for key in range(2, many + 2):
            edit(register, e.UnitFell(unit=str(key), rule="R35"), battle=str(key))
            undone = edit(register, POINT, actor=other, for_owner=True)
            undo_entry(undone)
        numbers.append(queries_of(signed_in, ledger_of(register, query)))
    assert numbers[0] == numbers[1]
