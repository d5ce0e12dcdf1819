"""Receipts in files, as players keep them."""

from pathlib import Path

import msgspec
import typer

from events.receipts import Receipt

RECEIPTS = msgspec.json.Decoder(list[Receipt])
RECEIPT = msgspec.json.Decoder(Receipt)


def read_receipts(path: Path) -> list[Receipt]:
    """Read a JSON list of receipts, or one receipt on each line. Raises `typer.BadParameter`."""
    data = path.read_bytes().strip()
    try:
        if data.startswith(b"["):
            found = RECEIPTS.decode(data)
        else:
            found = [RECEIPT.decode(line) for line in data.splitlines() if line.strip()]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"Invalid receipts: {error}.") from None
    if not found:
        raise typer.BadParameter(f"{path} has no receipts. Keep them as the service sent them.")
    for number, receipt in enumerate(found, start=1):
        if not (receipt.signature or receipt.hint):
            why = 'Keep receipts as the service sent them, or mark a hint with `"hint": true`'
            raise typer.BadParameter(f"Receipt {number} is not signed. {why}.")
    return found
