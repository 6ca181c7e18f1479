from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, Kind, Line, Parsed, Reason
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
            Line(read="format: legion-tod-register", kind=Kind.NOTE),
            Line(read="version: 1", kind=Kind.NOTE),
            Line(read="exportedAt: 1761000000000", kind=Kind.NOTE),
            Line(read="Ashen Patrol", kind=Kind.REGISTER),
            Line(read="Empire", kind=Kind.FACTION, card="empire", of=3),
            Line(read="Bring Peace to the Galaxy", kind=Kind.STORY_ARC, card="bring-peace-to-the-galaxy", of=3),
            Line(read="650", kind=Kind.COMBAT_POTENTIAL, number=650, of=3),
            Line(read="7", kind=Kind.SUPPLY_POINTS, number=7, of=3),
            Line(read="1", kind=Kind.REPUTATION, number=1, of=3),
            Line(read="Medevac", kind=Kind.ASSET, card="medevac", of=3),
            Line(read="Combat Drop", kind=Kind.ASSET, card="combat-drop", of=3),
            Line(read="Gather Intelligence", kind=Kind.AGENDA, card="gather-intelligence", number=2, of=3),
            Line(read="Win", kind=Kind.AGENDA, of=3, violations=("Expected a number of progressions, not x.",)),
            Line(
                read="Imperial Officer",
                kind=Kind.UNIT,
                card="imperial-officer-ruthless-efficiency",
                of=3,
                violations=("Imperial Officer has no free slot left for this (command, comms).",),
            ),
            Line(read="Captain Sorne", kind=Kind.DOSSIER_NAME, of=13),
            Line(read="2", kind=Kind.VETERAN_RANK, number=2, of=13),
            Line(read="13", kind=Kind.EXPERIENCE, number=13, of=13),
            Line(read="Vigilance", kind=Kind.UPGRADE, card="vigilance", of=13),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=13),
            Line(read="Downtrodden 2", kind=Kind.SETBACK, card="downtrodden", of=13),
            Line(read="Downtrodden 2", kind=Kind.SETBACK, card="downtrodden", of=13),
            Line(read="Battle-Shaken", kind=Kind.SETBACK, card="battle-shaken", of=13),
            Line(read="Resilient", kind=Kind.COMMENDATION, card="resilient", of=13),
            Line(read="Lucky Shot", kind=Kind.COMMENDATION, card="lucky-shot", of=13),
            Line(read="id: d1", kind=Kind.NOTE, of=13),
            Line(read="pointsSpent: 60", kind=Kind.NOTE, of=13),
            Line(read="Stormtroopers", kind=Kind.UNIT, card="stormtroopers", of=3),
            Line(read="0", kind=Kind.VETERAN_RANK, number=0, of=26),
            Line(read="-3", kind=Kind.EXPERIENCE, of=26, violations=("Expected a whole number.",)),
            Line(read="2x Frobnicator", kind=Kind.UPGRADE, of=26, violations=("No upgrade is known by this name.",)),
            Line(read="2x Frobnicator", kind=Kind.UPGRADE, of=26, violations=("No upgrade is known by this name.",)),
            Line(read="id: d2", kind=Kind.NOTE, of=26),
            Line(read="pointsSpent:", kind=Kind.NOTE, of=26),
            Line(read="mood: grim", kind=Kind.UNKNOWN, of=26, violations=("This is no part of the format.",)),
            Line(
                read='{"unitName": 7}',
                kind=Kind.UNKNOWN,
                of=3,
                violations=("Expected a Dossier with the name of its unit.",),
            ),
            Line(read="id: r1", kind=Kind.NOTE, of=3),
            Line(read="combatPotentialSpent: 288", kind=Kind.NOTE, of=3),
            Line(read="objectives:", kind=Kind.NOTE, of=3),
            Line(read="updatedAt: 1", kind=Kind.NOTE, of=3),
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
            Line(read="format: legion-tod-register", kind=Kind.NOTE),
            Line(read="version: 1", kind=Kind.NOTE),
            Line(read="A", kind=Kind.REGISTER),
            Line(read="rebel", kind=Kind.FACTION, card="rebel", of=2),
            Line(read="AT-RT", kind=Kind.UNIT, card="at-rt-rebel", because="the Faction", of=2),
            Line(read="Extra Equipment", kind=Kind.COMMENDATION, card="extra-equipment", of=4),
            Line(read="B", kind=Kind.REGISTER),
            Line(read="republic", kind=Kind.FACTION, card="republic", of=6),
            Line(read="AT-RT", kind=Kind.UNIT, card="at-rt-republic", because="the Faction", of=6),
            Line(read="C", kind=Kind.REGISTER),
            Line(read="Hutts", kind=Kind.FACTION, of=9, violations=("No Faction is known by this name.",)),
            Line(read="4", kind=Kind.UNKNOWN, of=9, violations=("Expected a name (story arc).",)),
            Line(read="The Long Game", kind=Kind.AGENDA, card="the-long-game", of=9),
            Line(read="5", kind=Kind.UNKNOWN, of=9, violations=("Expected an Agenda with its name.",)),
            Line(read="AT-RT", kind=Kind.UNIT, card="at-rt-rebel", because="the Faction", of=9),
            Line(read="3", kind=Kind.UNKNOWN, violations=("Expected a Register.",)),
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
