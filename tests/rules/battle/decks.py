"""Battle Decks."""

RECON = [
    "bunker-assault-recon", "close-the-pocket-recon", "intercept-signals-recon",
    "bring-them-to-heel-recon", "recon-mission-recon", "surface-scan-recon",
    "advanced-intel-recon", "cunning-deployment-recon", "fortified-position-recon",
]  # fmt: skip
