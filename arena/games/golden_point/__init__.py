"""The golden point: rules, rooms, recorded games and their analysis."""
