"""Tables that are only added to: the database refuses to change, delete or truncate their rows."""

import pgtrigger


def append_only(name: str = "append_only") -> list[pgtrigger.Trigger]:
    """Return the triggers of such a table. `name` is that of the one which refuses changes and deletions."""
    return [pgtrigger.Protect(name=name, operation=pgtrigger.Update | pgtrigger.Delete), never_truncated()]


def never_truncated() -> pgtrigger.Trigger:
    """Return the trigger that refuses TRUNCATE, which fires no trigger of single rows."""
    return pgtrigger.Trigger(  # Protect knows no TRUNCATE
        name="never_truncated",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Truncate,
        func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
    )
