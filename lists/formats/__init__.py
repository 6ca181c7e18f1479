"""The list formats that players already use: each is read into lines, and some are written from a plain army.

Pure: no Django, no database. Input is never trusted: `limits` bounds it, a reader for each format takes it apart, and
`understanding` matches it with the catalogue. Nothing is dropped silently.
"""
