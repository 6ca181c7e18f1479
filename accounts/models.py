"""People who sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with a sign-in. Our own from the first migration, because Django cannot swap it in later."""
