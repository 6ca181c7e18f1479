"""A Register's Supply Points as a bank statement: income, expenses, and a bar for each balance."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from registers.charts.geometry import Scale, per_cent
from registers.ledger.lines import LedgerLine
from rules.core.values import KeywordValue


class Statement(KeywordValue):
    """All postings, newest first, with the balance then and its bar of `width` at `x`; and their sums. `most` is the
    highest balance.
    """

    postings: list[dict[str, Any]]
    came: int
    went: int
    balance: int
    most: int

    @property
    def summary(self) -> str:
        """The statement in one sentence."""
        sentence = _("%(came)s SP earned, %(went)s spent, %(balance)s left. Highest balance: %(most)s.")
        return sentence % {"came": self.came, "went": self.went, "balance": self.balance, "most": self.most}


def statement(lines: Iterable[LedgerLine]) -> Statement:
    """Return the statement for ledger lines about Supply Points, newest first. Undone lines are left out."""
    counted = [line for line in lines if not line.undone and line.amount]
    most = max((line.balance or 0 for line in counted), default=0)
    postings = list(_postings(counted, Scale(0, most, 0, 100)))
    return Statement(
        postings=postings,
        came=sum(posting["came"] for posting in postings),
        went=sum(posting["went"] for posting in postings),
        balance=postings[0]["balance"] if postings else 0,
        most=most,
    )


def _postings(lines: Iterable[LedgerLine], across: Scale) -> Iterator[dict[str, Any]]:
    for line in lines:
        amount, balance = line.amount or 0, line.balance or 0
        stays = min(balance, balance - amount)
        yield {
            "line": line,
            "came": max(0, amount),
            "went": max(0, -amount),
            "balance": balance,
            "stays": per_cent(across.length(stays)),
            "x": per_cent(across(stays)),
            "width": per_cent(across.length(abs(amount))),
        }
