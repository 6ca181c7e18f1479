"""Filters for a ledger: by number, unit, Agenda, battle, kind of act and person."""

from collections.abc import Container, Mapping
from dataclasses import astuple

from django.db.models import Min, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext

from accounts.models import User
from core.names import name_order
from registers.campaign_side import BattleName, battle_names
from registers.ledger.lines import HEADINGS, OF
from registers.models import EntryType, LedgerEntry, Register
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue


class LedgerFilter(KeywordValue):
    """The filters set for a ledger. An entry has to match all of them; an empty one matches every entry.

    `of` is a key of `OF`, `unit` the key of a Dossier, `person` the primary key of the user who acted or was acted for.
    """

    of: str = ""
    unit: str = ""
    agenda: str = ""
    battle: str = ""
    act: str = ""
    person: str = ""

    def __bool__(self) -> bool:
        return any(astuple(self))

    @property
    def of_effects(self) -> dict[str, str]:
        """The filters that apply to effects rather than to whole entries."""
        return {"of": self.of, "unit": self.unit, "agenda": self.agenda}

    def among(self, entries: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry]:
        """Return the entries that match, as a queryset that has not been evaluated."""
        entries = entries.filter(**{name: getattr(self, name) for name in ("battle", "act") if getattr(self, name)})
        if self.person:
            entries = entries.filter(Q(actor=self.person) | Q(on_behalf_of=self.person))
        return entries.filter(self._speaks()) if any(self.of_effects.values()) else entries

    def fits(self, entry: LedgerEntry) -> bool:
        """Return whether an entry matches by battle, act and person. Filters on its effects are ignored."""
        who = str(entry.actor_id or ""), str(entry.on_behalf_of_id or "")
        return (
            (not self.battle or entry.battle == self.battle)
            and (not self.act or entry.act == self.act)
            and (not self.person or self.person in who)
        )

    def _speaks(self) -> Q:
        about = {name: value for name, value in (("unit", self.unit), ("agenda", self.agenda)) if value}
        kinds = [{"kind": kind.__name__} for kind in OF[self.of]] if self.of else [{}]
        return Q(*(Q(effects__contains=[kind | about]) for kind in kinds), _connector=Q.OR)


class FilterChoices(KeywordValue):
    """The choices that a ledger offers for each filter, with their names, in the order in which lists show them."""

    numbers: Mapping[str, str]
    units: Mapping[str, str]
    battles: Mapping[str, BattleName]
    acts: Mapping[str, str]
    people: Mapping[str, str]

    def asked(self, query: QueryDict, book: Rulebook) -> LedgerFilter:
        """Return the filters set in an address. Values that are not among the choices are ignored; see `unknown`."""
        found = self._among(book).items()
        return LedgerFilter(**{name: query[word] for name, (word, among) in found if query.get(word, "") in among})

    def unknown(self, query: QueryDict, book: Rulebook) -> list[str]:
        """Return the parameters of an address whose values are not among the choices."""
        asked = ((word, among) for word, among in self._among(book).values() if query.get(word))
        return [word for word, among in asked if query[word] not in among]

    def _among(self, book: Rulebook) -> dict[str, tuple[str, Container[str]]]:
        return {
            "of": ("of", OF),
            "unit": ("dossier", self.units),
            "agenda": ("agenda", book.agendas),
            "battle": ("battle", self.battles),
            "act": ("act", self.acts),
            "person": ("person", self.people),
        }


def filter_choices(register: Register, names: Mapping[str, str]) -> FilterChoices:
    """Return the filter choices for a Register's ledger. `names` are its units' names. Three queries at most."""
    found = list(
        register.entries.values("battle", "act", "actor", "on_behalf_of")
        .annotate(began=Min("position"))
        .order_by("-began")
    )
    acts = {row["act"] for row in found}
    named = battle_names({row["battle"] for row in found if row["battle"]})
    began = {row["battle"]: row["began"] for row in found}  # newest first: the lowest wins
    battles = sorted(named, key=lambda battle: (int(named[battle].number or 0), began[battle]), reverse=True)
    people = User.objects.filter(pk__in={row[who] for row in found for who in ("actor", "on_behalf_of")} - {None})
    by_name = sorted(people, key=lambda user: name_order(user.username))
    return FilterChoices(
        numbers={slug: gettext(heading) for slug, heading in HEADINGS.items()},
        units=names,
        battles={battle: named[battle] for battle in battles},
        acts={act.value: str(act.label) for act in EntryType if act in acts},
        people={str(user.pk): user.get_username() for user in by_name},
    )
