"""Services that change battles. Every service locks the battle first."""
