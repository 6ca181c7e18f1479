from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, Reason
from lists.formats.register_json import read


def test_a_file_in_full(index: CardIndex):
    text = """{"format":"legion-tod-register","version":1,"exportedAt":1761000000000,"registers":[{"id":"r1",
"name":"Ashen Patrol","faction":"Empire","reputation":"1","storyArc":"Bring Peace to the Galaxy",
"combatPotential":"650","combatPotentialSpent":"288","supplyPoints":"7",
"strategicAssets":"Medevac, Combat Drop","agendas":[{"name":"Gather Intelligence","progression":2},
{"name":"","progression":0},{"name":"Win","progression":"x"}],"dossiers":[{"id":"d1",
"dossierName":"Captain Sorne","unitName":"Imperial Officer","setbacks":"Downtrodden 2; Battle-Shaken",
"veteranRank":2,"experience":"13","upgrades":"Vigilance, HQ Uplink",
"commendations":"Resilient\\nLucky Shot","pointsSpent":60},{"id":"d2","dossierName":"",
"unitName":"Stormtroopers","unitFaction":"empire","setbacks":"none","veteranRank":0,"experience":-3,
"upgrades":"2x Frobnicator","commendations":"","pointsSpent":"","mood":"grim"},{"unitName":7}],
"objectives":"","updatedAt":1}]}"""

    assert read(text, index) == Parsed(
        Format.REGISTER_JSON,
        lines=(
            ParsedLine(read="format: legion-tod-register", kind=LineKind.NOTE),
            ParsedLine(read="version: 1", kind=LineKind.NOTE),
            ParsedLine(read="exportedAt: 1761000000000", kind=LineKind.NOTE),
            ParsedLine(read="Ashen Patrol", kind=LineKind.REGISTER),
            ParsedLine(read="Empire", kind=LineKind.FACTION, card="empire", of=3),
            ParsedLine(
                read="Bring Peace to the Galaxy", kind=LineKind.STORY_ARC, card="bring-peace-to-the-galaxy", of=3
            ),
            ParsedLine(read="650", kind=LineKind.COMBAT_POTENTIAL, number=650, of=3),
            ParsedLine(read="7", kind=LineKind.SUPPLY_POINTS, number=7, of=3),
            ParsedLine(read="1", kind=LineKind.REPUTATION, number=1, of=3),
            ParsedLine(read="Medevac", kind=LineKind.ASSET, card="medevac", of=3),
            ParsedLine(read="Combat Drop", kind=LineKind.ASSET, card="combat-drop", of=3),
            ParsedLine(read="Gather Intelligence", kind=LineKind.AGENDA, card="gather-intelligence", number=2, of=3),
            ParsedLine(read="Win", kind=LineKind.AGENDA, of=3, violations=("The number of progressions cannot be x.",)),
            ParsedLine(
                read="Imperial Officer",
                kind=LineKind.UNIT,
                card="imperial-officer-ruthless-efficiency",
                of=3,
                violations=("Imperial Officer has no free slot for this (command, comms).",),
            ),
            ParsedLine(read="Captain Sorne", kind=LineKind.DOSSIER_NAME, of=13),
            ParsedLine(read="2", kind=LineKind.VETERAN_RANK, number=2, of=13),
            ParsedLine(read="13", kind=LineKind.EXPERIENCE, number=13, of=13),
            ParsedLine(read="Vigilance", kind=LineKind.UPGRADE, card="vigilance", of=13),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=13),
            ParsedLine(read="Downtrodden 2", kind=LineKind.SETBACK, card="downtrodden", of=13),
            ParsedLine(read="Downtrodden 2", kind=LineKind.SETBACK, card="downtrodden", of=13),
            ParsedLine(read="Battle-Shaken", kind=LineKind.SETBACK, card="battle-shaken", of=13),
            ParsedLine(read="Resilient", kind=LineKind.COMMENDATION, card="resilient", of=13),
            ParsedLine(read="Lucky Shot", kind=LineKind.COMMENDATION, card="lucky-shot", of=13),
            ParsedLine(read="id: d1", kind=LineKind.NOTE, of=13),
            ParsedLine(read="pointsSpent: 60", kind=LineKind.NOTE, of=13),
            ParsedLine(read="Stormtroopers", kind=LineKind.UNIT, card="stormtroopers", of=3),
            ParsedLine(read="0", kind=LineKind.VETERAN_RANK, number=0, of=26),
            ParsedLine(read="-3", kind=LineKind.EXPERIENCE, of=26, violations=("This must be a whole number.",)),
            ParsedLine(read="2x Frobnicator", kind=LineKind.UPGRADE, of=26, violations=("No upgrade has this name.",)),
            ParsedLine(read="2x Frobnicator", kind=LineKind.UPGRADE, of=26, violations=("No upgrade has this name.",)),
            ParsedLine(read="id: d2", kind=LineKind.NOTE, of=26),
            ParsedLine(read="pointsSpent:", kind=LineKind.NOTE, of=26),
            ParsedLine(
                read="mood: grim", kind=LineKind.UNKNOWN, of=26, violations=("This key is unknown in this format.",)
            ),
            ParsedLine(
                read='{"unitName": 7}',
                kind=LineKind.UNKNOWN,
                of=3,
                violations=("This is not a Dossier with a unit name.",),
            ),
            ParsedLine(read="id: r1", kind=LineKind.NOTE, of=3),
            ParsedLine(read="combatPotentialSpent: 288", kind=LineKind.NOTE, of=3),
            ParsedLine(read="objectives:", kind=LineKind.NOTE, of=3),
            ParsedLine(read="updatedAt: 1", kind=LineKind.NOTE, of=3),
        ),
    )


