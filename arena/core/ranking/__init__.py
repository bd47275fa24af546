"""Pure computation of pairings, standings and ratings."""
