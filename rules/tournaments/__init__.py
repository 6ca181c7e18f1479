"""Events: pairing, results, standings, brackets and the clock of Galactic Conquest and the Tournament Regulations."""
