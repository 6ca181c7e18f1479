"""The language of the rules' sentences: English, unless a translator is installed.

The rules have no translations of their own. Django's are installed with `speak`, and each sentence is translated when
it is made. Sentences have named placeholders, so that a translator may move them, and are never joined from fragments.

The ledger must read alike for every actor and language. So an effect's `why` is stored in English with the values of
its placeholders (`kept`), and translated when it is read (`translated`).
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Protocol


class Translator(Protocol):
    """The interface of a translator: `django.utils.translation`, or English unchanged."""

    def gettext(self, message: str) -> str:
        """Return the sentence in the current language."""
        ...

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Return the sentence in the form that `number` needs."""
        ...


_translator: Translator = NullTranslations()
_gettext, _ngettext = _translator.gettext, _translator.ngettext  # a simulation asks a hundred times a battle


def speak(translator: Translator) -> Translator:
    """Install `translator` from now on. Returns the former one."""
    global _translator, _gettext, _ngettext
    before, _translator = _translator, translator
    _gettext, _ngettext = translator.gettext, translator.ngettext
    return before


def gettext(message: str, **places: object) -> str:
    """Return a sentence in the current language, with its placeholders filled in ("{unit} has no Setback.")."""
    return _gettext(message).format(**places) if places else _gettext(message)


def ngettext(singular: str, plural: str, number: int, **places: object) -> str:
    """Return a sentence in the form that `number` needs; `{number}` is one of its placeholders."""
    return _ngettext(singular, plural, number).format(number=number, **places)


def gettext_noop(message: str) -> str:
    """Return a sentence unchanged and mark it for translation later: tools find marked sentences by this name."""
    return message


def sentences_of(module: str) -> dict[str, Any]:
    """Return the tables of the TOML file next to a module, given by its `__file__`. `make texts` collects them for
    translators.
    """
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))


#: Every sentence with placeholders that a ledger entry may hold. A campaign's file is refused if it holds another one,
#: so a sentence that is reworded also stays here as it was.
LEDGER_SENTENCES = frozenset(Path(__file__).with_name("ledger_sentences.txt").read_text("utf-8").splitlines())
_PLACE = re.compile(r"\{([a-z_]+)\}")


class Kept(str):
    """A sentence in English that remembers the values of its placeholders."""

    __slots__ = ("places", "sentence")

    sentence: str
    places: Mapping[str, str]


def kept(sentence: str, /, **places: str) -> Kept:
    """Fill in a sentence for the ledger. Raises ValueError for one not in `LEDGER_SENTENCES` or for other places."""
    if not is_ours(sentence, places):
        raise ValueError(f"{sentence!r} with {sorted(places)} is no sentence of the ledger")
    return _kept(sentence, places)


def is_ours(sentence: str, places: Collection[str]) -> bool:
    """Return whether the rules can say this sentence with these placeholders."""
    return sentence in LEDGER_SENTENCES and set(_PLACE.findall(sentence)) == set(places)


def read_kept(why: object) -> str:
    """Return the occasion as a ledger entry stores it: a text, or a sentence and its placeholders. Stored rows may come
    from somebody else's file: any value is shown as text, and nothing raises.
    """
    match why:
        case str():
            return why
        case [str(sentence), {**places}]:
            return _kept(sentence, {str(name): str(value) for name, value in places.items()})
    return ""


def translated(why: str) -> str:
    """Return a sentence of the ledger in the current language. Other text, such as a name, stays as it is."""
    if isinstance(why, Kept):
        return _filled_in(_gettext(why.sentence), why.places)
    return _gettext(why) if why else ""


def _kept(sentence: str, places: Mapping[str, str]) -> Kept:
    text = Kept(_filled_in(sentence, places))
    text.sentence, text.places = sentence, places
    return text


def _filled_in(sentence: str, places: Mapping[str, str]) -> str:
    """Fill in placeholders, each of them once, so that the result is never longer than what was stored. `str.format`
    would also pad values (`{x:>1500000000}`) and read their attributes (`{x.__class__}`).
    """
    left = dict(places)
    return _PLACE.sub(lambda found: left.pop(found[1], found[0]), sentence)
