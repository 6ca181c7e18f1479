"""Form for values of a correction that an amendment changes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop

from campaign.battles.services.replay.decisions import UNDECIDED
from core.form_errors import as_context
from core.form_fields import error_messages
from registers.ledger.text import LABELS, Names, value_words
from rules.adjustments.corrections import DIFFERENCE, KEEP, Conflict
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation

#: Shorter names of values than the correction form has, for use in a sentence.
_SHORT = {"experience": gettext_noop("XP"), "veteran_rank": gettext_noop("VR"), "card": gettext_noop("Unit card")}


class ConflictForm(forms.Form):
    """One choice for each value of a correction that the amendment changes. `names` are those of the Register's units.
    The choices are in `cleaned_data`, by `Conflict.about`.
    """

    prefix = "value"

    def __init__(
        self, conflicts: Sequence[Conflict], names: Mapping[str, str], book: Rulebook, data: Any = None
    ) -> None:
        super().__init__(data)
        self.words = Names(names, book)
        for conflict in conflicts:
            self.fields[conflict.about] = forms.ChoiceField(
                label=self._label(conflict),
                choices=[(way, self._way(conflict, way)) for way in conflict.ways],
                error_messages=error_messages(UNDECIDED().text),
            )

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Return the fields as `components/choice.html` draws them."""
        found = []
        for field in self:
            chosen = field.value()
            options = [{"value": way, "label": label, "checked": way == chosen} for way, label in field.field.choices]
            violations = as_context(Violation("", str(error)) for error in field.errors)
            found.append({"name": field.html_name, "legend": field.label, "options": options, "violations": violations})
        return found

    def _label(self, conflict: Conflict) -> str:
        """ "Grim Hounds: XP would be 11 here, not 10." """
        unit = self.words.called("unit", conflict.unit) if conflict.unit else ""
        if not conflict.field:
            return gettext("%(unit)s would not be on the Register.") % {"unit": unit}
        if conflict.field == "dossier":
            return gettext("%(unit)s was removed by a correction, and would have other values here.") % {"unit": unit}
        value = gettext(_SHORT.get(conflict.field) or LABELS[conflict.field])
        if conflict.agenda:
            value = gettext("Progress of %(agenda)s") % {"agenda": self.words.called("agenda", conflict.agenda)}
        now, old = (self._value_text(conflict, each) for each in (conflict.now, conflict.old))
        text = gettext("%(value)s would be %(now)s here, not %(old)s.") % {"value": value, "now": now, "old": old}
        return f"{unit}: {text}" if unit else text

    def _way(self, conflict: Conflict, way: str) -> str:
        if not conflict.field:
            return gettext("Leave out its correction")
        if conflict.field == "dossier":
            return gettext("Remove it anyway") if way == KEEP else gettext("Keep the unit")
        value = self._value_text(conflict, conflict.result(way))
        if way == KEEP:
            return gettext("Keep %(value)s") % {"value": value}
        if way == DIFFERENCE:
            return gettext("Keep the difference (%(change)s): %(value)s") % {
                "change": self._change(conflict),
                "value": value,
            }
        return gettext("Leave out the correction: %(value)s") % {"value": value}

    def _value_text(self, conflict: Conflict, value: Any) -> str:
        return value_words("progress" if conflict.agenda else conflict.field, value, self.words)

    def _change(self, conflict: Conflict) -> str:
        if isinstance(conflict.new, int):
            return f"{conflict.new - conflict.old:+d}".replace("-", "−")
        come, gone = Counter(conflict.new), Counter(conflict.old)
        more = [f"+ {self._value_text(conflict, [each])}" for each in (come - gone).elements()]
        less = [f"− {self._value_text(conflict, [each])}" for each in (gone - come).elements()]
        return ", ".join([*more, *less])
