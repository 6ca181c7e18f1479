"""What is kept about a person."""

import json
from datetime import UTC, datetime

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from accounts import queries
from accounts.hooks import Hooks
from accounts.models import User

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
def known(leia, address):
    """Leia, of whom everything is known."""
    address()
    Authenticator.objects.create(user=leia, type="totp", data={"secret": "hush"}, created_at=DAY)
    SocialAccount.objects.create(user=leia, provider="discord", uid="7", extra_data={"username": "leia.o"})
    User.objects.filter(pk=leia.pk).update(date_joined=DAY, first_name="Leia", last_name="Organa")
    leia.refresh_from_db()
    return leia


ACCOUNT = {
    "name": "leia",
    "first name": "Leia",
    "last name": "Organa",
    "joined": DAY,
    "last sign-in": None,
    "e-mail": [{"email": "leia@example.org", "verified": True}],
    "second factors": [{"kind": "TOTP Authenticator", "added": DAY, "last used": None}],
    "signs in by": [{"provider": "discord", "uid": "7", "extra_data": {"username": "leia.o"}}],
    "in the admin": [],
}


def test_all_of_the_account_and_no_secret(known):
    assert queries.data_of(known)["account"] == ACCOUNT


def test_other_rooms_add_their_part(known, monkeypatch):
    monkeypatch.setattr(queries, "REGISTERED", [Hooks("holocrons", lambda user: [user.username])])

    assert queries.data_of(known) == {"account": ACCOUNT, "holocrons": ["leia"]}


def test_it_comes_as_a_file_that_nobody_keeps(client, known, monkeypatch):
    monkeypatch.setattr(queries, "REGISTERED", [])
    client.force_login(known)

    response = client.get("/accounts/download/")

    assert {name: response.headers[name] for name in ("Content-Type", "Content-Disposition", "Cache-Control")} == {
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="musterbook-leia.json"',
        "Cache-Control": "max-age=0, no-cache, no-store, must-revalidate, private",
    }
    assert json.loads(response.content)["account"]["name"] == "leia"


#: Rows that name a person, and where the download has them.
IN_DOWNLOAD = {
    "Activity.actor", "Activity.on_behalf_of", "Admission.user", "Announcement.author", "ArcVersion.by",
    "ArmyList.owner", "Authenticator.user", "Availability.user", "Comment.author", "EmailAddress.user",
    "Entry.claimant", "Entry.user", "HolderChange.by", "Invitation.created_by", "JudgeCall.appeal_judge",
    "JudgeCall.judge",
    "League.owner", "LedgerEntry.actor", "LogEntry.user", "LogLine.actor", "Membership.user",
    "PersonalNotification.user", "Picture.sent_by", "Preference.user", "PushSubscription.user", "Register.owner",
    "SocialAccount.user", "Story.author", "TerrainCheck.checked_by",
}  # fmt: skip
#: Rows that say again what those say, and why nothing is lost.
LEFT_OUT = {
    "Amendment.closed_by": "an Activity has it",
    "Amendment.made_by": "an Activity has it",
    "Battle.reported_by": "an Activity has it",
    "CalendarAddress.user": "a secret",
    "Campaign.guest": "a demo",
    "Draw.by": "an answer in a ledger",
    "Invitation.placeholder": "a person without an account",
    "LedgerEntry.on_behalf_of": "in the ledger of their Register",
    "NightlyFile.set_by": "a setting of a campaign",
    "Notice.by": "their comment has it",
    "Notice.user": "the comment of somebody else",
    "ShareLink.made_by": "an Activity has it",
    "Side.acting_user": "an Activity has it",
    "SubmittedList.accepted_by": "a LogLine has it",
    "SubmittedList.submitted_by": "a LogLine has it",
    "User.merged_into": "the account that stays",
    "User_groups.user": "rights in the admin",
    "User_user_permissions.user": "rights in the admin",
    "Webhook.set_by": "a setting of a campaign",
}


def test_each_row_that_names_a_person_is_downloaded_or_left_out_for_a_reason():
    related = (each for each in User._meta.get_fields(include_hidden=True) if each.auto_created and not each.concrete)
    found = {f"{each.related_model.__name__}.{each.field.name}" for each in related}
    assert found == IN_DOWNLOAD | set(LEFT_OUT)
