"""Forms of a page, filled in by chance."""

from random import Random

from bench.forms import SOMETHING, forms_of

PAGE = """
<form action="/search/"><input name="q"></form>
<form id="app" method="post" action=""><input type="hidden" name="turn" value="3"></form>
<form method="POST" action="/else/">
  <input type="hidden" name="turn" value="4"><input name="name" value="">
  <input type="radio" name="face" value="hit" required><input type="radio" name="face" value="blank" required>
  <input type="checkbox" name="add" value="a"><select name="card"><option value="x"><option value="y"></select>
  <input type="number" name="count" value="2" max="3"><input name="off" disabled>
  <button name="choice" value="1"></button><button type="button" name="no"></button>
</form>
<button form="app" name="dice" value="app">
"""


def test_forms_that_are_posted():
    app, other = forms_of(PAGE)
    assert (app.action, app.name, app.fields, app.buttons) == ("", "app", [("turn", ["3"])], [("dice", "app")])
    assert (other.action, other.buttons) == ("/else/", [("choice", "1")])
    assert other.fields == [
        ("turn", ["4"]), ("name", ["The Grim Hounds"]), ("face", ["hit", "blank"]), ("add", ["a", None]),
        ("card", ["x", "y"]), ("count", ["2", "0", "3"]),
    ]  # fmt: skip


def test_filled_as_chance_has_it():
    _, form = forms_of(PAGE)
    sent = [form.filled(Random(seed)) for seed in range(30)]
    assert {len(each) for each in sent} == {6, 7}
    assert {dict(each)["face"] for each in sent} == {"hit", "blank"}


def test_a_text_is_what_stands_in_it():
    texts = '<textarea name="a">\nLuke &amp; Leia</textarea> or <textarea name="b"> </textarea>'
    [form] = forms_of(f'<form method="post">{texts}</form>')
    assert form.fields == [("a", ["Luke & Leia"]), ("b", [SOMETHING])]
