"""How high blocks are, and how a run of them is cut."""

from dataclasses import replace

import pytest

from registers.print.typesetting import (
    ABOVE,
    ABOVE_CAPTION,
    AMOUNT,
    BELOW_CAPTION,
    BELOW_PLATE,
    BETWEEN,
    BOX,
    CORNER,
    GROUP,
    ICON,
    LARGE_PICTURE,
    LINE,
    NUMBERED,
    PICTURE,
    RANK,
    SET_IN,
    STEP,
    TITLE,
    TO_WRITE,
    TRACK_ROW,
    Boxes,
    Caption,
    Columns,
    Pair,
    Picture,
    Plate,
    Run,
    Segment,
    Text,
    ToWrite,
    Track,
    TypesetBlock,
    cut,
    filled_up,
    height_of,
    typeset,
    width,
)

WORD = "Wampa"
WIDE = width(WORD)


def heights(*blocks, room: float = 100.0) -> list[float]:
    return [story.height for story in typeset(blocks, room)]


def lines(*texts: str) -> TypesetBlock:
    return TypesetBlock(kind="text", height=ABOVE + LINE * len(texts), lines=tuple((Run(text),) for text in texts))


def test_every_kind_has_its_height():
    blocks = (Plate(title=WORD), Text(WORD), Caption(WORD), Pair(WORD, "20"), Boxes(WORD, 1, 5), ToWrite(WORD, 2))
    assert heights(*blocks) == [
        TITLE * LINE + BELOW_PLATE,
        ABOVE + LINE,
        ABOVE_CAPTION + LINE + BELOW_CAPTION,
        ABOVE + LINE,
        ABOVE + LINE,
        2 * TO_WRITE,
    ]  # fmt: skip


def test_every_kind_leaves_the_room_that_it_needs_beside_its_words():
    two = f"{WORD} {WORD}"
    wide = width(two)
    just = (
        (Text(two), wide),
        (Text(two, depth=2), wide + 2 * SET_IN),
        (Pair(two, "20"), wide + AMOUNT),
        (Boxes(two, 0, 2), wide + 2 * BOX + BETWEEN),
        (Plate(title=two), TITLE * width(two, bold=True) + CORNER),
        (
            Plate(title=two, amount="72 points"),
            TITLE * (width(two, bold=True) + width("72 points", bold=True) + BETWEEN) + CORNER,
        ),
        (Caption(two), width(two, bold=True)),
    )
    for block, room in just:
        [fits] = typeset([block], room + 0.001)
        [wraps] = typeset([block], room - 0.001)
        assert (len(fits.lines), len(wraps.lines)) == (1, 2), block


def test_boxes_that_leave_no_room_beside_them_stand_below_their_words():
    [story] = typeset([Boxes(WORD, 3, 10, "3 of 10", is_round=True)], 10 * BOX + 1)
    ticked = (True,) * 3 + (False,) * 7
    assert story == TypesetBlock(
        kind="rings", height=ABOVE + 2 * LINE, lines=((Run(WORD),),), ticked=ticked, spoken="3 of 10", below=True
    )  # fmt: skip


def test_boxes_with_numbers_and_gaps_take_more_room():
    assert heights(Boxes(WORD, 0, 6, is_numbered=True)) == [pytest.approx(ABOVE + LINE * NUMBERED / BOX)]
    [block] = typeset([Boxes(WORD, 1, 5, group=2)], 100)
    assert block.boxes == [("×", ""), ("", "gap"), ("", ""), ("", "gap"), ("", "")]
    room = width(WORD, bold=True) + BETWEEN + 5 * BOX + 2 * GROUP
    assert [typeset([Boxes(WORD, 1, 5, group=2)], wide)[0].below for wide in (room + 0.1, room - 0.1)] == [False, True]


def test_spare_boxes_come_last_and_large_ones_are_small_where_they_do_not_fit():
    boxes = Boxes(WORD, 0, 2, is_large=True, spare=2, group=2)
    [large], [small] = (typeset([boxes], 4 * NUMBERED + GROUP + more) for more in (0.01, -0.01))
    assert large.boxes == [("", ""), ("", "gap"), ("+", "spare"), ("+", "spare")]
    assert (large.is_large, small.is_large, small.height) == (True, False, ABOVE + 2 * LINE)
    assert heights(Boxes("", 0, 5, is_round=True, to_write=True)) == [TO_WRITE]


