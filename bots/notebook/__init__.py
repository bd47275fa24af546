"""What a notebook calls: ``from bots.notebook import golden_point``."""
