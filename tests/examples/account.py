"""What a player does with an account: programs, ways to sign in, mail, webhooks and push."""

from collections.abc import Mapping
from unittest.mock import patch

from service.play.identity_provider import IdentityProvider
from service.play.outbox import Address as Outgoing
from service.process.context import Context
from tests.e2e.authenticator import Authenticator
from tests.e2e.identity_provider import Provider, challenge_of
from tests.examples.recording import Examples

ISSUER = "https://id.example"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0"


async def use_programs(examples: Examples, ada: str) -> None:
    """Make tokens for apps, and bot accounts."""
    call = examples.call
    bot = (await call("POST", "/bots", who=ada, body={"name": "Deep Ada"}))["player"]
    await call("GET", "/bots", who=ada)
    await call("PATCH", "/bots/{bot}", who=ada, body={"name": "Deeper Ada"}, bot=bot)
    await call("GET", "/players/{player}", "bot", who=ada, player=bot)
    await call("POST", "/bots/{bot}/token", who=ada, bot=bot)
    await call("DELETE", "/bots/{bot}/token", who=ada, bot=bot)
    await call("DELETE", "/bots/{bot}", who=ada, bot=bot)
    made = {"name": "Phone", "scopes": ["read", "stream"], "expires_in_s": 86_400}
    token = await call("POST", "/tokens", who=ada, body=made)
    await call("GET", "/tokens", who=ada)
    await call("PATCH", "/players/me", who=token["token"], body={"name": "Bob"})
    await call("DELETE", "/tokens/{token_id}", who=ada, token_id=token["id"])


async def sign_in(examples: Examples, ada: str) -> None:
    """Make codes and a passkey, and sign in with them."""
    call = examples.call
    here, firefox = {"Host": "localhost"}, {"User-Agent": FIREFOX}
    code = (await call("POST", "/players/me/recovery-code", who=ada))["recovery_code"]
    await call("POST", "/sign-ins/recovery", body={"code": code})
    await call("POST", "/sign-ins/recovery", body={"code": code})
    await call("DELETE", "/players/me/recovery-code", who=ada)
    code = (await call("POST", "/players/me/move-code", who=ada, headers=here))["move_code"]
    await call("POST", "/sign-ins/move", body={"code": code}, headers=firefox)
    await call("POST", "/sign-ins/move", body={"code": code})
    listed = await call("GET", "/players/me/devices", who=ada)
    place = "/devices/{device}"
    await call("DELETE", place, who=ada, device=listed[-1]["id"])
    await call("DELETE", place, who=ada, device=listed[-1]["id"])
    path, one = "/players/me/passkeys", "/passkeys/{passkey}"
    key = Authenticator("http://localhost")
    options = await call("POST", path + "/options", who=ada, headers=here)
    created = key.create(options)
    made = await call("POST", path, who=ada, body=created, headers=here)
    await call("POST", path, who=ada, body=created, headers=here)
    await call("POST", path + "/options", who=ada)
    challenge = await call("POST", "/sign-ins/passkey/options", headers=here)
    await call("POST", "/sign-ins/passkey/options")
    await call("POST", "/sign-ins/passkey", body=key.sign(challenge), headers=here)
    await call("POST", "/sign-ins/passkey", body=key.sign(challenge), headers=here)
    await call("PATCH", one, who=ada, body={"name": "Old laptop"}, passkey=made["id"])
    await call("GET", path, who=ada)
    await call("DELETE", one, who=ada, passkey=made["id"])


