"""Pure: which entries meet in which round, one pairing system a file, all behind ``base.System``."""
