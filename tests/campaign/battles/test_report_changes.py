"""What a rewritten report changed."""

from campaign.battles.report_changes import changes_between, changes_in_words

SIDES = {"blue": "Ashen Patrol", "red": "Dune Wardens"}


def report(winner="blue", points=(7, 4), notes="", mission="", **blue):
    return {
        "winner": winner,
        "mission": mission,
        "notes": notes,
        "victory_points": {"blue": points[0], "red": points[1]},
        "sides": {"blue": blue, "red": {"defeated": ["2"]}},
    }


def words(before, after) -> list[str]:
    return changes_in_words(changes_between(before, after), SIDES)


def test_nothing():
    assert changes_between(report(tokens=0), report()) == {}


def test_everything(book):
    before = report(defeated=["1"], contesting=["2"], agenda="no-such", conceded=False)
    after = report(
        "",
        (5, 5),
        "Dark.",
        "Recover",
        defeated=["1", "3"],
        contesting=["3"],
        agenda="gather-intelligence",
        conceded=True,
    )
    assert words(before, after) == [
        "Ashen Patrol won → a draw",
        "7–4 → 5–5",
        "mission — → Recover",
        (
            "Ashen Patrol: defeated units 1 → 2, other units contesting or holding, "
            "Agenda — → Gather Intelligence, conceded no → yes"
        ),
        "notes changed",
    ]
