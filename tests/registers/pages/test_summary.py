"""What the entries of a battle come to."""

from registers.pages.history import summary_of
from rules.register import effects as e


def test_the_most_important_first_and_amounts_added_up():
    effects = [
        e.SupplyPointsGained(amount=2, rule="R30"),
        e.SupplyPointsGained(amount=1, rule="R30"),
        e.SupplyPointsSpent(amount=3, rule="R41"),
        e.ExperienceGained(unit="1", amount=2, rule="R39"),
        e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
        e.VeteranRankReached(unit="1", veteran_rank=2, rule="R12"),
        e.SetbackGained(unit="1", setback="battle-shaken", rule="R36"),
        e.UnitFell(unit="2", rule="R35"),
        e.ReputationGained(amount=1, rule="R48"),
    ]
    assert summary_of(effects, {"1": "Captain Sorne"}) == [
        {"text": "2 fell", "tone": "bad"},
        {"text": "Captain Sorne: VR 2", "tone": "good"},
        *(
            {"text": text, "tone": ""}
            for text in ("+1 Reputation", "+3 SP", "−3 SP", "+2 XP", "1 Setback")
        ),
    ]  # fmt: skip
    assert summary_of([], {}) == []
