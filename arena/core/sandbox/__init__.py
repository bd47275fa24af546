"""Run one untrusted Python program in isolation, with every mechanism the kernel offers.

The package is independent of games and frameworks: it starts a program, communicates with it, measures it, stops it and
reports how it ended. `docs/sandbox.md` describes the design.

Invariant: importing the package itself loads nothing. The upload reader (`uploads`) works on every system,
everything else only on Linux, so import each name from its own module.
"""
