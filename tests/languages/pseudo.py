"""A language of nonsense, made of the English texts: what is not in it stands out, and so does what is too narrow.

Each text is bracketed, its letters carry accents, and its vowels stand twice, which makes it a good third longer, as a
translation into German would be. What stands in its places, and its markup, stays as it is.
"""

import re
from io import BytesIO
from pathlib import Path

import allauth
import django
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

CODE, FOLDER = "en-pseudo", "en_Pseudo"
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒǧħíĵķłɱñóƥɋŕšŧúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŔŠŦÚṼŴẊÝŽ"
)
#: What a translator leaves alone: places of both kinds, tags, entities, and where a link of Markdown leads.
PLACES = re.compile(r"(%\(\w+\)[sd]|%[sd%]|\{\{|\}\}|\{\w*(?:![rs])?\}|<[^>]*>|&#?\w+;|\]\([^)]*\))")
VOWELS = re.compile(r"([aeiouAEIOU])")
THEIRS = [Path(django.__file__).parent / "conf/locale", Path(allauth.__file__).parent / "locale"]
THEIRS += [Path(django.__file__).parent / "contrib" / app / "locale" for app in ("auth", "admin")]


def pseudo(text: str) -> str:
    """The text in the language of nonsense. Spaces and line breaks at its ends stay outside the brackets."""
    inner = text.strip()
    if not inner:
        return text
    parts = PLACES.split(inner)
    parts[::2] = [VOWELS.sub(lambda vowel: vowel[1] + vowel[1].lower(), part).translate(LETTERS) for part in parts[::2]]
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}⟦{''.join(parts)}⟧{after}"


def read(file: Path) -> Catalog:
    """Read a catalogue of texts in English, or a template, which names no plural forms."""
    texts = file.read_bytes().replace(b"nplurals=INTEGER; plural=EXPRESSION", b"nplurals=2; plural=(n != 1)")
    return read_po(BytesIO(texts), locale="en")


def write(ours: Catalog, folder: Path) -> Path:
    """Write all texts, those of Django and allauth as well, as a locale that Django can use. Returns `folder`."""
    nonsense = Catalog(locale="en")
    for texts in (*(read(theirs / "en/LC_MESSAGES/django.po") for theirs in THEIRS), ours):
        for text in texts:
            if text.id:
                forms = (text.id,) if isinstance(text.id, str) else text.id
                translation = tuple(pseudo(form) for form in forms)
                nonsense.add(text.id, translation if len(translation) > 1 else translation[0], context=text.context)
    place = folder / FOLDER / "LC_MESSAGES" / "django.mo"
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        write_mo(file, nonsense)
    return folder
