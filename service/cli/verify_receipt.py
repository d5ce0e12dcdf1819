"""`shiplog verify-receipt`: check receipts without the service."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from events.receipts import Receipt, objection
from service.cli.public_keys import PublicKeys, keyring
from service.cli.sources import FOUND, UNSIGNED, err, out

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Receipts, as kept.")]
RECEIPTS = msgspec.json.Decoder(list[Receipt])
RECEIPT = msgspec.json.Decoder(Receipt)


def verify_receipt(path: File, *, public_key: PublicKeys = None) -> None:
    """Check who signed receipts, and that no two contradict each other.

    Exits with 1 if two receipts of one version name different heads, which convicts the service,
    and with 3 if no known key signed one of them.
    """
    keys = keyring(public_key)
    signed: dict[tuple[str, object, int], Receipt] = {}
    status = 0
    for receipt in read_receipts(path):
        name = f"{receipt.match} version {receipt.version} of {receipt.viewer}"
        if (why := objection(receipt, keys)) is not None:
            err.print(f"{name}: {why}", style="yellow", highlight=False)
            status = status or UNSIGNED
            continue
        first = signed.setdefault((receipt.match, receipt.viewer, receipt.version), receipt)
        if first.head != receipt.head:
            why = f"the service signed {first.head} and {receipt.head}"
            err.print(f"{name}: {why}", style="red", highlight=False)
            status = FOUND
            continue
        out.print(f"{name}: signed by {receipt.key} at {receipt.at}", highlight=False)
    if status:
        raise typer.Exit(status)


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
    for number, receipt in enumerate(found, start=1):
        if not (receipt.signature or receipt.hint):
            why = 'Keep receipts as the service sent them, or mark a hint with `"hint": true`'
            raise typer.BadParameter(f"Receipt {number} is not signed. {why}.")
    return found
