"""People and bot accounts: players of both kinds sit at tables, and their ids tell them apart.

Where people count, bot accounts do not.
"""

BOT_ACCOUNT = "b_"
"""Beginning of the ids of bot accounts."""


def is_bot_account(player: str) -> bool:
    """Return whether a player is a bot account: a program with a name of its own."""
    return player.startswith(BOT_ACCOUNT)
