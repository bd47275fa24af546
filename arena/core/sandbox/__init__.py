"""Runs one untrusted Python program at a time behind every fence the kernel offers.

The package knows no game and no framework: it starts a program, carries messages to and from it,
measures it, stops it and says exactly how it ended. `docs/sandbox.md` describes the design.

Invariant: importing the package itself loads nothing. The upload reader (`uploads`) works on every system,
all the rest on Linux only, so names are imported from their modules.
"""
