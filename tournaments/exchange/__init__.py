"""An event as one JSON file: written, read, and checked (E23)."""
