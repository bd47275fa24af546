"""The program that tries to break out of a jail; arena/core/sandbox/canary.py runs it as if it were a bot."""
