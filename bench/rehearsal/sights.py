"""Every page: from where people are by links, then by address, until each named one was opened or has a reason."""

from collections import deque
from collections.abc import Iterator
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from bench.rehearsal.person import Person
from bench.rehearsal.record import Record, name_of

#: Which addresses nobody opens, and why.
LEFT_OUT = {
    "dashboard:*demo": "makes a campaign of its own; tests/dashboard plays it",
    "discord_*": "led to Discord, whose keys this site does not have",
    "socialaccount_login_error": "says that signing in by Discord failed (401)",
    "socialaccount_signup": "where somebody who comes from Discord says who they are",
    "campaign:webhook_test": "would call Discord",
    "mfa_*webauthn": "a key in somebody's hand; tests/accounts has one",
    "account_confirm_login_code": "signing in by a mailed code is not offered",
    "account_inactive": "nobody is shut out",
    "admin:socialaccount_*": "nobody comes from Discord",
    "admin:catalogue_pointschange_*": "no unit has changed its points",
    "admin:procrastinate_*": "no job has failed",
    "tournaments:*": "a campaign is rehearsed; tests/tournaments asks for every page of an event",
    "lists:*": "tests/tournaments asks for every page of an army list",
    "admin:tournaments_*": "there is no event",
    "notifications:*_device": "needs the push service of a browser's maker; tests/notifications has one",
    "openid_connect_*": "led to a provider whose keys this site does not have",
    "dashboard:events_feed": "only calendar programs ask for it; tests/tournaments does",
    "dashboard:second_phone": "a page of the demo; tests/dashboard opens it",
    "battles:solo": "of Registers in no campaign; tests/campaign plays one",
    "campaign:end": "of a campaign that is over; tests/campaign ends one",
    "ui:change_password": "only browsers ask for it; tests/accounts does",
    "ui:robots": "only programs ask for it; tests/core does",
    "ui:security": "missing without SECURITY_CONTACT; tests/core sets one",
    "notifications:stop": "a link in a mail; tests/notifications follows it",
}
#: What else is left out of the short form.
NOT_IN_SHORT = dict.fromkeys(("admin:*", "ui:styleguide"), "for the staff, who come in the long form")
FORBIDDEN = "nobody may, the staff neither (403)"
#: Where no link leads, or only in some other life.
TYPED = (
    "/waiting/", "/accounts/password/set/", "/accounts/inactive/", "/accounts/3rdparty/",
    "/accounts/3rdparty/login/cancelled/", "/accounts/3rdparty/signup/", "/rules/R34/", "/notifications/push-worker.js",
)  # fmt: skip
TYPED_IN_ADMIN = (
    "/styleguide/",
    "/admin/autocomplete/",
    "/admin/jsi18n/",
    "/admin/login/",
    "/admin/password_change/done/",
    "/admin/search/",
)
#: Links that lead out of the page for good.
NEVER = {"account_logout", "admin:logout", "accounts:delete"}


def names() -> list[str]:
    """All names of addresses that the site has."""
    return sorted(set(_walk(get_resolver(), "")))


def _walk(resolver: URLResolver, space: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            if each.name:
                yield f"{space}{each.name}"
        else:
            yield from _walk(each, f"{space}{each.namespace}:" if each.namespace else space)


def wander(person: Person, *starts: str) -> None:
    """Follow the links of the pages, from those on, to each address whose name nobody has opened yet."""
    paths, seen, record = deque(starts), set(starts), person.record
    while paths:
        path = paths.popleft()
        if path not in starts and name_of(urlsplit(path).path) in record.opened.keys() | record.forbidden:
            continue
        with record.expecting(*((403,) if path.startswith("/admin/") else ())):
            person.visit(path)
        for link in person.links():
            name = name_of(urlsplit(link).path)
            if link not in seen and name and name not in record.opened and name not in NEVER:
                seen.add(link)
                paths.append(link)


def ask_for_the_rest(host: Person) -> None:
    """Type what no link in the admin leads to: in most cases because nobody may."""
    record = host.record
    _, missing = unseen(record, short=False)
    lists = {f"{name.rpartition('_')[0]}_changelist" for name in missing if name.startswith("admin:")}
    for changelist in sorted(lists.intersection(names())):
        host.open(reverse(changelist))
        change = changelist.removesuffix("list")
        things = [link for link in host.links() if name_of(urlsplit(link).path) == change]
        with record.expecting(403):
            host.visit(f"{host.path}add/")
            for act in ("change", "delete", "history") if things else ():
                host.visit(things[0].replace("/change/", f"/{act}/"))


def unseen(record: Record, *, short: bool) -> tuple[dict[str, str], list[str]]:
    """The names that were left out, with the reason; and those that should have been opened."""
    reasons, missing = LEFT_OUT | (NOT_IN_SHORT if short else {}), []
    left_out = {}
    for name in names():
        if name in record.opened:
            continue
        reason = next((reasons[each] for each in reasons if fnmatchcase(name, each)), None)
        if reason:
            left_out[name] = reason
        elif name in record.forbidden:
            left_out[name] = FORBIDDEN
        else:
            missing.append(name)
    return left_out, missing