def test_a_plate_is_as_high_as_its_words_its_icon_or_its_picture():
    lines = tuple([WORD] * 4)
    plates = (
        Plate(title=WORD),
        Plate(title=WORD, lines=lines, to_write="Name"),
        Plate(title=WORD, icon="corps"),
        Plate(title=WORD, icon="corps", picture=Picture("/x/", "A photo")),
        Plate(title=WORD, picture=Picture("/x/", "A photo"), large_picture=True),
    )
    words = LINE * TITLE
    expected = [words, words + 4 * LINE + TO_WRITE, ICON, PICTURE, LARGE_PICTURE]
    assert heights(*plates) == [pytest.approx(height + BELOW_PLATE) for height in expected]
    plate = Plate(title=WORD, marks=("paragon",), picture=Picture("/x/", "A photo"))
    assert [each.right_class for each in (plates[0], plate, plates[4])] == ["", "right-1-small", "right-0-large"]


def test_a_track_has_a_box_for_each_veteran_rank_and_breaks_between_them():
    track = Track(14, 2, (5, 13, 25), "2 of 3")
    segments = (Segment(5, 5, 1, True), Segment(8, 8, 2, True), Segment(12, 1, 3, False))
    [wide] = typeset([track], 25 * STEP + 3 * RANK + 0.01)
    assert (wide.segments, wide.height) == ((segments,), TRACK_ROW)
    [narrow] = typeset([track], 25 * STEP + 3 * RANK - 0.01)
    assert (narrow.segments, narrow.height) == ((segments[:2], segments[2:]), 2 * TRACK_ROW)
    [short] = typeset([replace(track, is_short=True)], 25)
    assert short.segments == ((segments[2],),)
    assert typeset([replace(track, veteran_rank=3, is_short=True)], 25) == ()


def test_lines_to_write_on_fill_what_is_left_in_every_column():
    line = ToWrite(lines=0, fills=True)
    blocks = typeset([Text("a"), Columns("halves", ((Text("b"), line), (Text("c"), Text("d"), line)))], 30)
    height = height_of(blocks) + 2 * TO_WRITE
    text, columns = filled_up(blocks, height)
    assert text == blocks[0]
    assert [len(column[-1].ticked) for column in columns.columns] == [2, 2]
    assert height_of((text, columns)) <= height + 0.001
    assert filled_up(typeset([line], 30), TO_WRITE - 0.1)[0].ticked == ()


def test_a_dense_card_has_less_space_between_the_same_lines():
    blocks = [Caption("Setbacks"), Text("a b c", depth=1)]
    usual, dense = typeset(blocks, 30), typeset(blocks, 30, dense=True)
    assert [block.lines for block in usual] == [block.lines for block in dense]
    assert height_of(dense) < 0.85 * height_of(usual)


def test_columns_are_as_high_as_the_highest():
    columns = Columns("halves", ((Text(f"{WORD} {WORD}"),), (Text(WORD), Text(WORD))))
    room = 2 * (width(f"{WORD} {WORD}") + BETWEEN)
    assert heights(columns, room=room + 0.001) == [2 * (ABOVE + LINE)]


def test_what_says_nothing_takes_no_room():
    assert typeset([Text(""), Columns("halves", ((Text(""),), ()))], 10) == ()


def test_a_text_is_cut_only_if_it_is_higher_than_a_card():
    first, rest = cut([lines("a", "b", "c"), lines("d")], ABOVE + 2 * LINE + 0.1)
    assert (first, rest) == ((lines("a", "b"),), (lines("c"), lines("d")))
    first, rest = cut([lines("d"), lines("a", "b", "c")], 2 * ABOVE + 3 * LINE + 0.1)
    assert (first, rest) == ((lines("d"),), (lines("a", "b", "c"),))


def test_a_caption_is_repeated_above_what_is_below_it():
    blocks = typeset([Caption("Upgrades"), *(Text(letter) for letter in "abc"), Caption("Keywords")], 100)
    first, rest = cut(blocks, height_of(blocks[:3]))
    assert (texts(first), texts(rest)) == (["Upgrades", "a", "b"], ["Upgrades (continued)", "c", "Keywords"])
    second, third = cut(typeset([Text("x")], 100) + blocks[:1] + rest[1:], 100)
    assert (texts(second), texts(third)) == (["x", "Upgrades", "c", "Keywords"], [])
    again, last = cut((*rest[:1], *blocks[2:4]), height_of(rest[:2]))
    assert (texts(again), texts(last)) == (["Upgrades (continued)", "b"], ["Upgrades (continued)", "c"])


