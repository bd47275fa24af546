"""Dates and times in Chinese, as ``site/time.js`` writes them."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y 年 n 月 j 日"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y 年 n 月 j 日 H:i"
