"""For processes under libfaketime: Debian 12's breaks the system call with which Python sleeps."""

import select
import time


def sleep(seconds: float) -> None:
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    select.select([], [], [], seconds)


time.sleep = sleep
