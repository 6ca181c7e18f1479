"""What changes battles. Every service locks the battle first."""
