"""Results reported by players, and the form for them (E27, E28, E30, E32, E40)."""

from dataclasses import replace

import pytest

from accounts.models import User
from core.form_errors import violations_on
from rules.core.violations import RuleViolation
from rules.tournaments.results import Ending, Result
from tests.tournaments.table_world import GC, TR, entry, game_of, paired_event, won
from tournaments.forms.results import ResultForm, initial_of
from tournaments.models import Entry, Event, Game, LogLine, Round
from tournaments.queries.history import result_of
from tournaments.services import rounds
from tournaments.services.results import confirm_result, dispute_result, report_result, save_result

OPEN, REPORTED, DISPUTED, CONFIRMED = Game.State


def refused(act, **words):
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return str(caught.value)


def report(event, by, winner, **words):
    game = game_of(event, "Asha")
    words = {"version": game.version, **words}
    return report_result(actor=None, entry=entry(event, by), game=game, result=won(event, winner), **words)


def state(event):
    game = game_of(event, "Asha")
    return game.state, str(game.reported_by or ""), game.version


def log(event):
    return list(LogLine.objects.filter(event=event, kind__in=("disputed", "decided")).values_list("kind", "facts"))


@pytest.mark.django_db
class TestReports:
    @pytest.fixture
    def world(self):
        return paired_event(TR)

    @pytest.fixture
    def event(self, world):
        return world[1]

    def test_one_reports_and_the_other_confirms(self, event):
        for _ in range(2):
            report(event, "Ben", "Asha", mission="Breakthrough", phase="end")
        assert state(event) == (REPORTED, "Ben", 1)
        game = game_of(event, "Asha")
        assert (result_of(game), game.mission, game.phase) == (won(event, "Asha"), "Breakthrough", "end")
        for _ in range(2):
            confirm_result(entry=entry(event, "Asha"), game=game, version=1)
        assert state(event) == (CONFIRMED, "Ben", 2)
        assert log(event) == []

    def test_two_equal_reports_at_once_are_confirmed(self, event):
        for name in ("Asha", "Ben", "Asha"):
            report(event, name, "Asha", version=0)
        assert state(event) == (CONFIRMED, "Asha", 2)

    def test_two_different_reports_at_once_are_disputed(self, event):
        report(event, "Asha", "Asha", version=0)
        report(event, "Ben", "Ben", version=0)
        game = game_of(event, "Asha")
        assert state(event) == (DISPUTED, "Asha", 2)
        assert result_of(game) == won(event, "Asha")
        assert game.dispute == ("The other report: winner Ben; points defeated 300 : 500; victory tokens 3 : 5.")
        assert log(event) == [("disputed", {"round": 1, "table": 1, "players": [1, 2], "entry": 2})]
        for name in ("Asha", "Ben"):
            text = "This result is disputed. A judge decides it. (E28)"
            assert refused(report, event=event, by=name, winner="Ben") == text
        assert refused(confirm_result, entry=entry(event, "Ben"), game=game, version=2) == text

    def test_a_player_changes_their_own_report_with_a_fresh_form(self, event):
        report(event, "Asha", "Asha")
        text = "This result was changed a moment ago. Check it again. (E28)"
        assert refused(report, event=event, by="Asha", winner="Ben", version=0) == text
        report(event, "Asha", "Ben", version=1)
        assert state(event) == (REPORTED, "Asha", 2)
        words = {"entry": entry(event, "Ben"), "game": game_of(event, "Asha"), "version": 1}
        assert refused(confirm_result, **words) == text
        assert refused(dispute_result, **words, actor=None, text="No") == text

    def test_a_dispute_is_the_opponents_and_has_a_text(self, event):
        words = {"game": game_of(event, "Asha"), "version": 1}
        missing = "No result has been reported yet. Report it. (E28)"
        assert refused(dispute_result, actor=None, entry=entry(event, "Ben"), text="No", **words) == missing
        assert refused(confirm_result, entry=entry(event, "Ben"), **words) == missing
        report(event, "Asha", "Asha")
        own = "You reported this result. Change your report. (E28)"
        assert refused(dispute_result, actor=None, entry=entry(event, "Asha"), text="No", **words) == own
        assert refused(confirm_result, entry=entry(event, "Asha"), **words) == (
            "Your opponent confirms this result, or a leader. (E28)"
        )
        empty = "Say what is wrong with the result. (E28)"
        assert refused(dispute_result, actor=None, entry=entry(event, "Ben"), text=" ", **words) == empty
        for _ in range(2):
            dispute_result(actor=None, entry=entry(event, "Ben"), text=" I had 6 tokens. ", **words)
        assert (state(event), game_of(event, "Asha").dispute) == ((DISPUTED, "Asha", 2), "I had 6 tokens.")
        assert [kind for kind, _facts in log(event)] == ["disputed"]

    def test_a_leader_confirms_for_an_opponent_without_a_phone(self, world):
        olga, event = world
        report(event, "Asha", "Asha", mission="Breakthrough")
        for _ in range(2):
            save_result(actor=olga, game=game_of(event, "Asha"), result=won(event, "Asha"))
        assert state(event) == (CONFIRMED, "", 2)
        assert game_of(event, "Asha").mission == "Breakthrough"

    def test_a_leader_who_plays_the_game_does_not_confirm_it(self, world):
        """E2."""
        olga, event = world
        report(event, "Asha", "Asha")
        event.memberships.create(user=User.objects.create_user("rita"), role="judge")
        Entry.objects.filter(event=event, name="Ben").update(user=olga)
        text = "You play in this game. Ask another leader to decide it. (E2)"
        game = game_of(event, "Asha")
        assert refused(save_result, actor=olga, game=game, result=won(event, "Asha")) == text

    def test_who_cannot_report(self, world):
        olga, event = world
        assert refused(report, event=event, by="Cleo", winner="Asha") == "You do not play in this game. (E28)"
        wrong = {"actor": None, "entry": entry(event, "Asha"), "game": game_of(event, "Asha"), "version": 0}
        assert "By these figures the winner is 1." in refused(
            report_result, result=replace(won(event, "Asha"), winner="2"), **wrong
        )
        report(event, "Asha", "Asha")
        report(event, "Ben", "Asha")
        confirmed = "This result is confirmed. Call a judge if it is wrong. (E28)"
        assert refused(report, event=event, by="Ben", winner="Ben") == confirmed
        Game.objects.filter(first__name="Cleo").update(state=CONFIRMED)
        rounds.close_round(actor=olga, event=event)
        assert refused(report, event=event, by="Ben", winner="Ben") == "This round is not under way. (E28)"

    def test_a_bye_has_no_result(self):
        _olga, event = paired_event(GC, ("Asha", "Ben", "Cleo", "Dov", "Eli"))
        words = {"entry": entry(event, "Eli"), "game": game_of(event, "Eli"), "version": 0}
        result = Result(how=Ending.DRAW)
        assert refused(report_result, actor=None, result=result, **words) == "A bye has no result to enter. (E20)"
        assert refused(confirm_result, **words) == "A bye has no result to enter. (E20)"


