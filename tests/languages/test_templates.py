"""Templates hand every word to the translator."""

import re
from pathlib import Path

from django.template.base import Lexer, Token, TokenType

from tests.languages.reading import ENGLISH, NAMES, texts_of

TEMPLATES = Path(__file__).parents[2] / "templates"
#: The style guide is for who builds the site: it names classes.
FOR_US = {"core/styleguide.html", "core/_buttons.html", "core/_letters.html", "core/_tables.html"}
EVERYTHING = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.*")}
#: The admin speaks Django's languages and our English.
PAGES = sorted(name for name in EVERYTHING - FOR_US if not name.startswith("admin/"))
#: Blocks whose content `base.html` takes into a tag, and what a template says to a style sheet or to HTMX.
FOR_TAGS = re.compile(r"^[a-z_]+(--|__)[\w-]+$|^(sheet|print-preview)$|^(data|hx|aria)-[\w-]+=")
#: In the rules reference: the anchor of a section or passage, and whether the printed sheet has it.
HEADS = re.compile(r"^#+ [\w-]+|\| (not )?on the sheet$", re.MULTILINE)
#: Stands for a tag: what is on both sides of it is not one text.
BETWEEN = "‖"
#: A literal that another template is given as words: two words, or one with a capital.
WORDS_IN_TAGS = re.compile(r"""\w+=(?P<quote>["'])(?P<words>[A-Z][a-z]+|[^"'/]*[a-z] [a-z][^"'/]*)(?P=quote)""")


def spoken(source: str) -> list[str]:
    """The texts of a template outside of `translate` and `blocktranslate`, with … for what is filled in."""
    parts: list[str] = []
    hidden = ""
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            hidden = _hidden(token, hidden)
            parts.append("" if hidden else BETWEEN)
        elif not hidden and token.token_type != TokenType.COMMENT:
            parts.append("…" if token.token_type == TokenType.VAR else token.contents)
    texts = (part.strip() for text in texts_of("".join(parts)) for part in text.split(BETWEEN))
    return [text for text in texts if _is_english(text)]


def _hidden(token: Token, hidden: str) -> str:
    """The end that closes what is not looked at, if the token is inside of it."""
    word = token.contents.split()[0]
    if hidden:
        return "" if word in (hidden, hidden.replace("trans", "translate")) else hidden
    return {"blocktranslate": "endblocktranslate", "blocktrans": "endblocktrans", "comment": "endcomment"}.get(word, "")


def _is_english(text: str) -> bool:
    for name in NAMES:
        text = text.replace(name, "")
    return bool(ENGLISH.search(text)) and not FOR_TAGS.match(text)


def words_in_tags(source: str) -> list[str]:
    """Words that a template gives to another one as they are."""
    tags = (token.contents for token in Lexer(source).tokenize() if token.token_type == TokenType.BLOCK)
    found = [
        match["words"] for tag in tags if tag.startswith(("include", "with")) for match in WORDS_IN_TAGS.finditer(tag)
    ]
    return [words for words in found if words not in NAMES]


def test_no_word_is_left_out() -> None:
    sources = {name: HEADS.sub("", (TEMPLATES / name).read_text()) for name in PAGES}
    found = {name: [*spoken(source), *words_in_tags(source)] for name, source in sources.items()}
    assert {name: words for name, words in found.items() if words} == {}
    assert len(found) > 500


def test_what_is_found() -> None:
    source = (
        '{% load i18n %}<h1 title="A title">Bare {{ name }}</h1>{% translate "Seen" %}{# Not said #}'
        "{% blocktranslate %}Seen {{ name }}{% endblocktranslate %}{% comment %}Not said{% endcomment %}"
        '{% include "part.html" with label="Said out loud" name="icon" only %}'
    )
    assert spoken(source) == ["A title", "Bare …"]
    assert words_in_tags(source) == ["Said out loud"]


def test_dates_have_named_formats() -> None:
    """Each language has its own order of day, month and year (config/formats); "c" is for machines."""
    literal = re.compile(r"""\|(?:date|time):(["'])(?!c\1|[A-Z_]+\1)[^"']*\1""")
    found = {name: [each[0] for each in literal.finditer((TEMPLATES / name).read_text())] for name in PAGES}
    assert {name: formats for name, formats in found.items() if formats} == {}
