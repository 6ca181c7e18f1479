"""Views of the Register pages."""
