from lists.formats.cards import CardIndex
from lists.formats.register_json import read


def test_another_version_or_no_registers_are_refused(index: CardIndex):
    texts = [
        '{"format": "legion-tod-register", "version": 2, "registers": []}',
        '{"format": "other", "version": 1, "registers": []}',
        '{"format": "legion-tod-register", "version": 1}',
    ]

    assert [read(text, index).refused for text in texts] == [
        "This is not legion-tod-register version 1.",
        "This is not legion-tod-register version 1.",
        "This JSON does not contain Registers.",
    ]
