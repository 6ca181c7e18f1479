"""An army of a Register looked at as a plain army of the core rules, for its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from campaign.forms.refusals import said
from rules.army import Army, BattleTerms
from rules.force import Force
from rules.plain_army import as_plain, differences, notes, plain_army_problems
from rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class PlainCheck:
    """What the core rules say to an army: problems for `components/refusal.html`, and what the check leaves out."""

    problems: Sequence[dict[str, str]]
    differences: Sequence[str]
    notes: Sequence[str]


def plain_check(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> PlainCheck:
    """Look at an army without what its Register adds.

    Not at its Command Hand, which may be secret, nor at its Battle Deck: both are the same with a Register.
    """
    plain = replace(as_plain(book, force, army, terms.size), battle_cards=())
    return PlainCheck(
        problems=said(plain_army_problems(book, plain)),
        differences=list(differences(book, force, army, terms)),
        notes=notes(book, plain),
    )
