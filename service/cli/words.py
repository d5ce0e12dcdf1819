"""Commands in short, for the terminal."""

import msgspec


def command_words(command: msgspec.Struct) -> str:
    """Give a command's type and the fields that say something."""
    fields = msgspec.to_builtins(command)
    kind = fields.pop("type")
    told = " ".join(
        f"{name}={msgspec.json.encode(value).decode()}" for name, value in fields.items() if value
    )
    return f"{kind} {told}".rstrip()
