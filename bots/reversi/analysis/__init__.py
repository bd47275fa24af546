"""Analysis of played games by the house engine."""
