"""This module must not be visible in a jail."""
