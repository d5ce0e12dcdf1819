"""Decode every type for the first time in several threads at once, as a process does at its start.

Run in a process of its own, since msgspec crashes it unless the types were examined before.
"""

import sys
import threading
from contextlib import suppress

import msgspec

import service.http.app  # noqa: F401 - declares what a process decodes
from events.codec import decoder
from games import GAMES
from replay.examined import all_structs, examine_types

THREADS = 3
SWITCH_S = 1e-6


def decode_all(start: threading.Barrier) -> None:
    """Decode each type and the records of each game, whatever comes of it."""
    sent = [
        (struct, msgspec.json.encode({field: None}))
        for struct in all_structs()
        for field in struct.__struct_encode_fields__[-1:]
    ]
    start.wait()
    for game in GAMES.values():
        with suppress(msgspec.ValidationError):
            decoder(game).decode(b"{}")
    for struct, data in sent:
        with suppress(msgspec.ValidationError):
            msgspec.json.decode(data, type=struct)


def main() -> None:
    if sys.argv[1:] == ["examined"]:
        examine_types()
    sys.setswitchinterval(SWITCH_S)
    start = threading.Barrier(THREADS)
    threads = [threading.Thread(target=decode_all, args=(start,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
