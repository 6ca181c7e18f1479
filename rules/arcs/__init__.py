"""Custom Story Arcs: their parts, descriptions and previews."""
