"""The campaign, its people and invitations, its Registers, its activity log and its Discord channel."""

from .activity import Action, Activity, Kind
from .campaign import Campaign, Enlistment, Membership
from .invitation import Admission, Invitation
from .webhook import Dispatch, Webhook

__all__ = [
    "Action",
    "Activity",
    "Admission",
    "Campaign",
    "Dispatch",
    "Enlistment",
    "Invitation",
    "Kind",
    "Membership",
    "Webhook",
]
