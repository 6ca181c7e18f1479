"""What Registers ask of campaigns."""

from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide, RegisterLinks, battle_names, connect
from registers.models import Register


def test_without_campaigns(monkeypatch):
    monkeypatch.setattr(campaign_side, "campaigns", CampaignSide())
    assert battle_names(["7", "", "7"]) == {"7": BattleName("a battle")}
    assert campaign_side.campaigns.links(None, Register()) == RegisterLinks()
    assert not campaign_side.campaigns.seen_by(None)


def test_battles_named_by_campaigns(monkeypatch):
    monkeypatch.setattr(campaign_side, "campaigns", None)
    asked = []

    def namer(ids):
        asked.append(ids)
        return {"7": BattleName("Battle 7", "/battles/7/")}

    connect(CampaignSide(battle_names=namer))
    assert battle_names(["7", "8"]) == {"7": BattleName("Battle 7", "/battles/7/"), "8": BattleName("a battle")}
    assert battle_names([""]) == {}
    assert asked == [{"7", "8"}]  # once for a page, and not at all without a battle
