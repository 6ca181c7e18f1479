"""A campaign as one file: exported, imported, and written every night (docs/campaign-file.md)."""
