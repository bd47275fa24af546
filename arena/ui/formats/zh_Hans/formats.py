"""Date and time formats for Chinese, the same as in ``site/time.js``."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y 年 n 月 j 日"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y 年 n 月 j 日 H:i"
