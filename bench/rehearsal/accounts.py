"""What people do with their accounts: mail address, password, a second factor, taking all along, leaving for good."""

import hashlib
import hmac
import struct
import time
from base64 import b32decode

from bench.rehearsal.person import PASSWORD, Person
from bench.rehearsal.site import Site

ANOTHER = "another-4-parade"
STEP = 30  # seconds that a code lasts


def address(person: Person, site: Site) -> None:
    """A mail address, confirmed by the letter; then a password that was forgotten."""
    person.open("/accounts/email/")
    person.fill(email=f"{person.name}@example.org")
    person.touch(person.page.locator("main form button[name='action_add'], main form .button--primary").first)
    person.open("/accounts/confirm-email/")
    person.open(site.mailed(r"/accounts/confirm-email/[^/\s]+/"))
    person.touch(person.page.locator("main form button").last)
    sign_out(person)
    person.open("/accounts/password/reset/")
    person.fill(email=f"{person.name}@example.org")
    person.touch(person.page.locator("main form button").last)
    person.open(site.mailed(r"/accounts/password/reset/key/[^/\s]+/"))
    person.fill(password1=PASSWORD, password2=PASSWORD)
    person.touch(person.page.locator("main form button").last)
    person.sign_in()


def password(person: Person) -> None:
    """Another password, mistyped once, and the old one again."""
    for old, new in ((PASSWORD, ANOTHER), (ANOTHER, PASSWORD)):
        person.open("/accounts/password/change/")
        person.fill(oldpassword="steel", password1=new, password2=new)
        with person.errs(200, 422):
            person.touch(person.page.locator("main form button").last)
        person.fill(oldpassword=old, password1=new, password2=new)
        person.touch(person.page.locator("main form button").last)


def second_factor(person: Person) -> None:
    """Codes of an authenticator app: set up, looked at, and asked for."""
    person.open("/accounts/2fa/totp/activate/")
    reauthenticated(person)
    secret = person.page.locator("code.secret").text_content() or ""
    person.fill(code=code_of(secret, time.time()))
    person.touch(person.page.locator("main form button").last)
    for page in ("recovery-codes/", "recovery-codes/generate/", "recovery-codes/download/"):
        person.visit(f"/accounts/2fa/{page}")
    sign_out(person)
    person.sign_in()
    person.fill(code=code_of(secret, time.time() + STEP))
    person.touch(person.page.locator("main form button").last)
    person.open("/accounts/2fa/reauthenticate/")


def without_second_factor(person: Person) -> None:
    """Switch it off."""
    person.open("/accounts/2fa/totp/deactivate/")
    reauthenticated(person)
    person.touch(person.page.locator("main form button").last)


def code_of(secret: str, at: float) -> str:
    """The code of RFC 6238 that an authenticator app shows at that time."""
    digest = hmac.new(b32decode(secret), struct.pack(">Q", int(at) // STEP), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def reauthenticated(person: Person) -> None:
    """Say the password once more, where it is asked for."""
    if "reauthenticate" in person.path:
        person.fill(password=PASSWORD)
        person.touch(person.page.locator("main form button").last)


def sign_out(person: Person) -> None:
    """Sign out, as the page of that name has it."""
    person.open("/accounts/logout/")
    person.touch(person.page.locator("main form button").last)


def leave_for_good(person: Person) -> None:
    """Take all along, then delete the account: the password is wrong once."""
    person.visit("/accounts/download/")
    person.open("/accounts/delete/")
    person.fill(password=ANOTHER)
    with person.errs(422):
        person.touch(person.page.locator("main form button").last)
    person.fill(password=PASSWORD)
    person.touch(person.page.locator("main form button").last)