def test_each_register_has_a_faction_of_its_own(index: CardIndex):
    text = """{"format":"legion-tod-register","version":1,"registers":[{"name":"A","faction":"rebel",
"dossiers":[{"unitName":"AT-RT","commendations":"Extra Equipment","unitFaction":""}]},{"name":"B",
"faction":"republic","dossiers":[{"unitName":"AT-RT"}]},{"name":"C","faction":"Hutts","storyArc":4,
"agendas":["The Long Game",5],"dossiers":[{"unitName":"AT-RT","unitFaction":"rebel"}]},3]}"""

    assert read(text, index) == Parsed(
        Format.REGISTER_JSON,
        lines=(
            ParsedLine(read="format: legion-tod-register", kind=LineKind.NOTE),
            ParsedLine(read="version: 1", kind=LineKind.NOTE),
            ParsedLine(read="A", kind=LineKind.REGISTER),
            ParsedLine(read="rebel", kind=LineKind.FACTION, card="rebel", of=2),
            ParsedLine(read="AT-RT", kind=LineKind.UNIT, card="at-rt-rebel", because="the Faction", of=2),
            ParsedLine(read="Extra Equipment", kind=LineKind.COMMENDATION, card="extra-equipment", of=4),
            ParsedLine(read="B", kind=LineKind.REGISTER),
            ParsedLine(read="republic", kind=LineKind.FACTION, card="republic", of=6),
            ParsedLine(read="AT-RT", kind=LineKind.UNIT, card="at-rt-republic", because="the Faction", of=6),
            ParsedLine(read="C", kind=LineKind.REGISTER),
            ParsedLine(read="Hutts", kind=LineKind.FACTION, of=9, violations=("No Faction has this name.",)),
            ParsedLine(read="4", kind=LineKind.UNKNOWN, of=9, violations=("The name is missing (story arc).",)),
            ParsedLine(read="The Long Game", kind=LineKind.AGENDA, card="the-long-game", of=9),
            ParsedLine(read="5", kind=LineKind.UNKNOWN, of=9, violations=("This is not an Agenda with a name.",)),
            ParsedLine(read="AT-RT", kind=LineKind.UNIT, card="at-rt-rebel", because="the Faction", of=9),
            ParsedLine(read="3", kind=LineKind.UNKNOWN, violations=("This is not a Register.",)),
        ),
    )


def test_another_version_or_no_registers_are_refused(index: CardIndex):
    texts = [
        '{"format": "legion-tod-register", "version": 2, "registers": []}',
        '{"format": "other", "version": 1, "registers": []}',
        '{"format": "legion-tod-register", "version": 1}',
    ]

    assert [parsed.refused.reason for parsed in (read(text, index) for text in texts) if parsed.refused] == [
        Reason.WRONG_SHAPE
    ] * 3
