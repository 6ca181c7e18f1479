"""The tag that draws an icon: decoration unless it has a label, and everything in it is escaped."""

import pytest
from django.template import Context, Template

START, END = '<svg class="icon ', '<use href="/static/icons.svg#print"></use></svg>'


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ('"print"', f'{START}" focusable="false" aria-hidden="true">{END}'),
        ('"print" label=""', f'{START}" focusable="false" aria-hidden="true">{END}'),
        (
            '"print" label=label class_="emblem"',
            f'{START}emblem" focusable="false" role="img" aria-label="&lt;b&gt; &amp; c">{END}',
        ),
    ],
)
def test_an_icon(words: str, drawn: str) -> None:
    assert Template(f"{{% icon {words} %}}").render(Context({"label": "<b> & c"})) == drawn
