"""The saga of a campaign: its battles told, what players write of them, and their pictures."""
