"""Sandbox escape probe, which arena/core/sandbox/self_test.py runs as if it were a bot."""
