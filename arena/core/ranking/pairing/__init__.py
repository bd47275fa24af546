"""Pairing systems, one per file, all implementing ``base.System``. Pure."""
