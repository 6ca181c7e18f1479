"""Story Arcs: the texts of their cards, and custom arcs with descriptions and previews."""
