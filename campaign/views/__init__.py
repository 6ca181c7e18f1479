"""Views of the campaign's pages, except those of battles."""
