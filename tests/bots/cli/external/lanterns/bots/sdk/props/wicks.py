WICKS = 1  # bots import this file as `wicks`
