"""The stand-alone script proves what an event drew and computed, and finds what was changed (E23)."""

import ast
import json
import random
import sys
from copy import deepcopy
from functools import partial
from itertools import permutations

import pytest

from ops.paths import BASE_DIR
from tests.tournaments.played_events import exported, play_conquest, play_regulations
from tournaments.services import verification
from tournaments.services.exchange import violations

#: pytest-django prepares the database for the module's events only if its tests ask for one.
pytestmark = pytest.mark.django_db
SCRIPT = BASE_DIR / "docs" / "check_event.py"


@pytest.fixture(scope="module")
def files(django_db_setup, django_db_blocker):
    """The exports of an event of each rule set."""
    both = {"GC": play_conquest, "TR": play_regulations}
    return {rules: json.loads(json.dumps(exported(django_db_blocker, play))) for rules, play in both.items()}


def test_it_imports_only_the_standard_library():
    tree = ast.walk(ast.parse(SCRIPT.read_text()))
    names = {name.name for node in tree if isinstance(node, ast.Import) for name in node.names}
    tree = ast.walk(ast.parse(SCRIPT.read_text()))
    names |= {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    assert {"hashlib", "hmac", "json"} <= names <= set(sys.stdlib_module_names)


def test_every_draw_of_a_played_event_is_proved(script, files, tmp_path, capsys):
    """With byes, a late entry, a rejoin, a correction after the next draw, and a cut; hand changes are reported."""
    paths = []
    for rules, content in files.items():
        path = tmp_path / f"{rules}.json"
        path.write_text(json.dumps(content))
        paths.append(path)
    assert script.main(paths) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{paths[0]}: 5 rounds and all standings of Winter Conquest proved.",
        f"{paths[1]}: Round 2 was changed by hand, so the seed does not explain it. Reason: Brothers.",
        f"{paths[1]}: 2 rounds and all standings of Summer Open proved.",
    ]


def test_the_rules_prove_the_same(files):
    assert {rules: list(verification.differences(content)) for rules, content in files.items()} == {"GC": [], "TR": []}
    by_hand = {rules: verification.hand_changes(content) for rules, content in files.items()}
    assert by_hand == {"GC": [], "TR": [verification.HandChange(2, ("Brothers.",))]}


def test_an_event_with_all_its_options_is_proved(script, files, django_db_blocker):
    """E20, E26, E35: the options count in the script as in the rules."""
    options = {"bye_tokens": 3, "skips_unpaired_losses": True, "bracket_minutes": 90, "bye_is_opponent": True}
    content = json.loads(json.dumps(exported(django_db_blocker, partial(play_conquest, **options))))
    assert (list(script.check(content)), list(verification.differences(content))) == ([], [])
    assert [each["minutes"] for each in content["rounds"] if each["stage"] == "bracket"] == [90, 90]
    for name in options:
        other = content | {"event": content["event"] | {name: files["GC"]["event"][name]}}
        assert list(script.check(other))
        assert list(verification.differences(other))


def swap_opponents(content, number):
    """Let two pairs of a round swap their second players, with their results."""
    one, other = [game for game in content["rounds"][number - 1]["games"] if game["second"]][:2]
    for key in ("winner", "by", "blue", "roll"):
        for game, gone, come in ((one, one["second"], other["second"]), (other, other["second"], one["second"])):
            if game["result"][key] == gone:
                game["result"][key] = come
    one["second"], other["second"] = other["second"], one["second"]


def change_pairing(content):
    swap_opponents(content, 3)


def change_ticket(content):
    content["entries"][0]["ticket"] = str(int(content["entries"][0]["ticket"]) + 1)


def change_seed(content):
    content["seed"] = "00" * 32


def change_standing(content):
    content["standings"][0]["points_defeated"] += 1


def change_result(content):
    game = content["rounds"][0]["games"][0]
    game["result"]["winner"] = game["first"] + game["second"] - game["result"]["winner"]


def change_places(content):
    content["places"][0]["place"], content["places"][1]["place"] = "2", "1"


def change_clock(content):
    content["rounds"][0]["minutes"] += 7


def forget_draft(content):
    content["log"] = [line for line in content["log"] if line["kind"] != "drafted"]


@pytest.mark.parametrize("rules", ["GC", "TR"])
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (change_pairing, "Round 3: the pairings do not follow from the seed."),
        (change_ticket, "was not drawn with the seed."),
        (change_seed, "The seed is not the one that was committed to."),
        (change_standing, "points_defeated is"),
        (change_result, "Standings, rank"),
        (change_places, "Places: "),
        (change_clock, "minutes by the rules, not"),
        (forget_draft, "the log does not say when it was drawn."),
    ],
)
def test_whatever_was_changed_is_found(script, files, tmp_path, capsys, rules, change, sentence):
    content = deepcopy(files[rules])
    change(content)
    path = tmp_path / "event.json"
    path.write_text(json.dumps(content))
    assert script.main([path]) == 1
    assert sentence in capsys.readouterr().out
    assert list(verification.differences(content)) != []


