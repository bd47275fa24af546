"""What the house bots of 2584 are made of; a bot's upload brings along the modules that it imports."""
