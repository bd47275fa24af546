"""What the apps above add to the pages of a bot and of a person; see arena.accounts.panels."""

from __future__ import annotations

from arena.accounts.panels import Panels
from arena.submissions.queries import BotLine

bot_panels: Panels[int] = Panels()  # by the bot's id
bot_actions: Panels[BotLine] = Panels()  # buttons at the top of the page of a bot
profile_panels: Panels[str] = Panels()  # by the person's user name
