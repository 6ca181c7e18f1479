from lists.formats.cards import CardIndex
from lists.formats.parsed import Reason
from lists.formats.register_json import read


def test_another_version_or_no_registers_are_refused(index: CardIndex):
    texts = [
        '{"format": "legion-tod-register", "version": 2, "registers": []}',
        '{"format": "other", "version": 1, "registers": []}',
        '{"format": "legion-tod-register", "version": 1}',
    ]

    assert [parsed.refused.reason for parsed in (read(text, index) for text in texts) if parsed.refused] == [
        Reason.WRONG_SHAPE
    ] * 3