async def use_mail(examples: Examples, context: Context, ada: str) -> None:
    """Confirm an address, choose what is mailed, sign in with a link, and delete the address."""
    call = examples.call
    path, address = "/players/me/mail", {"address": "ada@play.example"}
    await call("GET", "/sign-ins")
    await call("POST", path, who=ada, body={"address": "ada"})
    await call("POST", path, who=ada, body={**address, "language": "cs"})
    player = (await call("GET", "/players/me", who=ada))["player"]
    mailbox = await context.mailboxes.of(player)
    assert mailbox is not None, "the address was added"
    to = Outgoing(player, mailbox.id)
    confirm = {"token": context.mailboxes.token("confirm", to, "msg_1")}
    await call("POST", "/mail/confirm", body=confirm)
    await call("POST", "/mail/confirm", body={"token": "p_1.msg_1.1.x"})
    night = {"start": "22:00", "end": "07:00", "zone": "Europe/Prague"}
    choice = {"events": ["turn", "reminder"], "pace": "hour", "quiet": night, "language": "cs"}
    await call("PATCH", path, who=ada, body=choice)
    await call("GET", path, who=ada)
    await call("POST", "/sign-ins/mail/link", body=address)
    link = {"token": context.mailboxes.token("sign_in", to, "msg_2")}
    await call("POST", "/sign-ins/mail", body=link)
    await call("POST", "/sign-ins/mail", body=link)
    await call("POST", "/mail/{token}", token=context.mailboxes.stop_token(to))
    await call("POST", "/mail/{token}", token="x")
    await call("DELETE", path, who=ada)


async def use_provider(examples: Examples, ada: str) -> None:
    """Sign in with an identity provider, and link an identity to a player."""
    call = examples.call
    provider = Provider(ISSUER)

    async def ask(
        _: IdentityProvider,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> tuple[int, str]:
        return provider.answer(method, url, headers or {}, content or b"")

    path = "/players/me/identity"
    verifier, nonce = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "n-0S6_WzA2Mj-0aB9kQe"
    with patch.object(IdentityProvider, "_ask", ask):
        back = (await call("GET", "/sign-ins/oidc"))["redirect_uri"]

        def brought(subject: str) -> dict[str, str]:
            code = provider.code(challenge_of(verifier), nonce, back, subject)
            return {"code": code, "verifier": verifier, "nonce": nonce}

        await call("POST", path, who=ada, body=brought("ada"))
        await call("GET", path, who=ada)
        grant = brought("ada")
        await call("POST", "/sign-ins/oidc", body=grant)
        await call("POST", "/sign-ins/oidc", body=grant)
        await call("POST", "/sign-ins/oidc", "first", body=brought("cyd"))
        await call("POST", path, who=ada, body=brought("cyd"))
        await call("DELETE", path, who=ada)


async def use_webhooks(examples: Examples, ada: str) -> None:
    """Make a webhook, test it, and delete it."""
    call = examples.call
    one = "/webhooks/{webhook}"
    body = {"url": "https://bot.example/turns", "events": ["turn", "match_over"]}
    made = await call("POST", "/players/me/webhooks", who=ada, body=body)
    inside = {"url": "http://127.0.0.1/"}
    await call("POST", "/players/me/webhooks", who=ada, body=inside)
    await call("GET", "/players/me/webhooks", who=ada)
    await call("POST", one + "/test", who=ada, webhook=made["id"])
    await call("GET", one + "/deliveries", who=ada, webhook=made["id"])
    await call("DELETE", one, who=ada, webhook=made["id"])


async def subscribe(examples: Examples, ada: str) -> None:
    """Subscribe a browser, send it a test, and remove it."""
    call = examples.call
    point = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    body = {
        "endpoint": "https://push.example/v1/3hZ9",
        "p256dh": point,
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "events": ["turn", "reminder", "invitation"],
        "language": "cs",
        "quiet": {"start": "22:00", "end": "07:00", "zone": "Europe/Prague"},
    }
    made = await call("POST", "/players/me/push", who=ada, body=body)
    unreadable = body | {"p256dh": "AAAA", "auth": "AAAA"}
    await call("POST", "/players/me/push", who=ada, body=unreadable)
    await call("GET", "/players/me/push", who=ada)
    one = "/push/{subscription}"
    await call("POST", one + "/test", who=ada, subscription=made["id"])
    await call("DELETE", one, who=ada, subscription=made["id"])
