import pytest

from tests.browser.markup import markup_faults

FINE = """<h1>Army</h1><h2>Units</h2><a href="/"><img src="/x" alt="Home"></a><button title="Undo"><svg></svg></button>
<label for="name">Name</label><input id="name"><label>Size <select></select></label><input type="hidden"><input hidden>
<input aria-label="Search"><button aria-hidden="true"></button><details><summary>More</summary></details>"""


def test_a_page_on_which_all_has_a_name():
    assert markup_faults(FINE) == []


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ('<img src="/x">', 'image-alt: <img src="/x">'),
        ('<a href="/"> <svg></svg> </a>', 'link-name: <a href="/">'),
        ('<a href="/"><img src="/x" alt=""></a>', 'link-name: <a href="/">'),
        ("<button></button>", "button-name: <button>"),
        ("<summary></summary>", "summary-name: <summary>"),
        ('<input id="other">', 'label: <input id="other">'),
        ("<label>Size</label><textarea></textarea>", "label: <textarea>"),
        ('<p id="name">', "duplicate-id-aria: name"),
        ("<h4>Upgrades</h4>", "heading-order: h4 after h2"),
    ],
)
def test_a_fault(part, fault):
    assert markup_faults(FINE + part) == [fault]


def test_a_page_without_its_heading():
    assert markup_faults("<p>Army</p>") == ["page-has-heading-one"]
