"""Jobs: work that exactly one worker does at a time and that is never lost with its worker."""
