"""Teams or alliances of a campaign's Registers, and their standings."""
