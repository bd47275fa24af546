"""Pure: who meets whom, who is ahead, how strong everybody is."""
