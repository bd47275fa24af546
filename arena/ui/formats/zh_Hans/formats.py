"""Dates and times in Chinese, as ``site/time.js`` writes them."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y年n月j日"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y年n月j日 H:i"
