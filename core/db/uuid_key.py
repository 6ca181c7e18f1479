"""A primary key that cannot be guessed, and that a file can bring from another site."""

import uuid

from django.db import models


class UUIDModel(models.Model):
    """A model whose primary key is a random UUID."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True