def game(rule_set=GC, stage=Round.Stage.SWISS, armies=(1000, 995)):
    event = Event(rule_set=rule_set, army_size=1000 if rule_set == GC else 800)
    asha, ben = (
        Entry(pk=pk, event=event, number=pk, name=name, army_points=points)
        for pk, name, points in zip((1, 2), ("Asha", "Ben"), armies, strict=True)
    )
    return Game(round=Round(event=event, number=1, stage=stage), first=asha, second=ben)


def form_of(data, **words):
    names = ("first_points", "second_points", "first_tokens", "second_tokens")
    figures = dict(zip(names, data.pop("figures", ("", "", "", "")), strict=True))
    return ResultForm(game(**words), {"version": "0", **figures, **data})


#: Data, the rule set and stage, the result.
VALID = [
    ({"how": "victory", "winner": "1", "figures": (500, 300, 5, 3)}, {},
     Result(how=Ending.VICTORY, winner="1", points=(500, 300), tokens=(5, 3))),
    ({"how": "time", "winner": "draw", "figures": (300, 300, 3, 3)}, {"armies": (1000, 1000)},
     Result(how=Ending.TIME, points=(300, 300), tokens=(3, 3))),
    ({"how": "draw", "figures": (300, 300, 3, 3)}, {}, Result(how=Ending.DRAW)),
    ({"how": "conceded", "winner": "1", "figures": (120, "", 2, "")}, {},
     Result(how=Ending.CONCEDED, winner="1", by="2", points=(120, 0), tokens=(2, 0))),
    ({"how": "no_show", "by": "1", "figures": (1, 1, 1, 1)}, {}, Result(how=Ending.NO_SHOW, winner="2", by="1")),
    ({"how": "no_show", "winner": "1", "by": "both"}, {"rule_set": TR}, Result(how=Ending.NO_SHOW, by="both")),
    ({"how": "no_show", "by": "1", "blue": "1"}, {"rule_set": TR}, Result(how=Ending.NO_SHOW, winner="2", by="1")),
    ({"how": "time", "winner": "draw", "roll": "2", "figures": (0, 0, 0, 0)},
     {"stage": Round.Stage.BRACKET, "armies": (1000, 1000)}, Result(how=Ending.TIME, roll="2")),
    ({"how": "six_rounds", "winner": "2", "blue": "2", "figures": (0, 0, 0, 0)}, {"rule_set": TR},
     Result(how=Ending.SIX_ROUNDS, winner="2", blue="2")),
    ({"how": "six_rounds", "blue": "2", "figures": (500, 300, 5, 3)}, {"rule_set": TR},
     Result(how=Ending.SIX_ROUNDS, winner="1", blue="2", points=(500, 300), tokens=(5, 3))),
    ({"how": "time", "figures": (9, 9, 3, 3)}, {"armies": (990, 990)},
     Result(how=Ending.TIME, points=(9, 9), tokens=(3, 3))),
    ({"how": "all_defeated", "winner": "1", "blue": "2", "figures": ("", 300, "", 4)}, {"rule_set": TR},
     Result(how=Ending.ALL_DEFEATED, winner="1", blue="2", points=(0, 300), tokens=(0, 4))),
    ({"how": "conceded", "by": "1", "blue": "1", "agreed": "on", "figures": (0, 0, 1, 2)}, {"rule_set": TR},
     Result(how=Ending.CONCEDED, winner="2", by="1", blue="1", agreed=True, tokens=(1, 2))),
]  # fmt: skip


