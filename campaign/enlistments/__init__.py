"""The Registers of a campaign: add, withdraw, retire, transfer and award them."""
