"""Supply Points as a bank statement."""

from hypothesis import given, strategies as st

from registers.charts.supply import statement
from registers.ledger.lines import LedgerLine
from registers.models import LedgerEntry


def lines(*amounts: int, undone: tuple[int, ...] = ()) -> list[LedgerLine]:
    """Lines as the ledger has them: newest first, and what was undone adds nothing."""
    balance, found = 0, []
    for place, amount in enumerate(amounts):
        balance += 0 if place in undone else amount
        found.append(
            LedgerLine(LedgerEntry(pk=place), str(place), amount=amount, balance=balance, undone=place in undone)
        )
    return found[::-1]


def test_a_statement():
    found = statement(lines(5, 2, -3, 9, 0, 4, undone=(3,)))
    assert [
        (posting["line"].text, *(posting[key] for key in ("came", "went", "balance", "stays", "x", "width")))
        for posting in found.postings
    ] == [
        ("5", 4, 0, 8, "50%", "50%", "50%"),
        ("2", 0, 3, 4, "50%", "50%", "37.5%"),
        ("1", 2, 0, 7, "62.5%", "62.5%", "25%"),
        ("0", 5, 0, 5, "0%", "0%", "62.5%"),
    ]
    assert (found.came, found.went, found.balance, found.most) == (11, 3, 8, 8)
    assert found.summary == ("11 SP earned, 3 spent, 8 left. Highest balance: 8.")


def test_nothing_yet():
    found = statement([])
    assert (found.postings, found.balance) == ([], 0)


@given(st.lists(st.integers(-6, 9), max_size=40))
def test_it_adds_up_and_fits(wanted):
    amounts: list[int] = []
    for amount in wanted:
        amounts.append(max(amount, -sum(amounts)))
    found = statement(lines(*amounts))
    assert (found.came - found.went, found.balance) == (sum(amounts), sum(amounts))
    for posting in found.postings:
        stays, x, width = (float(each[:-1]) for each in (posting["stays"], posting["x"], posting["width"]))
        assert stays == x
        assert x + width <= 100.02
        changed = posting["came"] or posting["went"]
        assert abs(width - 100 * changed / found.most) < 0.01
        assert abs(stays - 100 * (posting["balance"] - posting["came"]) / found.most) < 0.01
