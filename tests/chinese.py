"""Recognize Chinese text, whatever it says."""

from __future__ import annotations

import re
from typing import Final

_CHINESE: Final = re.compile(r"[\u3000-\u303f\u4e00-\u9fff]")  # Chinese characters and punctuation


def has_chinese(text: str) -> bool:
    return _CHINESE.search(text) is not None
