"""How the values of the learnt bot came about, and the exact table of the arena; nothing here runs on the site."""
