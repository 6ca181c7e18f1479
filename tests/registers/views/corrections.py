"""The form of a correction, filled in."""

from django.contrib.messages import get_messages

from registers import projection
from registers.forms.correction import CorrectionForm
from registers.ledger import session
from registers.models import Register


def typed(register: Register, **changes) -> dict:
    """The form as a browser sends it, with changes; a dot in the name of a field is two underscores here."""
    form = CorrectionForm(session.rulebook_for(register), projection.state_of(register), register.position)
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    sent = {name: value for name, value in values.items() if value is not None} | {"reason": "typed wrong"}
    return sent | {name.replace("__", "."): value for name, value in changes.items()}


def messages_of(answer) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]
