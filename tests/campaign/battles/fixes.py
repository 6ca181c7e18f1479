"""A Register that is corrected while its sequence runs."""

from accounts.models import User
from registers.models import Register
from registers.services.corrections import correct
from rules.adjustments.corrections import WantedValue
from tests.registers.factories import make_player


def staff() -> User:
    rights = {"is_staff": True, "is_superuser": True}
    return User.objects.filter(**rights).first() or make_player("root", **rights)


def fixed(register: Register, *wishes: WantedValue) -> Register:
    register = Register.objects.get(pk=register.pk)
    correct(
        actor=staff(), register_id=register.pk, position=register.position, wishes=wishes, reason="so it was",
        override=True,
    )  # fmt: skip
    return Register.objects.get(pk=register.pk)
