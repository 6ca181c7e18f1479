"""Teams of players in an event, an option of ours."""

import secrets

from django.db import models

from .event import Event

#: Letters of the word that opens a player's page or a team: none that are easily mistaken for another.
CONSONANTS, VOWELS = "bdfghkmnprstvz", "aeiou"
#: Syllables of a word, and the most players of a team.
SYLLABLES, MOST_IN_TEAM = 5, 6


def word_of(digits: bytes) -> str:
    """Return a word that is easy to type, a syllable for each byte."""
    return "".join(CONSONANTS[each % 14] + VOWELS[each // 14 % 5] for each in digits)


def new_word() -> str:
    """Return a random word."""
    return word_of(secrets.token_bytes(SYLLABLES))


class Team(models.Model):
    """A team of an event. Players of the event join it by its `word`, which its members pass on."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="teams")
    name = models.CharField(max_length=80)
    word = models.CharField(max_length=10, default=new_word, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="team_name_in_event"),
            models.UniqueConstraint(fields=["event", "word"], name="team_word_in_event"),
        ]

    def __str__(self) -> str:
        return self.name
