"""Custom Story Arcs: the editor, versions, sharing and adopting."""
