"""The star map of a campaign: systems that battles are fought for, and who holds them."""
