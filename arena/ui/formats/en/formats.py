"""Dates and times in English, as ``site/time.js`` writes them: Nov 23, 2026, 6:00 PM."""

DATE_FORMAT = SHORT_DATE_FORMAT = "M j, Y"
TIME_FORMAT = "g:i A"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "M j, Y, g:i A"
