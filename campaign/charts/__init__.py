"""Pictures of a whole campaign; `registers.charts` says how pictures are made."""
