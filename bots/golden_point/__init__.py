"""The golden point: the starter bot, the house bots and their training."""
