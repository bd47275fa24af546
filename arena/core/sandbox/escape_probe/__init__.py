"""Sandbox escape probe, which ``self_test`` runs as if it were a bot."""
