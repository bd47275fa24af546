"""What the apps above add to the page of a match; see arena.accounts.panels."""

from __future__ import annotations

from arena.accounts.panels import Panels

# By the match's id: buttons at the top of its page, and sections between the board and what is said about the match.
match_actions: Panels[int] = Panels()
match_panels: Panels[int] = Panels()