def change_bye(content):
    """Give the bye of round 2 to somebody who plays in it."""
    games = content["rounds"][1]["games"]
    bye = next(game for game in games if not game["second"])
    game = next(game for game in games if game["second"])
    if game["result"]["winner"] == game["first"]:
        game["result"]["winner"] = bye["first"]
    game["first"], bye["first"] = bye["first"], game["first"]


def change_table(content):
    """Let each pair of round 1 play one table further on."""
    for game in content["rounds"][0]["games"]:
        game["table"] += bool(game["table"])


def change_bracket(content):
    swap_opponents(content, 4)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (change_bye, "Round 2: the bye belongs to "),
        (change_table, "Round 1: the tables were not assigned by the rule."),
        (change_bracket, "Round 4: its games do not follow from the bracket."),
    ],
)
def test_byes_tables_and_brackets(script, files, change, sentence):
    content = deepcopy(files["GC"])
    change(content)
    assert any(text.startswith(sentence) for kind, text in script.check(content) if kind == "differs")


def test_a_change_by_hand_excuses_exactly_its_round(script, files):
    """E24."""
    content = deepcopy(files["TR"])
    swap_opponents(content, 2)
    assert "Round 2" not in " ".join(text for kind, text in script.check(content) if kind == "differs")
    content = deepcopy(files["TR"])
    line = next(line for line in content["log"] if line["kind"] == "paired")
    line["facts"]["round"] = 1
    found = [text for kind, text in script.check(content) if kind == "differs"]
    assert found == ["Round 2: the pairings do not follow from the seed."]
    assert list(verification.differences(content)) == ["The pairings of round 2 do not follow from the seed."]


def test_a_late_entry_is_the_reason_of_its_change(script, files):
    """E21: nobody gives one for it."""
    content = deepcopy(files["GC"])
    place = next(place for place, line in enumerate(content["log"]) if line["kind"] == "published")
    facts = {"act": "late", "round": 1, "entries": [], "before": [], "after": []}
    content["log"].insert(place, {**content["log"][place], "kind": "paired", "reason": "", "facts": facts})
    found = [text for kind, text in script.check(content) if kind == "by hand"]
    reason = "A late entry plays the player who had the bye."
    assert [each.partition("Reason: ")[2] for each in found] == [reason]
    assert [each.reasons for each in verification.hand_changes(content)] == [(reason,)]


@pytest.mark.parametrize("facts", [{"act": "tables"}, {"pairs": [], "instead_of": [], "tables": [[1, 2, 9]]}])
def test_a_change_of_tables_excuses_only_tables(script, files, facts):
    """E22, E24."""
    content = deepcopy(files["GC"])
    place = next(place for place, line in enumerate(content["log"]) if line["kind"] == "published")
    line = {**content["log"][place], "kind": "paired", "reason": "Wheelchair", "facts": {**facts, "round": 1}}
    content["log"].insert(place, line)
    first_tables = content["rounds"][0]["games"]
    for game, table in zip(first_tables, [games["table"] for games in first_tables[1::-1]], strict=False):
        game["table"] = table
    found = [(kind, text) for kind, text in script.check(content) if "Round 1" in text]
    assert found == [("tables", "Round 1: tables were changed by hand. Reason: Wheelchair")]
    assert list(verification.differences(content)) == []
    assert verification.hand_changes(content) == [verification.HandChange(1, ("Wheelchair",), only_tables=True)]
    swap_opponents(content, 1)
    assert "Round 1: the pairings do not follow from the seed." in {text for _kind, text in script.check(content)}


def test_a_restored_draw_counts(script, files):
    """Pairings that were changed, came back as drawn, and were withdrawn for a moment prove the round."""
    content = deepcopy(files["GC"])
    place = next(place for place, line in enumerate(content["log"]) if line["kind"] == "published")
    lines = [
        {**content["log"][place], "kind": "paired", "facts": {**facts, "round": 1}}
        for facts in ({"act": "swap"}, {"act": "restored"}, {"withdrawn": True})
    ]
    content["log"][place:place] = lines
    assert (list(script.check(content)), list(verification.differences(content))) == ([], [])


