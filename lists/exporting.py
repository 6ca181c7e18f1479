"""Army lists as links and files for other programs, written by `lists.formats`."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpResponse
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from catalogue.snapshot import card_index
from lists.formats import legion_hq_link, list_text, tts_json
from lists.formats.cards import CardIndex
from rules.battle.plain_army import PlainArmy
from rules.core.values import Value


class Writer(Value):
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
        _("Short names of cards, with the title where several have that name."),
        list_text.write_tournament, "txt", "text/plain",
    ),
    "tts": Writer(
        _("Tabletop Simulator JSON"),
        _("For Tabletop Simulator and Tabletop Admiral."),
        _("Without the size, and without the Faction of Mandalorian armies."),
        tts_json.write, "json", "application/json",
    ),
}  # fmt: skip


class ExportedList(Value):
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


def all_written(army: PlainArmy) -> list[ExportedList]:
    """Return the army in every format."""
    index = card_index()
    return [written(army, index, slug) for slug in WRITERS]


def list_file(army: PlainArmy, slug: str) -> HttpResponse:
    """Return an army as a file in one format. Raises Http404 for an unknown format, or an army it cannot express."""
    found = written(army, card_index(), slug) if slug in WRITERS else None
    if found is None or not found.text:
        raise Http404("No such list")
    answer = HttpResponse(found.text, content_type=f"{found.writer.content_type}; charset=utf-8")
    name = f"{slugify(army.title) or 'musterbook'}.{found.writer.ending}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer
