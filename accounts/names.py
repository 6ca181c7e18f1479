"""Usernames: which ones count as the same, and which scripts may be mixed."""

import string
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

#: Scripts that one language writes together. All other names have to keep to one script.
TOGETHER = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"CJK", "HANGUL"}))
#: Letters that look like a Latin one: those of Unicode's confusables.txt that people write names with.
_LATIN, _LIKE_LATIN = (
    "ABCEHIJKMOPSTXYabceghijlopqrsvwxyABEHIKMNOPTXYZaiouvypx",
    "АВСЕНІЈКМОРЅТХҮаЬсеԍһіјӏорԛгѕѵԝхуΑΒΕΗΙΚΜΝΟΡΤΧΥΖαιουνγρχ",
)
_TO_LATIN = str.maketrans(_LIKE_LATIN, _LATIN)
#: The same the other way round, for each alphabet.
_FROM_LATIN = tuple(
    {
        ord(latin): like
        for latin, like in zip(_LATIN, _LIKE_LATIN, strict=True)
        if unicodedata.name(like).startswith(script)
    }
    for script in ("CYRILLIC", "GREEK")
)
#: Letters without a glyph.
INVISIBLE = ("\N{HANGUL CHOSEONG FILLER}", "\N{HANGUL JUNGSEONG FILLER}")


def normalized(name: str) -> str:
    """Return a name as it is stored: NFKC, so that each letter is one character of ordinary width."""
    return unicodedata.normalize("NFKC", name)


def name_key(name: str) -> str:
    """Return the key that names have in common if they count as the same: NFKC and casefolded."""
    return normalized(normalized(name).casefold())


def twin_keys(name: str) -> set[str]:
    """Return the keys of names in another alphabet that look like a name, letter by letter: "соra" in Cyrillic letters
    only, and "cora". It has none if a letter of it looks like none of the other alphabet.
    """
    name, found = normalized(name), set()
    for table in (_TO_LATIN, *_FROM_LATIN):
        for shown in {name} if table is _TO_LATIN else {name, name.lower(), name.upper()}:
            letters = [letter for letter in shown if letter.isalpha()]
            if letters and all(ord(letter) in table for letter in letters):
                found.add(name_key(shown.translate(table)))
    return found - {name_key(name)}


def validate_one_script(name: str) -> None:
    """Refuse names with letters of several scripts, which look like other names, and with invisible letters."""
    letters = [each for each in normalized(name) if each.isalnum() and each not in string.digits]
    # The first word of a letter's name in Unicode is its script: LATIN, CYRILLIC, CJK.
    described = (unicodedata.name(each, "UNKNOWN") for each in letters if unicodedata.category(each) != "Lm")
    scripts = {each.replace("-", " ").split()[0] for each in described}
    if len(scripts) > 1 and not any(scripts <= group for group in TOGETHER):
        raise ValidationError(
            _("This name mixes letters of different alphabets. Use letters of one alphabet."), "mixed_scripts"
        )
    if any(letter in INVISIBLE for letter in letters):
        raise ValidationError(_("This name has invisible characters. Remove them."), "invisible")
