"""Jobs: units of work, each run by one worker at a time, which survive the loss of their workers."""
