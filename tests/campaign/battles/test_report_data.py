"""Army and report as plain values: both without units that were left out."""

from campaign.battles.report_data import Facts, army_without, report_without


def test_an_army_without_a_unit_and_what_was_lent_to_it():
    lent = [{"asset": "requisition", "key": "", "unit": "", "upgrades": ["recon-intel"], "bearer": key} for key in "34"]
    army = {"fielded": {"3": [], "4": ["hq"]}, "assets": ["requisition"], "agenda": "", "lent": lent}
    assert army_without(army, {"4"}) == army | {"fielded": {"3": []}, "lent": lent[:1]}


def test_a_report_that_says_nothing_of_a_unit():
    report = Facts(
        defeated=["3", "4"], contesting=["4"], marked=["4"], confirmed=["4"], in_game_experience={"3": 1, "4": 2}
    ).as_data()
    assert report_without(report, {"4"}) == report | {
        "defeated": ["3"], "contesting": [], "marked": [], "in_game_experience": {"3": 1},
    }  # fmt: skip
