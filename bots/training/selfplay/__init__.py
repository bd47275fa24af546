"""Self-play by proximal policy optimization (PPO) for any game with a compiled environment; see docs/learning.md."""
