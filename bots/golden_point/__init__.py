"""The golden point: the starter, the house bots and their training."""
