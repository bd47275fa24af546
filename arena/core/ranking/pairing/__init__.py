"""Pairing systems, one a file, all behind ``base.System``. Pure."""
