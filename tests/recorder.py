"""Write a match's log in process, as the service would: fixed keys, fixed times."""

from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.chain import Head, sign
from events.keyring import Keyring
from events.record import at_micros
from games.match.clocks import SECOND
from games.match.commands import Actor, AddBot, OpeningCommand, TakeSeat
from games.match.decide import decide
from games.match.due import next_due
from games.match.seating import Issuer, create
from games.match.seed import derive_service_seed
from projections.folded import Decided, Folded

MASTER = sha256(b"a test's master key").digest()
SIGNING = Ed25519PrivateKey.from_private_bytes(sha256(b"a test's signing key").digest())
PUBLIC = SIGNING.public_key()
KEYS = Keyring.of(PUBLIC.public_bytes_raw())
SERVICE = KEYS.keys[0].service
RELEASE = "0.2.0"
START = at_micros("2026-11-21T09:00:00.000000Z")


class Recorder:
    """One match, from its creation on; commands are refused as the rules refuse them."""

    def __init__(self, game, command: OpeningCommand, match: str = "m_test", opening=None):
        self.games = {game.slug: game}
        self.service_seed = derive_service_seed(MASTER, match)
        self.at = START
        self.lines: list[bytes] = []
        issuer = Issuer("p_0", SERVICE, "k1", self.service_seed)
        events = opening or create(game, match, command, issuer)
        self.folded = Folded.opened(self.games, events[0])
        self._record(Actor(player="p_0"), command, events)

    @property
    def match(self):
        return self.folded.match

    @property
    def state(self):
        return self.match.state

    def send(self, actor: Actor, command, *, after: int = SECOND, command_id: str = ""):
        """Decide a command `after` so many microseconds and append it; raises `Illegal`."""
        at = self.at + after
        events = decide(self.match, actor, command, at, self.service_seed)
        self.at = at
        self._record(actor, command, events, command_id)
        return events

    def play(self, seat: int, command, *, after: int = SECOND):
        return self.send(Actor(seat=seat), command, after=after)

    def sit(self, *levels: str):
        """Take all seats: a level seats a bot, "" a player.

        Seat 0 is last, so that all sit before.
        """
        for seat, level in reversed(list(enumerate(levels))):
            if level:
                self.send(Actor(player="p_0"), AddBot(seat=seat, level=level))
            else:
                self.send(Actor(player=f"p_{seat}"), TakeSeat(seat=seat, entropy=f"entropy-{seat}"))

    def time_out(self):
        """Do what is due next, when its time has come."""
        due = next_due(self.match)
        return self.send(due.actor, due.command, after=max(SECOND, due.at - self.at))

    def head(self) -> Head:
        """Sign the log as it is."""
        return sign(SIGNING, SERVICE, self.match.header.match, len(self.lines), self.folded.head)

    def _record(self, actor, command, events, command_id: str = "") -> None:
        command_id = command_id or f"c{len(self.lines) + 1}"
        decided = Decided(actor, command_id, command, events, self.at)
        draft = self.folded.draft(decided, self.service_seed, RELEASE)
        self.lines.append(draft.data)
        self.folded.extend(draft.data, draft.record)
