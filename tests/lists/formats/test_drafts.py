from lists.formats.cards import CardIndex
from lists.formats.parsed import LineKind
from lists.formats.understanding import Sheet


def test_names_with_commas_are_kept_together(index: CardIndex):
    text = "HQ Uplink, Tools of the Trade, Jetpack Rockets,, Tenacity; Frob, Nicator"

    assert Sheet(index).split(LineKind.UPGRADE, text) == [
        "HQ Uplink",
        "Tools of the Trade, Jetpack Rockets",
        "Tenacity",
        "Frob",
        "Nicator",
    ]
    assert Sheet(index).split(LineKind.COMMAND_CARD, "Fear, Surprise, Intimidation, Push") == [
        "Fear, Surprise, Intimidation",
        "Push",
    ]
