"""Check that a JSON value has a form that is written down as a Python value. Unknown keys are errors, never ignored."""

from __future__ import annotations

from typing import Any

#: The form of any value at all.
ANY = object()


class FormError(Exception):
    """A value that does not have its form."""


def check(value: Any, form: Any, where: str) -> None:
    """Raise FormError unless `value` has the form. A form is a type, None, a set of values, a list of one form, a
    tuple of alternatives, or the keys of an object; of those, "key?" may be missing and "*" stands for every other
    key.
    """
    match form:
        case _ if form is ANY:
            return
        case set():
            known = isinstance(value, str | None) and value in form
            _expect(known, f"one of {', '.join(sorted(map(repr, form)))}", value, where)
        case tuple():
            _check_alternatives(value, form, where)
        case list():
            _expect(isinstance(value, list), "a list", value, where)
            for place, item in enumerate(value):
                check(item, form[0], f"{where}[{place}]")
        case dict():
            _expect(isinstance(value, dict), "named values", value, where)
            _check_keys(value, form, where)
        case None:
            _expect(value is None, "null", value, where)
        case _:
            _expect(type(value) is form, form.__name__, value, where)


def _expect(fits: bool, wanted: str, value: Any, where: str) -> None:
    if not fits:
        raise FormError(f"{where}: expected {wanted}, not {value!r}")


def _check_alternatives(value: Any, forms: tuple[Any, ...], where: str) -> None:
    errors = []
    for form in forms:
        try:
            return check(value, form, where)
        except FormError as error:
            errors.append(error)
    raise errors[0]


def _check_keys(value: dict[str, Any], form: dict[str, Any], where: str) -> None:
    known = {key.rstrip("?"): inner for key, inner in form.items() if key != "*"}
    missing = [key for key in form if not key.endswith(("?", "*")) and key not in value]
    unknown = [key for key in value if key not in known and "*" not in form]
    if missing or unknown:
        raise FormError(f"{where}: missing {missing}, unknown {unknown}")
    for key, item in value.items():
        check(item, known[key] if key in known else form["*"], f"{where}.{key}")
