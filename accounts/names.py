"""Usernames: which ones count as the same, and which scripts may be mixed."""

import string
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

#: Scripts that one language writes together. All other names have to keep to one script.
TOGETHER = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"CJK", "HANGUL"}))
#: Letters without a glyph.
INVISIBLE = ("\N{HANGUL CHOSEONG FILLER}", "\N{HANGUL JUNGSEONG FILLER}")


def normalized(name: str) -> str:
    """Return a name as it is stored: NFKC, so that each letter is one character of ordinary width."""
    return unicodedata.normalize("NFKC", name)


def name_key(name: str) -> str:
    """Return the key that names have in common if they count as the same: NFKC and casefolded."""
    return normalized(normalized(name).casefold())


def validate_one_script(name: str) -> None:
    """Refuse names with letters of several scripts, which look like other names, and with invisible letters."""
    letters = [each for each in normalized(name) if each.isalnum() and each not in string.digits]
    scripts = {_script(letter) for letter in letters if unicodedata.category(letter) != "Lm"}
    if len(scripts) > 1 and not any(scripts <= group for group in TOGETHER):
        raise ValidationError(
            _("This name mixes letters of different alphabets. Use letters of one alphabet."), "mixed_scripts"
        )
    if any(letter in INVISIBLE for letter in letters):
        raise ValidationError(_("This name has invisible characters. Remove them."), "invisible")


def _script(letter: str) -> str:
    """Return the first word of the letter's name in Unicode, which is its script: LATIN, CYRILLIC, CJK."""
    return unicodedata.name(letter, "UNKNOWN").replace("-", " ").split()[0]
