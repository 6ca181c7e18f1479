"""Shared code for all apps: middleware, template tags, theme and style guide, PDFs, snapshots, encryption."""
