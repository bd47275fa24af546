"""Tutorial steps: complete bots, each a few lines longer than the previous one."""
