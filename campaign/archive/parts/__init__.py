"""The parts of a campaign file, which can be imported on another site; docs/campaign-file.md describes the format.

Each part has a module with two functions: `written` returns its values for the file, `bring` creates rows from them.
"""
