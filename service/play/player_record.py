"""The record of a player, as the store has it."""

from typing import Any, Literal

import msgspec

from events.record import at_micros
from games.wire import Time
from service.base.clock import now_micros
from service.play.quiet import Quiet

Role = Literal["operator", "auditor"]
Scope = Literal["read", "stream", "play", "bots", "officer"]
"""What a token for an app may be allowed."""
Told = Literal[
    "turn", "match_over", "proposal", "invitation",
    "match_started", "talk", "invitation_closed", "seek_filled", "rematch",
]  # fmt: skip
"""Types of notices that webhooks may send."""


Pushed = Literal[
    "turn", "reminder", "proposal", "invitation", "talk", "match_started", "match_over"
]
"""What may be pushed to a browser, or mailed. A reminder comes before a clock runs out."""
Language = Literal["en", "cs"]
Pace = Literal["each", "hour", "day"]
"""How often notices are mailed: each by itself, or those of an hour or a day together."""


class Device(msgspec.Struct, frozen=True):
    """A browser or program in which a player is signed in. Its token is not stored."""

    id: str
    name: str
    created: Time
    day: int
    """Day on which the device was seen last, in days since 1970. Nothing finer is stored."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey of a player: the public half."""

    id: str
    """ID of the credential, in base64url."""
    key: str
    """The public key in COSE, in base64url."""
    name: str
    created: Time
    count: int
    """Signatures counted by the authenticator; 0 if it does not count."""
    transports: tuple[str, ...] = ()
    """How browsers reach the authenticator, such as `internal` or `usb`."""


class AppToken(msgspec.Struct, frozen=True):
    """A token that a player made for an app. The token itself is not stored."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: Time
    expires: Time | None
    """When the token becomes invalid; null if it does not expire."""

    def has_expired(self) -> bool:
        """Return whether the token has expired."""
        return self.expires is not None and at_micros(self.expires) <= now_micros()


class Webhook(msgspec.Struct, frozen=True):
    """Where a player wants to be told of what happens. Its secret is not stored."""

    id: str
    url: str
    events: tuple[Told, ...]
    created: Time
    app: str = ""
    """ID of the app's token with which the webhook was made, and with which it ends."""


class Subscription(msgspec.Struct, frozen=True):
    """A browser to which messages are pushed. The keys only encrypt: they are public."""

    id: str
    created: Time
    device: str
    """ID of the device that subscribed, with which the subscription ends."""
    endpoint: str
    """URL at the push service of the browser's maker."""
    p256dh: str
    auth: str
    events: tuple[Pushed, ...]
    language: Language
    quiet: Quiet | None


class Mailbox(msgspec.Struct, frozen=True, rename={"lead": "lookup"}):
    """The e-mail address of a player, at most one."""

    id: str
    address: str
    created: Time
    language: Language
    lead: str = ""
    """ID of the lead from the address to the player. Empty until the address is confirmed."""
    refused: bool = False
    """Whether the provider of the address has said that there is no such mailbox."""
    events: tuple[Pushed, ...] = ()
    """What is mailed. None until the player chooses."""
    quiet: Quiet | None = None
    pace: Pace = "hour"

    @property
    def confirmed(self) -> bool:
        """Whether the player has used the link that was sent to the address."""
        return bool(self.lead)


class Identity(msgspec.Struct, frozen=True, rename={"lead": "lookup"}):
    """An identity at the operator's provider that a player has linked."""

    lead: str
    """ID of the lead from the identity to the player."""
    created: Time


class Solving(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a player fares at puzzles."""

    mu: float = 25.0
    """Mean of the estimated skill."""
    sigma: float = 25.0 / 3.0
    """Standard deviation of the estimated skill."""
    solved: int = 0
    """Number of puzzles solved at the first attempt."""
    tried: tuple[str, ...] = ()
    """IDs of the puzzles that were solved or failed."""
    streak: int = 0
    """Days in a row, up to `day`, on which the daily puzzle was solved."""
    best: int = 0
    """The longest streak."""
    day: int = 0
    """Day of the last attempt at a daily puzzle, in days since 1970."""


class Player(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"code_lead": "recovery", "leads_to": "recovers"},
):
    """The record of a player, or a lead to one (`leads.py`)."""

    name: str
    created: str
    generation: int = 1
    """Generation of the valid tokens of earlier releases; 0 if there are none."""
    devices: tuple[Device, ...] = ()
    passkeys: tuple[Passkey, ...] = ()
    code_lead: str = ""
    """ID of the lead from the recovery code to the player."""
    leads_to: str = ""
    """Leads only: the player. All other fields but the time are empty."""
    own_name: tuple[str, ...] = ()
    """IDs of the leads from the name, if the name is the player's own: nobody else may take it."""
    roles: tuple[Role, ...] = ()
    external: str = ""
    """Issuer and subject, for players whom an identity provider brought."""
    identity: Identity | None = None
    owner: str = ""
    """Bot accounts: the player who owns the bot."""
    bots: tuple[str, ...] = ()
    """Bot accounts that the player owns."""
    tokens: tuple[AppToken, ...] = ()
    webhooks: tuple[Webhook, ...] = ()
    subscriptions: tuple[Subscription, ...] = ()
    mailbox: Mailbox | None = None
    puzzles: Solving = Solving()
    blocks: tuple[str, ...] = ()
    """Players whom the player has blocked."""
    mutes: tuple[str, ...] = ()
    """Matches whose talk the player has muted."""
    talked: tuple[str, ...] = ()
    """Matches that have messages of the player, the latest ones."""
    erased: bool = False
    """Whether the player is erased; the other fields are then empty, and the id lives on in
    logs.
    """

    @property
    def ways_back(self) -> tuple[str, ...]:
        """IDs of the leads with which the player signs in: from a code, an address, an identity."""
        address = "" if self.mailbox is None else self.mailbox.lead
        identity = "" if self.identity is None else self.identity.lead
        return tuple(lead for lead in (self.code_lead, address, identity) if lead)

    @property
    def leads(self) -> tuple[str, ...]:
        """IDs of all leads to the player."""
        return (*self.ways_back, *self.own_name)

    @property
    def can_come_back(self) -> bool:
        """Whether the player can sign in on a new device, without help of another device."""
        return bool(self.passkeys or self.external or self.ways_back)

    def device(self, device: str) -> Device | None:
        """Return a device by its id."""
        return next((one for one in self.devices if one.id == device), None)


ERASED = Player(name="", created="", generation=0, erased=True)
NOBODY = Player(name="", created="", generation=0)
"""What stands in the place of a record before the player is created."""
DECODER = msgspec.json.Decoder(Player)
WITHOUT_CREDENTIALS: dict[str, Any] = {
    "generation": 0, "passkeys": (), "code_lead": "", "tokens": (), "webhooks": (),
    "subscriptions": (), "mailbox": None, "identity": None,
}  # fmt: skip
"""Fields of a record that lets in nobody, apart from its devices."""
