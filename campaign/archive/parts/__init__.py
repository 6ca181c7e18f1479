"""A campaign as one file: written here, read in another installation. docs/campaign-file.md tells its form.

Each part of the file has a module of its own with two halves: `written` gives its values, `bring` makes rows of them.
"""