@pytest.mark.parametrize(("data", "words", "result"), VALID)
def test_results_that_the_form_takes(data, words, result):
    form = form_of(dict(data), **words)
    assert (form.errors, form.result() if form.is_valid() else None) == ({}, result)


TIED = "The game is a draw: tokens, points defeated and armies are tied."
#: Data, the rule set and stage, the violations by field.
WRONG = [
    ({}, {}, {("how", "Choose how the game ended.")}),
    ({"how": "victory", "winner": "1"}, {},
     {(name, "Enter a number, 0 if there is none.")
      for name in ("first_points", "second_points", "first_tokens", "second_tokens")}),
    ({"how": "victory", "figures": (1, 1, 1, 1)}, {}, {("winner", "Choose the winner.")}),
    ({"how": "time", "winner": "2", "figures": (1, 2, 5, 3)}, {},
     {("winner", "Asha wins on victory tokens: 5 to 3. Check the winner and the figures.")}),
    ({"how": "time", "winner": "2", "figures": (9, 2, 3, 3)}, {},
     {("winner", "Asha wins on points defeated: 9 to 2. The tokens are tied. Check the winner and the figures.")}),
    ({"how": "time", "winner": "2", "figures": (9, 9, 3, 3)}, {},
     {("winner", "Asha wins this tie with the larger army: 1000 to 995. Check the winner and the figures.")}),
    ({"how": "time", "winner": "2", "figures": (9, 9, 3, 3)}, {"armies": (990, 990)},
     {("winner", f"{TIED} Check the winner and the figures.")}),
    ({"how": "time", "figures": (9, 9, 3, 3)}, {"armies": (990, None)}, {("winner", "Choose the winner.")}),
    ({"how": "draw", "winner": "1"}, {},
     {("winner", "The game is a draw: both players decided not to play. Check the winner and the figures.")}),
    ({"how": "conceded", "winner": "1", "by": "1"}, {},
     {("winner", "Ben wins: Asha conceded. Check the winner and the figures.")}),
    ({"how": "conceded", "by": "both", "blue": "1"}, {"rule_set": TR}, {("by", "Both is for a no-show.")}),
    ({"how": "no_show", "winner": "1", "by": "1"}, {},
     {("winner", "Ben wins: Asha did not appear. Check the winner and the figures.")}),
    ({"how": "victory", "winner": "1", "figures": (996, 1001, 1, 1)}, {},
     {("first_points", "Enter at most 995, the points of the opponent’s army."),
      ("second_points", "Enter at most 1000, the points of the opponent’s army.")}),
    ({"how": "time", "winner": "draw", "figures": (0, 0, 0, 0)},
     {"stage": Round.Stage.BRACKET, "armies": (1000, 1000)},
     {("roll", "A bracket game needs a winner. Enter who won the priority roll.")}),
    ({"how": "victory", "winner": "1", "blue": "1", "figures": (0, 0, 0, 0)}, {"rule_set": TR},
     {("how", "Choose how the game ended.")}),
    ({"how": "six_rounds", "winner": "1", "figures": (0, 0, 1, 0)}, {"rule_set": TR},
     {("blue", "Choose one of the two players.")}),
    ({"how": "six_rounds", "winner": "1", "blue": "2", "figures": (0, 0, 0, 0)}, {"rule_set": TR},
     {("winner", "Ben wins this tie as the blue player. Check the winner and the figures.")}),
]  # fmt: skip


