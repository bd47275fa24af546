"""Pairing systems as pure code, one per file, all implementing ``base.PairingSystem``."""
