"""Self-play by proximal policy optimisation (PPO) for any game with a compiled environment; see docs/learning.md."""
