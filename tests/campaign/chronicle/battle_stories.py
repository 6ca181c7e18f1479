"""The story of a battle."""

from campaign.chronicle.narrative.battle_story import BattleStory, SideStory


def a_battle_story(**words) -> BattleStory:
    blue = SideStory(name="Ashen Patrol", colour="blue", faction="empire", has_sequence=True)
    red = SideStory(name="Sal", colour="red")
    plain = {"key": "1", "number": 1, "date": None, "size": 600, "blue": blue, "red": red}
    return BattleStory(**{**plain, **words})
