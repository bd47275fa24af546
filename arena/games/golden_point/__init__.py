"""The golden point: rules, rooms, recordings and their analysis."""
