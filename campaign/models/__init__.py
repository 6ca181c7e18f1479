"""The campaign, its people and invitations, its Registers, its activity log and its Discord channel."""

from .activity import Action, Activity, ActivityKind
from .campaign import Campaign, CampaignState, Enlistment, Membership
from .invitation import Admission, Invitation
from .notification import Notification, Subject, Webhook

__all__ = [
    "Action", "Activity", "ActivityKind", "Admission", "Campaign", "CampaignState", "Enlistment", "Invitation",
    "Membership", "Notification", "Subject", "Webhook",
]  # fmt: skip
