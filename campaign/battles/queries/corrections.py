"""Corrections, awards and amendments of all Registers, each as the entries that it wrote."""

from collections.abc import Collection

from django.db.models import Case, F, Func, Min, OuterRef, Q, QuerySet, Subquery, TextChoices, TextField, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Concat, TruncMinute

from campaign.battles.models import Amendment, LedgerCorrection
from registers.models import EntryType


class CorrectionKind(TextChoices):
    """How a Register was put right."""

    CORRECTION = "correction", "correction"
    AWARD = "award", "award"
    AMENDMENT = "amendment", "amendment"


#: What the entries of an award to many had in common before they named it: giver, gift, reason, campaign and minute.
_AWARD = Concat(
    Value("award"),
    *(
        Cast(each, TextField())
        for each in (
            F("actor"),
            TruncMinute("created_at"),
            F("register__enlistment__campaign"),
            Func("answers", template="((%(expressions)s -> 0) - 'units')", output_field=TextField()),
            F("reason"),
        )
    ),
    output_field=TextField(),
)


def correction_entries() -> QuerySet[LedgerCorrection]:
    """Return the entries that corrections, awards and amendments wrote. `kind` is a CorrectionKind, `amendment` the key
    of the amendment or None, and `together` the same for all entries of one act.
    """
    written = Amendment.entries.through._default_manager.all()
    amendment = written.filter(ledgerentry=OuterRef("pk")).order_by("pk").values("amendment")[:1]
    by_hand = Q(act=EntryType.CORRECT) | Q(pk__in=written.values("ledgerentry"))
    of_amendment, of_award = Q(amendment__isnull=False), Q(answers__0__has_key="supply_points")
    return (
        LedgerCorrection.objects.filter(by_hand)
        .annotate(amendment=Subquery(amendment))
        .annotate(
            kind=Case(
                When(of_amendment, then=Value(CorrectionKind.AMENDMENT)),
                When(of_award, then=Value(CorrectionKind.AWARD)),
                default=Value(CorrectionKind.CORRECTION),
            ),
            together=Case(
                When(of_amendment, then=Cast("amendment", TextField())),
                When(answers__1__has_key="award", then=KT("answers__1__award")),
                When(of_award, then=_AWARD),
                default=Cast("pk", TextField()),
            ),
        )
    )


def first_of_each(entries: QuerySet[LedgerCorrection]) -> QuerySet[LedgerCorrection]:
    """Return one of these entries for each act."""
    firsts = entries.order_by().values("together").annotate(first=Min("pk")).values("first")
    return entries.filter(pk__in=firsts)


def entries_of_acts(acts: Collection[str]) -> QuerySet[LedgerCorrection]:
    """Return all entries of acts (`together`), those of a Register in a row, with all that a page shows."""
    entries = correction_entries().filter(together__in=acts).order_by("register", "position")
    return entries.select_related("actor", "undone_by", "register__owner", "register__enlistment__campaign")
