"""The lock of a group. Services check rights only once they hold it, because until then a role may be taken away."""

from typing import TypeVar

from accounts.models import User
from members.models import MemberGroup
from members.roles import is_organizer
from rules.core.violations import refuse

Group = TypeVar("Group", bound=MemberGroup)


def lock_group(group: Group) -> Group:
    """Lock a group until the transaction ends, and return it as it is now. Rows that only refer to it are not blocked.
    Raises DoesNotExist.
    """
    return type(group)._default_manager.select_for_update(of=("self",), no_key=True).get(pk=group.pk)


def lock_organized(actor: User, group: Group, text: str, field: str = "") -> Group:
    """Lock a group as `lock_group` does. Refuses an actor who does not organize it with `text` at `field`."""
    locked = lock_group(group)
    if not is_organizer(actor, locked):
        raise refuse("", text, field)
    return locked
