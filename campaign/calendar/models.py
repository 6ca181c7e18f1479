"""The secret address of a person's calendar feeds."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.tokens import new_token


class CalendarAddress(models.Model):
    """The token with which a calendar program reads a person's own feed, and those of each of their campaigns."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return str(self.user)