@pytest.mark.parametrize(("data", "words", "violations"), WRONG)
def test_results_that_the_form_refuses(data, words, violations):
    form = form_of(dict(data), **words)
    assert {(each.about, each.text) for each in violations_on(form)} == violations


@pytest.mark.parametrize(
    ("data", "violations", "outcome"),
    [
        ({}, [], ""),
        ({"how": "time"}, [], ""),
        (
            {"how": "time", "winner": "2", "figures": (1, 2, 5, 3)},
            ["Asha wins on victory tokens: 5 to 3. Check the winner and the figures."],
            "",
        ),
        ({"how": "time", "winner": "1", "figures": (1, 2, 5, 3)}, [], "Asha wins on victory tokens: 5 to 3."),
        ({"how": "conceded", "winner": "1"}, [], "Asha wins: Ben conceded."),
        ({"how": "no_show"}, [], ""),
        ({"how": "victory", "winner": "1", "figures": (1, 2, 5, "x")}, ["Enter a whole number."], ""),
    ],
)
def test_while_typing_only_what_is_typed_is_judged(data, violations, outcome):
    found, said = form_of(dict(data)).notes()
    assert ([each.text for each in found], said) == (violations, outcome)


def test_the_form_has_the_fields_of_its_rules_and_shows_the_reader_first():
    conquest, bracket, regulations = (
        ResultForm(game()), ResultForm(game(stage=Round.Stage.BRACKET)), ResultForm(game(TR))
    )  # fmt: skip
    common = {
        "version", "winner", "how", "by", "mission", "first_points", "second_points", "first_tokens", "second_tokens"
    }  # fmt: skip
    assert set(conquest.fields) == common
    assert set(bracket.fields) == common | {"roll"}
    assert set(regulations.fields) == common | {"blue", "agreed", "phase"}
    played = game()
    form = ResultForm(played, reader=played.second)
    assert [str(side["entry"]) for side in form.sides] == ["Ben", "Asha"]
    assert [str(label) for _value, label in form.fields["winner"].choices] == ["Ben", "Asha", "Draw"]


def test_an_entered_result_is_shown_again():
    played = game(TR)
    assert initial_of(played) == {}
    played.how, played.winner, played.blue, played.first_tokens = "time", played.first, played.second, 4
    played.mission, played.phase = "Breakthrough", "end"
    shown = {name: value for name, value in initial_of(played).items() if value}
    assert shown == {
        "how": "time", "winner": "1", "blue": "2", "mission": "Breakthrough", "phase": "end", "first_tokens": 4
    }  # fmt: skip
