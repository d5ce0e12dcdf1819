"""E-mail: the address of a player, what is mailed to it, and the links in e-mails."""

from typing import Annotated

import msgspec
from litestar import delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from games.wire import Time
from service.http.body import AnyRequest
from service.http.sign_ins import SignedIn
from service.http.user_agent import device_of
from service.play.caller import Caller
from service.play.devices import Devices
from service.play.mailboxes import Choice, Mailboxes
from service.play.player_record import Language, Mailbox, Pace, Pushed
from service.play.quiet import Quiet

Text = Annotated[str, Meta(min_length=1, max_length=254)]
Token = Annotated[str, Meta(min_length=1, max_length=300, pattern="^[A-Za-z0-9._-]+$")]


class NewAddress(msgspec.Struct, forbid_unknown_fields=True):
    """An e-mail address of yours."""

    address: Text
    """Such as `ada@play.example`."""
    language: Language = "en"
    """Language of the e-mails."""


class MailAddress(msgspec.Struct, forbid_unknown_fields=True):
    """An e-mail address."""

    address: Text
    """Such as `ada@play.example`."""


class MailLink(msgspec.Struct, forbid_unknown_fields=True):
    """The token of a link in an e-mail."""

    token: Token
    """What follows the first full stop in the fragment of the link."""


class MailChoice(msgspec.Struct, forbid_unknown_fields=True):
    """What is mailed to you."""

    events: Annotated[tuple[Pushed, ...], Meta(max_length=7)]
    """What to mail. A `reminder` comes before your clock runs out."""
    pace: Pace = "hour"
    """`each` mails notices soon; `hour` and `day` send at most one e-mail in that time, with all
    that still holds. A reminder does not wait.
    """
    quiet: Quiet | None = None
    """Hours in which nothing is mailed."""
    language: Language = "en"
    """Language of the e-mails."""


class MailboxView(msgspec.Struct):
    """Your e-mail address, and what is mailed to it."""

    address: str
    """Its domain as DNS has it."""
    created: Time
    """When you added it."""
    confirmed: bool
    """Whether you have opened the link that was sent there. Before that it is no way back."""
    refused: bool
    """Whether the mail server of the address has said that there is no such mailbox. Nothing is
    mailed there until you confirm it again.
    """
    events: tuple[Pushed, ...]
    """What is mailed."""
    pace: Pace
    """How often."""
    quiet: Quiet | None
    """Hours in which nothing is mailed."""
    language: Language
    """Language of the e-mails."""


class MailView(msgspec.Struct):
    """Whether this service sends e-mail, and your address."""

    on: bool
    """Whether this service sends e-mail."""
    mailbox: MailboxView | None
    """Your address; null without one."""


@get("/players/me/mail", tags=["mail"], operation_id="getMail", scope="account")
async def get_mail(
    caller: NamedDependency[Caller], mailboxes: NamedDependency[Mailboxes]
) -> MailView:
    """Return your e-mail address, and what is mailed to it."""
    mailbox = await mailboxes.of(caller.player)
    return MailView(mailboxes.on, None if mailbox is None else _view(mailbox))


@post(
    "/players/me/mail",
    status_code=201,
    tags=["mail"],
    operation_id="addMailAddress", counts="sign-ins",
    scope="account",
    refuses=(
        "bad-mail-address", "mail-off", "too-many-mail-addresses", "too-many-mails", "name-taken",
    ),
)  # fmt: skip
async def add_mail_address(
    data: JSONBody[NewAddress],
    caller: NamedDependency[Caller],
    mailboxes: NamedDependency[Mailboxes],
) -> MailboxView:
    """Add an e-mail address. A link is sent there that confirms it, and is valid for 15 minutes.

    Add an unconfirmed address again for another link. Nobody else is shown the address.
    """
    return _view(await mailboxes.add(caller.player, data.address, data.language))


@patch(
    "/players/me/mail",
    tags=["mail"],
    operation_id="chooseMails",
    scope="account",
    refuses=("not-found", "unknown-time-zone"),
)
async def choose_mails(
    data: JSONBody[MailChoice],
    caller: NamedDependency[Caller],
    mailboxes: NamedDependency[Mailboxes],
) -> MailboxView:
    """Choose what is mailed to your confirmed address. What you have seen on a page is not."""
    events = tuple(sorted(set(data.events)))
    choice = Choice(events, data.pace, data.quiet, data.language)
    return _view(await mailboxes.choose(caller.player, choice))


@delete("/players/me/mail", tags=["mail"], operation_id="deleteMailAddress", scope="account")
async def delete_mail_address(
    caller: NamedDependency[Caller], mailboxes: NamedDependency[Mailboxes]
) -> None:
    """Delete your e-mail address, if there is one. Links that were sent there end."""
    await mailboxes.delete(caller.player)


@post(
    "/mail/confirm",
    status_code=204,
    tags=["mail"],
    operation_id="confirmMailAddress",
    counts="sign-ins",
    refuses=("wrong-link", "mail-taken", "name-taken"),
)
async def confirm_mail_address(
    data: JSONBody[MailLink], mailboxes: NamedDependency[Mailboxes]
) -> None:
    """Confirm the address to which a link was sent. It is then a way back to its player."""
    await mailboxes.confirm(data.token)


@post(
    "/sign-ins/mail/link",
    status_code=204,
    tags=["mail"],
    operation_id="mailSignInLink",
    counts="sign-ins",
    refuses=("bad-mail-address", "mail-off"),
)
async def mail_sign_in_link(
    data: JSONBody[MailAddress], mailboxes: NamedDependency[Mailboxes]
) -> None:
    """Send a link that signs in once, within 15 minutes, if the address belongs to a player.

    The answer does not tell whether it does.
    """
    await mailboxes.ask(data.address)


@post(
    "/sign-ins/mail",
    status_code=201,
    tags=["mail"],
    operation_id="signInByMail",
    counts="sign-ins",
    refuses=("wrong-link", "not-found"),
    secret=True,
)
async def sign_in_by_mail(
    request: AnyRequest,
    data: JSONBody[MailLink],
    mailboxes: NamedDependency[Mailboxes],
    devices: NamedDependency[Devices],
) -> SignedIn:
    """Sign in with a link from an e-mail. It is used up."""
    made = await devices.sign_in(await mailboxes.use(data.token), device_of(request.scope))
    return SignedIn(made.player, made.token, made.name)


@post(
    "/mail/{token:str}",
    status_code=204,
    tags=["mail"],
    operation_id="stopMails",
    counts="calls",
    refuses=("wrong-link",),
)
async def stop_mails(token: FromPath[str], mailboxes: NamedDependency[Mailboxes]) -> None:
    """Mail no more notices to the address that was sent this link (RFC 8058).

    The address stays a way to sign in. Mail programs call this for their button "unsubscribe".
    """
    await mailboxes.stop(token)


HANDLERS = (
    get_mail,
    add_mail_address,
    choose_mails,
    delete_mail_address,
    confirm_mail_address,
    mail_sign_in_link,
    sign_in_by_mail,
    stop_mails,
)


def _view(one: Mailbox) -> MailboxView:
    return MailboxView(
        one.address,
        one.created,
        one.confirmed,
        one.refused,
        one.events,
        one.pace,
        one.quiet,
        one.language,
    )
