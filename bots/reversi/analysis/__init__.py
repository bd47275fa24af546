"""The house engine analyses games that were played."""
