"""Biographies."""

import pytest

from registers.markdown import to_html, too_large


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("# Loud", "Loud\n"),
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("![a](https://b/c.png)", '<p>!<a href="https://b/c.png" rel="noopener noreferrer nofollow">a</a></p>\n'),
        ("[a](https://b/)", '<p><a href="https://b/" rel="noopener noreferrer nofollow">a</a></p>\n'),
        *(
            (f"[a]({here})", '<p><a rel="noopener noreferrer nofollow">a</a></p>\n')
            for here in ("/campaigns/1/", "../b", "//b.example/", "#c")
        ),
        ("[a](mailto:a@b.example)", '<p><a href="mailto:a@b.example" rel="noopener noreferrer nofollow">a</a></p>\n'),
    ],
)
def test_to_html(text, html):
    assert to_html(text) == html


def table(columns: int, rows: int, row: str = "|a|") -> str:
    """A header of so many columns, and so many rows that have but one cell: the others are added."""
    return "\n".join(["|h" * columns, "|-" * columns, *[row] * rows, ""])


def cells(text: str) -> int:
    return to_html(text).count("<td") + to_html(text).count("<th>")


@pytest.mark.parametrize("text", ["Snow.", table(3, 99), table(10, 29), table(5, 29) + "\n" + table(5, 29)])
def test_tables_as_people_write_them(text):
    assert (too_large(text), "|" in to_html(text)) == ("", False)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (table(1, 4_000), 301),
        (table(100, 4_800), 400),
        (table(3, 101), 303),
        (table(2_000, 1), 0),
        (f"{table(1, 1)}\n" * 1_000, 300),
        ("\n".join(f"> {line}" for line in table(1, 4_000).splitlines()), 301),
        ((table(100, 1) + "\n") * 40, 400),
    ],
)
def test_large_tables_are_told_of_and_what_is_kept_of_them_ends_in_a_paragraph(text, most):
    assert too_large(text) == "The tables have more than 300 cells. Shorten them or use a list."
    assert cells(text) <= most
    assert "|" in to_html(text)


def test_a_text_with_too_many_links_is_refused_and_drawn_without_any():
    """Two letters that refer to an address repeat all of it: links and addresses count."""
    address = "[a]: https://example.org/" + "x" * 1000
    bombs = ("[a] " * 2000 + f"\n\n{address}", "\n".join(f"[{n}]: https://example.org/{n}" for n in range(2000)))
    for text in bombs:
        assert too_large(text) == "The text has more than 100 links. Remove some of them."
    assert "<a" not in to_html(bombs[0])
    assert len(to_html(bombs[0])) < 2 * len(bombs[0])
    few = "[a] " * 99 + f"\n\n{address}"
    assert (too_large(few), to_html(few).count("<a ")) == ("", 99)
