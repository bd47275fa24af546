"""Pure: which entries meet in which round, one pairing system a file, all behind ``base.System``."""

from arena.ranking.pairing.berger import Round, double_round_robin, round_robin, tables

__all__ = ["Round", "double_round_robin", "round_robin", "tables"]