@pytest.mark.parametrize(
    ("how", "winner", "by", "wanted"),
    [
        ("no_show", 1, 2, [(1, 0, 0, None), (0, 0, 0, 0)]),
        ("no_show", None, None, [(0, 0, 0, 0), (0, 0, 0, 0)]),
        ("both_defeated", 1, None, [(1, 800, 3, 0.75), (0, 800, 1, 0.25)]),
        ("all_defeated", 2, None, [(0, 200, 3, 0), (1, 800, 1, 1)]),
        ("conceded", 1, 2, [(1, 800, 3, None), (0, 300, 1, 0)]),
    ],
)
def test_what_a_game_is_worth(script, how, winner, by, wanted):
    """E28, E30, E32."""
    options = {"rule_set": "TR", "army_size": 800, "awarded_points": 900}
    result = {"how": how, "winner": winner, "by": by, "agreed": False, "points": [200, 300], "tokens": [3, 1]}
    assert [script.score(options, result, place, (1, 2)) for place in (0, 1)] == wanted


@pytest.mark.parametrize(("rules", "winner"), [("GC", None), ("TR", 1)])
def test_who_did_not_appear(script, files, rules, winner):
    """E32: nobody did only where nobody wins, in the Swiss rounds of the regulations."""
    content = deepcopy(files[rules])
    game = next(game for game in content["rounds"][0]["games"] if game["result"])
    game["result"].update(how="no_show", by=None, winner=winner and game["first"])
    text = f"ound 1, game {game['place']}: it does not say who conceded or did not appear."
    assert ("differs", f"R{text}") in script.check(content)
    assert f"R{text}" in [each.text for each in violations(content)]


def test_who_leaves_the_bracket_gives_a_bye(script, files):
    """E41."""
    content = deepcopy(files["GC"])
    game = content["rounds"][3]["games"][0]
    winner = game["result"]["winner"]
    gone = game["first"] + game["second"] - winner
    game.update(first=winner, second=None, result=None, table=0)
    next(each for each in content["places"] if each["player"] == gone)["place"] = "4"
    found = [text for _kind, text in script.check(content)]
    assert found == ["Round 4: its games do not follow from the bracket."]
    facts = {"entry": gone, "before": "playing", "after": "dropped"}
    content["log"].append({**content["log"][-1], "kind": "entry", "facts": facts})
    assert (list(script.check(content)), list(verification.differences(content))) == ([], [])


def test_who_leaves_before_the_final_is_second(script):
    """E41."""
    result = {"winner": 1, "roll": None}
    semifinal = [
        {"first": 1, "second": 2, "result": result},
        {"first": 3, "second": 4, "result": {"winner": None, "roll": 4}},
    ]
    final = [{"first": 4, "second": None, "result": None}]
    assert script.bracket_places([semifinal, final]) == {1: "2", 2: "3-4", 3: "3-4", 4: "1"}
    assert script.bracket_places([semifinal]) == {2: "3-4", 3: "3-4"}


def test_a_seed_that_is_secret_proves_nothing(script, files, tmp_path, capsys):
    content = files["GC"] | {"seed": None}
    path, broken = tmp_path / "event.json", tmp_path / "broken.json"
    path.write_text(json.dumps(content))
    broken.write_text("[]")
    assert script.main([path]) == 2
    assert capsys.readouterr().out == (
        f"{path}: The event is not finished, so its seed is still secret. Nothing can be proved yet.\n"
    )
    assert script.main([broken]) == 2
    assert script.main([]) == 2


def cheapest(costs):
    """Return the smallest sum of any perfect matching by trying all."""
    places = range(len(costs))
    return min(sum(costs[order[place]][order[place + 1]] for place in places[::2]) for order in permutations(places))


@pytest.mark.parametrize("most", [2, 9, 10**30])
def test_the_matching_is_the_cheapest(script, most):
    dice = random.Random(most)
    for size in (2, 4, 6) * 8:
        costs = [[0] * size for _ in range(size)]
        for one in range(size):
            for other in range(one):
                costs[one][other] = costs[other][one] = dice.randrange(most)
        matching = script.Matching(costs)
        found = sum(costs[one][other] for one, other in matching.pairs())
        assert found == matching.bound() == cheapest(costs)


def test_nested_blossoms(script):
    """Two clusters of odd size, each of odd cycles: only blossoms within blossoms prove the bound."""
    dice = random.Random(5)
    for _ in range(20):
        size = 18
        group = [dice.randrange(4) for _ in range(size)]
        costs = [[0] * size for _ in range(size)]
        for one in range(size):
            for other in range(one):
                cost = dice.randrange(3) + 50 * (group[one] != group[other])
                costs[one][other] = costs[other][one] = cost
        pairs = script.Matching(costs).pairs()
        assert script.is_cheapest(costs, pairs)
        (first, second), (third, fourth) = sorted(pairs)[:2]
        worse = (pairs - {(first, second), (third, fourth)}) | {(first, third), (second, fourth)}
        dearer = costs[first][third] + costs[second][fourth] > costs[first][second] + costs[third][fourth]
        assert script.is_cheapest(costs, worse) != dearer
