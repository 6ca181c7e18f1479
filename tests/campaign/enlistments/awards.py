"""Awards to a Register that changes hands."""

from campaign.enlistments.services.awards import give_awards
from registers.models import Register
from registers.services.awards import RegisterAward

REASON = "prize of the season"


def now(register: Register) -> Register:
    return Register.objects.get(pk=register.pk)


def awarded(table, gifts, *, actor=None, reason=REASON):
    awards = {register.pk: RegisterAward(gift, register.position) for register, gift in gifts.items()}
    return give_awards(actor=actor or table.cora, campaign=table.campaign, awards=awards, reason=reason)
