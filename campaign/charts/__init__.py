"""Pictures of a whole campaign; `registers.pictures` says how pictures are made."""
