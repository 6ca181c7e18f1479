"""Forms of the campaign's pages."""
