"""The list formats that players already have: read into lines to look at, written from a plain army.

Pure: no Django, no database. What is read is never trusted; it is bounded (`limits`), taken apart by a reader for
each format, and understood against the catalogue (`understanding`). Nothing is left out in silence.
"""
