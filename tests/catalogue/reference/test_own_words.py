"""The check of own words can fail, and knows the printed text."""

from tests.catalogue.reference.own_words import BYTES, SEEDS, paragraphs, repeated, runs, shingles


def test_runs_of_eight_words_without_punctuation():
    assert list(runs("One, two; THREE four five six seven eight’s nine")) == [
        "one two three four five six seven eight's",
        "two three four five six seven eight's nine",
    ]


def test_paragraphs_are_read_through_what_stands_in_a_line():
    html = "<p>One <b>two</b>, <a href='#'>three</a>.</p><svg>no</svg><td>four</td>"
    assert [text for text in paragraphs(html) if text] == ["One two, three.", "four"]


def test_what_is_in_the_file_is_found():
    known = SEEDS.read_bytes()
    assert len(known) % BYTES == 0
    assert len(known) // BYTES > 19_000
    assert repeated("a b c d e f g h") == []
    assert shingles("a b c d e f g h") & {known[:BYTES]} == set()


def test_a_sentence_of_the_printed_text_is_found():
    """One that everybody may quote: it only names the game."""
    assert repeated("© & ™ Lucasfilm Ltd. Atomic Mass Games and logo are ™ Atomic Mass Games.")
