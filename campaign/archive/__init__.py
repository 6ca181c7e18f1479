"""A campaign as one file: exporting, importing, and nightly files (docs/campaign-file.md)."""
