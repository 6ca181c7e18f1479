"""Create a campaign, set its rules, add Registers, award and transfer them."""

from collections.abc import Iterator
from hashlib import sha256
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from campaign.models import ActivityKind, Campaign, Membership
from campaign.services import activity
from campaign.services.activity import log_activity
from campaign.services.locks import lock_organized
from catalogue.snapshot import rulebook
from core.db.rows import update
from registers.ledger import session as ledger_session
from registers.models import Register
from rules.core import campaign_rules as rules
from rules.core.card_types import FACTIONS
from rules.core.violations import Violation, raise_if_any, refuse

LONGEST_NAME = 80
#: Maximum length of a campaign's description and of its own house rules, in characters.
LONGEST_ABOUT, LONGEST_HOUSE_RULES, LONGEST_ZONE = 2000, 4000, 64


@transaction.atomic
def create_campaign(
    *,
    actor: User,
    name: str,
    about: str = "",
    campaign_rules: rules.CampaignRules = rules.STANDARD_RULES,
    campaign_id: UUID | None = None,
) -> Campaign:
    """Create a campaign that `actor` organizes, with these campaign rules. `campaign_id` is its primary key, so that a
    form sent twice creates one. Refuses an empty or overlong name, and invalid campaign rules.
    """
    name = name.strip()
    raise_if_any(name_violations(name))
    raise_if_any(campaign_rules_violations(campaign_rules))
    campaign, new = Campaign.everything.get_or_create(
        pk=campaign_id or uuid4(), defaults={"name": name, "about": about.strip(), "campaign_rules": campaign_rules}
    )
    if new:
        Membership.objects.create(campaign=campaign, user=actor, role=Membership.Role.ORGANIZER)
        log_activity(actor=actor, campaign=campaign, kind=ActivityKind.FOUNDED, name=name)
    elif not campaign.memberships.filter(user=actor, role=Membership.Role.ORGANIZER).exists():
        raise refuse("", gettext("You are not an organizer of this campaign."))
    return campaign


def name_violations(name: str) -> Iterator[Violation]:
    """Yield the reasons why a campaign cannot have this name."""
    if not name:
        yield Violation("", gettext("Give the campaign a name."), "name")
    if len(name) > LONGEST_NAME:
        sentence = gettext("This name is too long. Use up to %(longest_name)s characters.")
        yield Violation("", sentence % {"longest_name": LONGEST_NAME}, "name")


#: The texts that an organizer can change after the campaign was created, with their longest length.
DETAILS = {"name": LONGEST_NAME, "about": LONGEST_ABOUT, "time_zone": LONGEST_ZONE, "house_rules": LONGEST_HOUSE_RULES}


def details_version(campaign: Campaign) -> str:
    """Return a mark of the campaign's DETAILS, for a form to send back."""
    return sha256("\0".join(getattr(campaign, name) for name in DETAILS).encode()).hexdigest()[:16]


@transaction.atomic
def change_details(
    *,
    actor: User,
    campaign: Campaign,
    name: str,
    about: str,
    house_rules: str,
    time_zone: str = "",
    version: str | None = None,
) -> Campaign:
    """Change the name, the description, the own house rules and the time zone (an IANA name; empty: as it is) of a
    campaign. `version` is the `details_version` that
    the form was drawn from (None: the current one). The same texts again change nothing. Each changed text becomes a
    line of the activity log. Refuses anyone but an organizer, an empty name, texts that are too long, and a version
    that somebody has changed since (about "version").
    """
    locked = lock_organized(
        actor, campaign, gettext("Only an organizer can change the campaign."), until=Campaign.State.CLOSED
    )
    zone = time_zone or locked.time_zone
    texts = {"name": name.strip(), "about": about.strip(), "house_rules": house_rules.strip(), "time_zone": zone}
    raise_if_any(name_violations(texts["name"]))
    raise_if_any(
        Violation("", gettext("Use up to %(longest)s characters.") % {"longest": longest}, field)
        for field, longest in DETAILS.items()
        if len(texts[field]) > longest
    )
    changed = {field: text for field, text in texts.items() if getattr(locked, field) != text}
    if not changed:
        return locked
    if version not in (None, details_version(locked)):
        text = gettext("Somebody else changed the campaign a moment ago. Check your texts, then save again.")
        raise refuse("", text, "version")
    # A line of the log has the old and the new name or zone; longer texts are only named.
    lines = [
        {"name": field, **({"before": getattr(locked, field), "after": text} if field in ("name", "time_zone") else {})}
        for field, text in changed.items()
    ]
    update(locked, **changed)
    activity.log_activities(actor=actor, kind=ActivityKind.DETAILS, lines=((locked, facts) for facts in lines))
    return locked


@transaction.atomic
def change_campaign_rules(
    *, actor: User, campaign: Campaign, campaign_rules: rules.CampaignRules, version: int | None
) -> Campaign:
    """Change the campaign rules from the next battle on; Registers keep what they have. `version` is the one that
    the form was drawn from (None: the current one). Identical rules change nothing. Each changed limit and switch
    becomes a line of the activity log. Refuses anyone but an organizer, an older version, and invalid rules
    (`campaign_rules_violations`).
    """
    locked = lock_organized(actor, campaign, gettext("Only an organizer can change the campaign rules."))
    raise_if_any(campaign_rules_violations(campaign_rules))
    if not (changes := rules.differences(locked.campaign_rules, campaign_rules)):
        return locked
    if version not in (None, locked.campaign_rules_version):
        raise refuse(
            "",
            gettext(
                "The campaign rules have changed since you opened this page. Check them, then make your changes again."
            ),
        )
    locked.campaign_rules, locked.campaign_rules_version = campaign_rules, locked.campaign_rules_version + 1
    serving = ledger_session.lock_registers(locked.registers.all())
    locked.save(update_fields=["campaign_rules", "campaign_rules_version"])
    Register.objects.filter(pk__in=[register.pk for register in serving]).update(campaign_rules=campaign_rules)
    lines = ((locked, {"name": name, "before": before, "after": after}) for name, before, after in changes)
    activity.log_activities(actor=actor, kind=ActivityKind.CAMPAIGN_RULES, lines=lines)
    return locked


def campaign_rules_violations(campaign_rules: rules.CampaignRules) -> Iterator[Violation]:
    """Yield all violations of campaign rules: numbers out of bounds, and unknown names. `about` is the field."""
    for name, words, value, (least, most) in (
        ("combat_potential", gettext("Combat Potential"), campaign_rules.combat_potential, rules.COMBAT_POTENTIAL),
        ("supply_points", "SP", campaign_rules.supply_points, rules.SUPPLY_POINTS),
        ("length", gettext("Story Arcs"), campaign_rules.length, rules.LENGTH),
    ):
        if value is not None and not least <= value <= most:
            sentence = gettext("%(words)s: enter a number from %(least)s to %(most)s.")
            yield Violation("", sentence % {"least": least, "most": most, "words": words}, name)
    book = rulebook()
    for name, named, there in (
        ("factions", campaign_rules.factions, FACTIONS),
        ("story_arcs", campaign_rules.story_arcs, book.story_arcs),
        ("battle_forces", campaign_rules.battle_forces, book.battle_forces),
    ):
        if not set(named) <= set(there):
            yield Violation("", gettext("Choose only listed values."), name)
