"""The language in which the rules speak: English by themselves, another one where somebody translates.

The rules know no catalogue of translations; who has one installs it (`speak`), and is asked for each sentence at the
moment it is made. Sentences have named places, so that a translator may move them, and are never glued from pieces.

What the ledger keeps must read the same whoever acted, and in whatever language. So an effect's `why` is kept in
English, with what stands in its places beside it (`kept`), and translated when it is read (`told`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Translator(Protocol):
    """What translates: `django.utils.translation`, or nothing."""

    def gettext(self, message: str) -> str:
        """The sentence in the language of this moment."""
        ...

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """The sentence in the form that `number` asks for."""
        ...


class English:
    """The language that the sentences are written in."""

    def gettext(self, message: str) -> str:
        """The sentence as it stands."""
        return message

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """One of the two sentences."""
        return singular if number == 1 else plural


_translator: Translator = English()
_gettext, _ngettext = _translator.gettext, _translator.ngettext  # a simulation asks a hundred times a battle


def speak(translator: Translator) -> Translator:
    """Let `translator` be asked from now on. Returns the one that was asked so far."""
    global _translator, _gettext, _ngettext
    before, _translator = _translator, translator
    _gettext, _ngettext = translator.gettext, translator.ngettext
    return before


def gettext(message: str, **places: object) -> str:
    """A sentence in the language of this moment, with its places filled in ("{unit} has no Setback.")."""
    return _gettext(message).format(**places) if places else _gettext(message)


def ngettext(singular: str, plural: str, number: int, **places: object) -> str:
    """A sentence in the form that `number` asks for; `{number}` is one of its places."""
    return _ngettext(singular, plural, number).format(number=number, **places)


def gettext_noop(message: str) -> str:
    """A sentence that is translated later: the catalogue of sentences finds it by this name."""
    return message


class Kept(str):
    """A sentence in English that remembers what stands in its places."""

    __slots__ = ("places", "sentence")

    sentence: str
    places: Mapping[str, str]


def kept(sentence: str, **places: str) -> Kept:
    """An English sentence for the ledger, with its places filled in ("{setback} a second time: casualty")."""
    text = Kept(sentence.format(**places))
    text.sentence, text.places = sentence, places
    return text


def told(why: str) -> str:
    """What the ledger keeps, in the language of this moment. What is no sentence of ours (a name) stays as it is."""
    if isinstance(why, Kept):
        return gettext(why.sentence, **why.places)
    return gettext(why) if why else ""
