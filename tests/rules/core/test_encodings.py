import pytest

from rules.core.encodings import text_of

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp1250", "mac-roman")


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        ("Jürgen Müller;Löwen\nZoë Smith;Ours\n", ENCODINGS),
        ("Żółta Łódź\nVader", (*ENCODINGS[:5], "cp1250")),
        ("Źrebię;Ola", (*ENCODINGS[:5], "cp1250")),
        ("Muñoz;¿va?\nÑandú;10 m³", (*ENCODINGS[:5], "cp1252")),
        ("O’Brien – “yes”, ‚ja‘\nnaïve—or not", (*ENCODINGS[:5], "cp1252")),
        ("Iden‘s list\nBoba‘s, d‘Qar\n", (*ENCODINGS[:5], "cp1252")),
        ("René;André\n", (*ENCODINGS[:6], "mac-roman")),
        ("Ян Ким\n王小明", ENCODINGS[:3]),
        ("", ENCODINGS),
    ],
)
def test_text_of_spreadsheets_and_editors(text: str, encodings: tuple[str, ...]):
    assert [text_of(text.encode(encoding)) for encoding in encodings] == [text] * len(encodings)


def test_files_that_were_put_together():
    assert text_of("Zoë\n".encode() + "Chloé\r\nJörg".encode("cp1252")) == "Zoë\nChloé\r\nJörg"


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", b"\xff\xfe{", b"\x81\x90"]
)
def test_other_files(content: bytes):
    assert text_of(content) is None
