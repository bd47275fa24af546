"""What the strong bots of Reversi are made of; a bot's upload brings along the modules that it imports."""
