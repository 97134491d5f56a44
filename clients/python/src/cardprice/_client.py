"""The clients, sync and async."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Literal

import httpx

from cardprice import types
from cardprice._cache import Cache
from cardprice._operations import AsyncOperations, Operations
from cardprice._transport import AsyncTransport, Options, Quota, Transport

#: How long the service waits for changes, in seconds: less than a call may take.
_WAIT = 20
#: An empty answer that comes sooner, in seconds, did not wait, because too many requests do.
_LEAST_WAIT = 1.0
#: The pause after such an answer, in seconds.
_PAUSE = 5.0


class Cardprice(Operations):
    """Calls a Cardprice service.

    Every method is an operation of the API, with its parameters and answers unchanged; lists are
    read page by page, and long batches are split. A call that fails raises ``CardpriceError``.

    ``timeout`` and ``max_retry_delay`` are in seconds. A call is repeated ``retries`` times after
    a 429, a 502 to 504 or no answer, unless the service would only answer it after
    ``max_retry_delay``. ``cache`` keeps answers: unchanged ones are not sent again and cost no
    quota; ``False`` keeps none. ``http_client`` is for proxies and other settings of httpx.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        max_retry_delay: float = 60.0,
        cache: Cache | Literal[False] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._http = http_client or httpx.Client()
        options = Options(base_url, api_key, timeout, retries, max_retry_delay, cache)
        super().__init__(Transport(options, self._http))

    @property
    def quota(self) -> Quota | None:
        """The quota of the account, as the latest answer gave it; None before the first."""
        return self._transport.quota

    def follow_changes(
        self, since: str, *, game: types.GameChoice | None = None, limit: int = 1000
    ) -> Iterator[types.ListChangesAnswer]:
        """Gives the pages of changes since a cursor, and waits for the next ones without end.

        Store the ``nextCursor`` of a page with its changes, and begin there the next time.
        """
        while True:
            asked = time.monotonic()
            page = self.list_changes(since=since, game=game, limit=limit, wait=_WAIT)
            is_new = page["nextCursor"] != since
            since = page["nextCursor"]
            if is_new:
                yield page
            elif time.monotonic() - asked < _LEAST_WAIT:
                time.sleep(_PAUSE)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> "Cardprice":
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncCardprice(AsyncOperations):
    """Calls a Cardprice service without blocking; otherwise as ``Cardprice``."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        max_retry_delay: float = 60.0,
        cache: Cache | Literal[False] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = http_client or httpx.AsyncClient()
        options = Options(base_url, api_key, timeout, retries, max_retry_delay, cache)
        super().__init__(AsyncTransport(options, self._http))

    @property
    def quota(self) -> Quota | None:
        """The quota of the account, as the latest answer gave it; None before the first."""
        return self._transport.quota

    async def follow_changes(
        self, since: str, *, game: types.GameChoice | None = None, limit: int = 1000
    ) -> AsyncIterator[types.ListChangesAnswer]:
        """Gives the pages of changes since a cursor, and waits for the next ones without end.

        Store the ``nextCursor`` of a page with its changes, and begin there the next time.
        """
        while True:
            asked = time.monotonic()
            page = await self.list_changes(since=since, game=game, limit=limit, wait=_WAIT)
            is_new = page["nextCursor"] != since
            since = page["nextCursor"]
            if is_new:
                yield page
            elif time.monotonic() - asked < _LEAST_WAIT:
                await asyncio.sleep(_PAUSE)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncCardprice":
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.close()
