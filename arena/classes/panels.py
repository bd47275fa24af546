"""What the apps above add to the page of a class: its tournaments, first of all."""

from __future__ import annotations

from arena.accounts.panels import Panels

course_panels: Panels[int] = Panels()  # by the class's id
