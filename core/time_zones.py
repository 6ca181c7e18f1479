"""Time zones: the choices of a form, and the clock of a place."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext_lazy as _, gettext_noop

from core.form_fields import error_messages
from rules.core.violations import Fault, Violation


class LongSelect(forms.Select):
    """A select of hundreds of options, drawn quickly."""

    template_name = "core/long_select.html"


class TimeZoneField(forms.ChoiceField):
    """The choice of a time zone by its IANA name, such as Europe/Berlin."""

    def __init__(self, **options: Any) -> None:
        """Offer all zones. `options` are those of a ChoiceField."""
        words = {"label": _("Time zone"), "error_messages": error_messages(_("Choose a time zone."))}
        super().__init__(**{"choices": zone_choices, "widget": LongSelect, **words, **options})


@cache
def zone_choices() -> list[tuple[str, str]]:
    """Return the time zones of the world, by name."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "posix/"))}
    return [(name, name.replace("_", " ")) for name in ("UTC", *sorted(places | {site_zone()} - {"UTC"}))]


def site_zone() -> str:
    """Return the name of the site's time zone, the default of a new campaign."""
    return str(settings.TIME_ZONE)


SKIPPED = Fault("", gettext_noop("Clocks in {zone} skip {time} on {date}. Choose another time."))


def time_violations(moment: datetime | None, about: str) -> Iterator[Violation]:
    """Yield a local time that does not exist, since clocks skip it. `about` is the field."""
    if moment and moment.astimezone(UTC).astimezone(moment.tzinfo).time() != moment.time():
        zone = str(moment.tzinfo).replace("_", " ")
        yield SKIPPED(about, zone=zone, time=time_format(moment), date=date_format(moment))


def zone_of(name: str) -> ZoneInfo:
    """Return the zone with this IANA name, or the site's for one that is empty or that this system does not know."""
    try:
        return ZoneInfo(name or site_zone())
    except (KeyError, ValueError, OSError):  # a name with a slash too many is a folder
        return ZoneInfo(site_zone())