def test_a_caption_is_repeated_in_its_column():
    left = (Caption("Setbacks"), Text("a"), Text("b"))
    [columns] = typeset([Columns("halves", (left, (Text("c"),)))], 40)
    (first,), (rest,) = cut([columns], height_of(columns.columns[0][:2]))
    assert [texts(column) for column in first.columns] == [["Setbacks", "a"], ["c"]]
    assert [texts(column) for column in rest.columns] == [["Setbacks (continued)", "b"], []]


def test_a_caption_goes_on_with_what_it_is_for():
    [caption] = typeset([Caption("Upgrades")], 20)
    first, rest = cut([lines("a"), caption, lines("b")], height_of([lines("a"), caption]) + LINE)
    assert (first, rest) == ((lines("a"),), (caption, lines("b")))


def test_columns_are_cut_side_by_side():
    [columns] = typeset([Columns("halves", ((Text("a"), Text("b")), (Text("c"),)))], 20)
    (first,), (rest,) = cut([columns], ABOVE + LINE)
    assert [column[0].lines for column in first.columns] == [((Run("a"),),), ((Run("c"),),)]
    assert rest.columns == ((lines("b"),), ())
    assert cut([lines("x"), columns], ABOVE + LINE) == ((lines("x"),), (columns,))


def test_there_is_always_a_first_piece():
    assert cut([lines("a"), lines("b")], 0) == ((lines("a"),), (lines("b"),))
    assert cut([], 5) == ((), ())


CHOICE = (
    Text("Choose 3 units:"),
    Text("Choose one of these:", depth=1),
    Text("+1 Experience.", "Option 1:", depth=2),
    Text("Remove all Setbacks.", "Option 2:", depth=2),
)


def texts(stories) -> list[str]:
    return ["".join(run.text for line in story.lines for run in line) for story in stories]


def test_what_is_below_a_head_goes_to_the_next_card_whole():
    stories = typeset([Text("Setup."), Caption("When it wins"), *CHOICE, Text("The end.")], 100)
    for whole in range(2, 5):
        first, rest = cut(stories, height_of(stories[: whole + 1]) + 0.01)
        assert (texts(first), texts(rest)) == (["Setup."], texts(stories[1:])), whole


def test_where_it_fits_on_no_card_its_heads_stand_there_again():
    stories = typeset([*CHOICE, Text("Keep them.", "Option 3:", depth=2)], 100)
    first, rest = cut(stories, height_of(stories[:3]))
    assert texts(first) == ["Choose 3 units:", "Choose one of these:", "Option 1: +1 Experience."]
    assert texts(rest) == [
        "Choose 3 units (continued):", "Choose one of these (continued):",
        "Option 2: Remove all Setbacks.", "Option 3: Keep them.",
    ]  # fmt: skip
    assert [story.depth for story in rest] == [0, 1, 2, 2]
    second, third = cut(rest, height_of(stories[:3]))
    assert (texts(second), texts(third)) == (texts(rest[:3]), [*texts(rest[:2]), "Option 3: Keep them."])


def test_the_inner_group_stays_whole_where_the_outer_one_cannot():
    stories = typeset([CHOICE[0], Text("+1 Supply.", depth=1), *CHOICE[1:]], 100)
    first, rest = cut(stories, height_of(stories[:4]))
    assert texts(first) == ["Choose 3 units:", "+1 Supply."]
    assert texts(rest) == ["Choose 3 units (continued):", *texts(stories[2:])]


def test_heads_that_would_leave_no_room_do_not_stand_again():
    stories = typeset(CHOICE, 100)
    first, rest = cut(stories, height_of(stories[:1]))
    assert (texts(first), texts(rest)) == (texts(stories[:1]), texts(stories[1:]))


def test_a_long_head_is_torn_like_any_text():
    stories = typeset([Text("Wampa " * 20 + "Wampa:"), Text("Yeti.", depth=1)], 20)
    first, rest = cut(stories, ABOVE + 3 * LINE)
    assert ([len(story.lines) for story in first], len(rest), first[0].bound) == ([3], 2, False)
