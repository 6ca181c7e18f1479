"""Campaigns whose file is written every night."""

from django.conf import settings
from django.db import models

from campaign.models.campaign import Campaign


class NightlyFile(models.Model):
    """A campaign whose file is written every night. `trouble` says why the last try failed, if it did."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="nightly_file")
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    set_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return str(self.campaign)
