"""Biographies."""

from __future__ import annotations

import pytest

from registers.markdown import to_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("# Loud", "Loud\n"),
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        (
            "![a](https://b/c.png)",
            '<p>!<a href="https://b/c.png" rel="noopener noreferrer nofollow">a</a></p>\n',
        ),
        ("[a](https://b/)", '<p><a href="https://b/" rel="noopener noreferrer nofollow">a</a></p>\n'),
    ],
)
def test_to_html(text, html):
    assert to_html(text) == html
