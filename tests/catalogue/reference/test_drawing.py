"""Words of the reference as HTML."""

from catalogue.reference.passages import Looked
from catalogue.templatetags.reference import block, cell, line, name


def test_markdown_with_links_to_rulings_and_anchors():
    assert line("**Any** [step](#step-4) of R34.") == (
        '<strong>Any</strong> <a href="/rules/#step-4">step</a> of <a href="/rules/#R34">R34</a>.'
    )
    assert block("- one\n- two") == "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"


def test_nothing_of_html_gets_through():
    assert line("<b>&") == "&lt;b&gt;&amp;"
    assert cell("<b> *x* R2-D2, R5") == '&lt;b&gt; *x* R2-D2, <a href="/rules/#R5">R5</a>'
    assert name("R5 <i>") == "R5 &lt;i&gt;"


def test_what_was_looked_for_is_marked_in_the_text_alone():
    looked = Looked(("a", "strong", "amp"))
    assert line("**Any** strong & R3", looked) == (
        '<strong><mark>A</mark>ny</strong> <mark>strong</mark> &amp; <a href="/rules/#R3">R3</a>'
    )
    assert name("Medevac", Looked(("med",))) == "<mark>Med</mark>evac"
