"""Tampering with a file as a whole: its lines, its signed head, its compression."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import zstandard
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import file, zstd
from events.chain import Head, sign
from events.keyring import PublicKey
from tests.recorder import SERVICE, SIGNING
from tests.replay.forgery import rechained, signed
from tests.tampered.origin import Origin, encoded

STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\1")
STRANGER_ID = PublicKey.of(STRANGER.public_key().public_bytes_raw()).service
BOMB_BYTES = 65 << 20


class Forgery(NamedTuple):
    """A tampered file, and what an audit must say of it."""

    name: str
    data: bytes
    record: int
    """The first record that must be named. 0 stands for the file."""
    checks: frozenset[str]
    """Checks of which one must fail there."""
    blind: bool = False
    """Whether only the rules of the game tell."""


Forger = Callable[[Origin], Iterator[Forgery]]


def _file(name: str, data: bytes) -> Forgery:
    return Forgery(name, data, 0, frozenset(("file",)))


def damaged(o: Origin) -> Iterator[Forgery]:
    """Yield files with lines that are cut, doubled or put elsewhere."""
    head, lines = encoded(o.head), o.lines
    yield _file("no-last-line-feed", o.good[:-1])
    yield _file("cut-in-a-line", o.good[: len(o.good) // 2])
    yield _file("cut-after-a-line", b"".join(line + b"\n" for line in lines[: o.middle]))
    yield _file("empty", b"")
    yield _file("empty-line", o.stale(o.with_line(o.middle, o.lines[o.middle - 1], b"")))
    yield _file("carriage-returns", o.good.replace(b"\n", b"\r\n"))
    yield _file("byte-order-mark", b"\xef\xbb\xbf" + o.good)
    yield _file("utf-16", o.good.decode().encode("utf-16"))
    yield _file("text-after-the-head", o.good + b"# kept by Ada\n")
    yield _file("two-heads", o.good + head + b"\n")
    yield _file("head-first", head + b"\n" + o.good.removesuffix(head + b"\n"))
    yield _file("head-in-the-middle", o.stale(o.with_line(o.middle, head, lines[o.middle - 1])))
    yield _file("only-the-head", head + b"\n")


def packed(o: Origin) -> Iterator[Forgery]:
    """Yield compressed files that are damaged, or whose contents are."""
    good = file.write(o.lines, o.head, packed=True)
    half = len(good) // 2
    pack = zstandard.ZstdCompressor(zstd.LEVEL).compress
    other = o.good[: -len(encoded(o.head)) - 1]
    yield _file("packed-cut", good[:half])
    yield _file("packed-flipped-bit", good[:half] + bytes((good[half] ^ 1,)) + good[half + 1 :])
    yield _file("packed-wrong-checksum", good[:-1] + bytes((good[-1] ^ 1,)))
    yield _file("packed-two-frames", good + pack(b"{}\n"))
    yield _file("packed-trailing-bytes", good + b"\0\0\0\0")
    yield _file("packed-twice", pack(good))
    yield _file("packed-bomb", pack(bytes(BOMB_BYTES)))
    yield _file("packed-without-a-head", pack(other))
    yield _file("packed-head-in-another-form", pack(other + _spaced(o.head) + b"\n"))
    forged = o.stale(o.with_record(o.middle, id="another"))
    where = o.middle + 1
    checks = frozenset(("digest", "chain"))
    yield Forgery("packed-changed-record", pack(forged), where, checks)


def _spaced(head: Head) -> bytes:
    return encoded(head).replace(b'":', b'": ', 1)


def head_lines(o: Origin) -> Iterator[Forgery]:
    """Yield files whose head is another one, or has another form."""
    body = b"".join(line + b"\n" for line in o.lines)
    line = encoded(o.head)
    yield _file("no-head", body)
    yield _file("head-with-spaces", body + _spaced(o.head) + b"\n")
    yield _file("head-with-a-note", body + line[:-1] + b',"note":"true"}\n')
    doubled = line.replace(b'"version":', b'"version":1,"version":', 1)
    yield _file("head-with-two-versions", body + doubled + b"\n")
    yield _file("head-with-fewer-fields", body + line[: line.index(b',"signature"')] + b"}\n")
    listed = line.replace(b'"signature":', b'"signature":[', 1)[:-1] + b"]}"
    yield _file("head-with-a-list-as-signature", body + listed + b"\n")
    yield _file("head-of-fewer-records", body + encoded(_with(o, version=o.last - 1)) + b"\n")
    yield _file("head-of-more-records", body + encoded(_with(o, version=o.last + 1)) + b"\n")
    yield _file("head-of-another-log", body + encoded(_with(o, head="0" * 64)) + b"\n")
    yield _file("tail-cut", o.stale(o.lines[:-3]))
    yield _file("last-record-cut", o.stale(o.lines[:-1]))


def _with(o: Origin, **values: Any) -> Head:
    return msgspec.structs.replace(o.head, **values)


def signatures(o: Origin) -> Iterator[Forgery]:
    """Yield files whose signature is not that of the service's key over this head."""
    name, last, head, right = o.head.match, o.last, o.head.head, o.head.signature
    own = [o.records[0]["events"][0] | {"service": STRANGER_ID}]
    forged = rechained(o.with_record(1, events=own), o.seed)
    others = signed(forged)
    cut = rechained(o.lines[:-3], o.seed)
    for kind, lines, wrong, record in (
        ("garbage", o.lines, _with(o, signature="5f" * 64), last),
        ("zero", o.lines, _with(o, signature="00" * 64), last),
        ("empty", o.lines, _with(o, signature=""), last),
        ("short", o.lines, _with(o, signature=right[:-2]), last),
        ("no-hex", o.lines, _with(o, signature="not a signature"), last),
        ("upper-case", o.lines, _with(o, signature=right.upper()), last),
        ("swapped-halves", o.lines, _with(o, signature=right[64:] + right[:64]), last),
        ("foreign-key", o.lines, sign(STRANGER, SERVICE, name, last, head), last),
        ("foreign-key-named", o.lines, sign(STRANGER, STRANGER_ID, name, last, head), 0),
        ("foreign-header", forged, sign(STRANGER, STRANGER_ID, name, last, others.head), 0),
        ("other-match", o.lines, sign(SIGNING, SERVICE, "m_other", last, head), 0),
        ("other-version", cut, _with(o, version=last - 3, head=signed(cut).head), last - 3),
        ("tail-cut-zero", cut, msgspec.structs.replace(signed(cut), signature="0" * 128), last - 3),
    ):
        data = file.write(lines, wrong)
        yield Forgery(f"signature-{kind}", data, record, frozenset(("signature",)))


FORGERS: tuple[Forger, ...] = (damaged, packed, head_lines, signatures)
