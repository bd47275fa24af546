"""Draw QR codes for links."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_svg(link: str) -> SafeString:
    """Return a QR code (ISO/IEC 18004) with error correction level M (15 %) as a scalable ``<svg>``."""
    drawn: str = segno.make_qr(link, error="m").svg_inline(omitsize=True, border=4, light="#fff")
    return mark_safe(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S308 - drawn here
