"""The campaign, its people and invitations, its Registers, its activity log and its Discord channel."""

from .activity import Action, Activity, ActivityKind
from .campaign import Campaign, Enlistment, Membership
from .invitation import Admission, Invitation
from .notification import Notification, Subject, Webhook

__all__ = [
    "Action",
    "Activity",
    "ActivityKind",
    "Admission",
    "Campaign",
    "Enlistment",
    "Invitation",
    "Membership",
    "Notification",
    "Subject",
    "Webhook",
]
