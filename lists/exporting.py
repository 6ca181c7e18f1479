"""Army lists as links and files for other programs, written by `lists.formats`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from lists.formats import legion_hq_link, list_text, tts_json
from lists.formats.cards import CardIndex
from lists.formats.plain_army import PlainArmy


@dataclass(frozen=True, slots=True)
class Writer:
    """An export format: its name, its use, and its limits."""

    name: str | Promise
    use: str | Promise
    loses: str | Promise
    write: Callable[[PlainArmy, CardIndex], str]
    ending: str
    content_type: str


WRITERS: Mapping[str, Writer] = {
    "link": Writer(
        _("Legion HQ link"),
        _("Opens the list in Legion HQ."),
        _("Without the title of the list. The size is included only for 600, 800, 1000 or 1600 points. Mandalorian "
        "armies use their Clans Faction there."),
        legion_hq_link.write, "txt", "text/plain",
    ),
    "text": Writer(
        _("Legion HQ tournament text"),
        _("For messages and event organizers."),
        _("Without card titles and Faction. Cards with the same name differ by their points."),
        list_text.write_tournament, "txt", "text/plain",
    ),
    "tts": Writer(
        _("Tabletop Simulator JSON"),
        _("For Tabletop Simulator and Tabletop Admiral."),
        _("Without the size, and without the Faction of Mandalorian armies."),
        tts_json.write, "json", "application/json",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportedList:
    """A list in one format. If there is no text, `missing` names the card that the format does not know."""

    slug: str
    writer: Writer
    text: str = ""
    missing: str = ""


def written(army: PlainArmy, index: CardIndex, slug: str) -> ExportedList:
    """Return the army in the format with this slug. Raises KeyError for an unknown slug."""
    writer = WRITERS[slug]
    try:
        return ExportedList(slug, writer, writer.write(army, index))
    except KeyError as unknown:
        return ExportedList(slug, writer, missing=str(unknown.args[0]))


def all_written(army: PlainArmy, index: CardIndex) -> list[ExportedList]:
    """Return the army in every format."""
    return [written(army, index, slug) for slug in WRITERS]


def file_name(army: PlainArmy, slug: str) -> str:
    """Return the file name for an army in a format."""
    return f"{slugify(army.title) or 'musterbook'}.{WRITERS[slug].ending}"
