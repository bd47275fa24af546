"""Self-play with proximal policy optimization (PPO) for games with a compiled environment; see docs/learning.md."""
