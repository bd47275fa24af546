"""How long matches take: samples of finished matches, the load of the workers, and when a running tournament ends."""
