"""Jobs: work that exactly one worker does at a time and that survives the loss of its worker."""
