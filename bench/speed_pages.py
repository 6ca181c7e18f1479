"""The pages whose speed is promised: a Register, the front of a campaign, searching the catalogue.

Besides them a few that have no limit of their own, so that none falls behind unseen.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from bench.speed import BARE, Site, Thing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from registers.models import Register

SMALL, LARGE = "Campaign: 40 Registers, 10 battles", "Campaign: 40 Registers, 1,000 battles"
HTMX = {"HX-Request": "true"}


def things(site: Site) -> Iterable[Thing]:
    """Each as its reader asks for it, who plays in the campaign."""
    from bench.speed_data import campaign_of

    host, small, _ = campaign_of("Small", 10)
    organizer, large, registers = campaign_of("Large", 1000)
    mine = f"/registers/{registers[0].pk}/"
    shelves, passages = HTMX | {"HX-Target": "shelves"}, HTMX | {"HX-Target": "found"}
    return [
        site.page("Register of 12 Dossiers", organizer, mine, limits={BARE: 8}),
        site.page("Register of 12 Dossiers, somebody else’s", registers[20].owner, mine, limits={BARE: 8}),
        Thing(name="Register of 12 Dossiers, just changed", once=_changed(site, registers[1])),
        site.page(SMALL, host, f"/campaigns/{small.pk}/", limits={BARE: 12}),
        site.page(LARGE, organizer, f"/campaigns/{large.pk}/", limits={BARE: 12, SMALL: 1.2}),
        site.page(
            "Catalogue search: units and upgrades", registers[20].owner,
            f"/registers/{registers[20].pk}/edit/?q=troop", headers=shelves, limits={BARE: 5},
        ),
        site.page(
            "Catalogue search: the reference", organizer, "/rules/?q=setback", headers=passages, limits={BARE: 5}
        ),
        site.page("Home", organizer, "/", limits={BARE: 12}),
        site.page("A Dossier", organizer, f"{mine}dossiers/1/"),
        site.page("Battles of a campaign", organizer, f"/campaigns/{large.pk}/battles/"),
    ]  # fmt: skip


def _changed(site: Site, register: Register) -> Callable[[], float]:
    """Name one of its units, which is not measured, and then ask for the page."""
    from django.db import transaction

    from registers.ledger.session import LedgerSession
    from registers.models import EntryType
    from rules.register.effects import UnitNamed

    browser, times = site.browser(register.owner), count(1)

    def once() -> float:
        named = UnitNamed(rule="R9", unit="2", name=f"Grim Hounds, named {next(times)} times")
        with transaction.atomic():
            session = LedgerSession.lock(register.pk)
            [locked] = session.registers.values()
            session.stage(locked, actor=register.owner, act=EntryType.EDIT, effects=[named])
            session.commit()
        return browser.ask(f"/registers/{register.pk}/")

    return once
