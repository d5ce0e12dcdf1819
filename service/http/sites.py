"""The address at which players reach the service."""

from litestar.types import HTTPScope

from service.base.settings import Settings
from service.http import safety


class Sites:
    """The addresses at which calls reach the service."""

    def __init__(self, settings: Settings) -> None:
        """Use the operator's public URL, if there is one."""
        self._public_url = settings.public_url
        self._proxied = settings.trusted_proxy

    def url(self, scope: HTTPScope) -> str:
        """Return the public URL, or else the address that was called."""
        if self._public_url:
            return self._public_url
        scheme = "https" if safety.is_secure(scope, proxied=self._proxied) else "http"
        return f"{scheme}://{safety.header(scope, b'host').decode('latin-1')}"
