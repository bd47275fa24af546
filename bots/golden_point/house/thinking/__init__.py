"""What the learning and foreseeing bots of the golden point are made of."""
