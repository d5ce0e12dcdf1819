"""QR codes of links."""

import segno

MASK = 2
"""Pattern that the squares are mixed with. A reader takes any of the eight (ISO/IEC 18004); trying
them all to choose the best takes most of the time of a code: 4 ms of 5.
"""


def qr_code(link: str, error: str | None = None) -> segno.QRCode:
    """Return the QR code of a link, which withstands damage up to a level (`l`, `m`, `q`, `h`)."""
    return segno.make(link, error=error, micro=False, mask=MASK)
