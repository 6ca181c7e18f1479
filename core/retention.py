"""How long Musterbook keeps what nobody needs for ever. The jobs that clean up read this table, and docs/privacy.md has
it in words.
"""

from datetime import timedelta

#: A draft of a Register or an event that nobody has changed for this long is offered for deletion.
DRAFT_UNTOUCHED = timedelta(days=60)
