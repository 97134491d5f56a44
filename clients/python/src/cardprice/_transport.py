"""Sends requests: with the key, in time, again where that helps, and conditionally.

What is sent and read is decided once, by generators that yield a request or a number of seconds
to wait. ``Transport`` and ``AsyncTransport`` only send and wait.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeVar, cast
from urllib.parse import quote, urlencode

import httpx

from cardprice._cache import Cache, CachedAnswer, MemoryCache
from cardprice._errors import CardpriceError
from cardprice._pages import AsyncPages, Pages

Answer = TypeVar("Answer")
Result = TypeVar("Result")

Step = httpx.Request | float
Reply = httpx.Response | httpx.TransportError | None
Flow = Generator[Step, Reply, Result]
Query = Mapping[str, object]

#: Statuses of answers that may be better a little later.
TRANSIENT = frozenset({429, 502, 503, 504})

#: The wait before the first retry if the service does not say how long; each next one doubles.
BACKOFF = 0.5

#: At most this share is added to a wait, so clients that failed together return at different times.
JITTER = 0.25


@dataclass(frozen=True)
class Quota:
    """The quota of the account, as the latest answer gave it."""

    limit: int
    remaining: int
    resets_at: datetime


@dataclass(frozen=True)
class Options:
    """The options of a client that its transport needs."""

    base_url: str
    api_key: str
    timeout: float
    retries: int
    max_retry_delay: float
    cache: Cache | Literal[False] | None

    @property
    def origin(self) -> str:
        return self.base_url.rstrip("/")


class Protocol:
    """Makes requests and reads answers, without sending anything."""

    def __init__(self, options: Options, http: httpx.Client | httpx.AsyncClient) -> None:
        self.quota: Quota | None = None
        self._options = options
        self._build_request = http.build_request
        given = options.cache
        self._cache = None if given is False else MemoryCache() if given is None else given
        self._documentation = f"{options.origin}/docs/errors"

    def page(self, path: str) -> Flow[tuple[Any, str | None]]:
        """Gets a path; returns the answer and the path of the next page."""
        answer, headers = yield from self._exchange("GET", self._options.origin + path)
        following = re.search(r'<([^>]*)>; rel="next"', headers.get("link", ""))
        return answer, following[1] if following else None

    def answer(self, path: str, query: Query) -> Flow[Any]:
        """Gets a path; returns the answer."""
        answer, _ = yield from self.page(path + query_of(query))
        return answer

    def posted(self, path: str, query: Query, body: Query) -> Flow[Any]:
        """Posts a body; returns the answer."""
        url = self._options.origin + path + query_of(query)
        sent = {name: value for name, value in body.items() if value is not None}
        answer, _ = yield from self._exchange("POST", url, json.dumps(sent))
        return answer

    def sliced(self, path: str, query: Query, body: Query, name: str, size: int) -> Flow[Any]:
        """Posts a long list of a body in slices; returns their answers as one."""
        items = list(cast(Sequence[object], body[name]))
        whole: dict[str, Any] = {}
        for start in range(0, max(len(items), 1), size):
            part: dict[str, object] = {**body, name: items[start : start + size]}
            answer = yield from self.posted(path, query, part)
            whole = joined(whole, answer)
        return whole

    def _exchange(
        self, method: str, url: str, content: str | None = None
    ) -> Flow[tuple[Any, httpx.Headers]]:
        cached = self._cache.get(url) if self._cache and content is None else None
        retry = 0
        while True:
            reply = yield self._request(method, url, content, cached)
            outcome = self._read(reply, url, cached)
            if not isinstance(outcome, CardpriceError):
                return outcome
            delay = self._delay_before(retry, outcome)
            if delay is None:
                raise outcome
            yield delay
            retry += 1

    def _request(
        self, method: str, url: str, content: str | None, cached: CachedAnswer | None
    ) -> httpx.Request:
        headers = {"X-API-Key": self._options.api_key}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if cached is not None:
            headers["If-None-Match"] = cached.etag
        timeout = self._options.timeout
        return self._build_request(method, url, headers=headers, content=content, timeout=timeout)

    def _read(
        self, reply: Reply, url: str, cached: CachedAnswer | None
    ) -> tuple[Any, httpx.Headers] | CardpriceError:
        """Returns the error if the same request may get an answer later."""
        if not isinstance(reply, httpx.Response):
            return self._no_answer(reply)
        self.quota = quota_in(reply.headers) or self.quota
        if reply.status_code == 304 and cached is not None:
            return json.loads(cached.text), reply.headers
        answer = parsed(reply.text)
        if not reply.is_success or answer is None:
            error = self._error_of(reply, answer)
            if reply.status_code in TRANSIENT and not is_spent(reply, error.retry_after):
                return error
            raise error
        etag = reply.headers.get("etag")
        if etag is not None and self._cache:
            self._cache.set(url, CachedAnswer(etag, reply.text))
        return answer, reply.headers

    def _no_answer(self, cause: Reply) -> CardpriceError:
        is_late = isinstance(cause, httpx.TimeoutException)
        span = f" within {self._options.timeout} s" if is_late else ""
        error = CardpriceError(
            f"No answer from {self._options.origin}{span}.",
            code="TIMEOUT" if is_late else "NO_ANSWER",
            documentation=self._documentation,
        )
        error.__cause__ = cast(Exception, cause)
        return error

    def _error_of(self, response: httpx.Response, body: Any) -> CardpriceError:
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict):
            status = response.status_code
            message = f"Something other than Cardprice answered, with status {status}."
            error = {"code": "UNREADABLE_ANSWER", "message": message}
        return CardpriceError(
            error["message"],
            code=error["code"],
            documentation=self._documentation,
            status=response.status_code,
            request_id=response.headers.get("x-request-id"),
            details=error.get("details", ()),
            retry_after=seconds_of(response.headers.get("retry-after")),
        )

    def _delay_before(self, retry: int, error: CardpriceError) -> float | None:
        """Returns how long to wait before a retry; None if there is to be none."""
        backoff: float = BACKOFF * 2**retry
        delay = backoff if error.retry_after is None else error.retry_after
        if retry >= self._options.retries or delay > self._options.max_retry_delay:
            return None
        return delay * (1 + random.random() * JITTER)


class Transport(Protocol):
    """Sends requests, and waits between them."""

    def __init__(self, options: Options, http: httpx.Client) -> None:
        super().__init__(options, http)
        self._http = http

    def run(self, flow: Flow[Result]) -> Result:
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as end:
                return cast(Result, end.value)
            if isinstance(step, httpx.Request):
                reply = self._send(step)
            else:
                reply = None
                time.sleep(step)

    def _send(self, request: httpx.Request) -> Reply:
        try:
            return self._http.send(request)
        except httpx.TransportError as error:
            return error

    # The type of the answer is for type checkers: nothing checks what the service answers.
    def get(self, _: type[Answer], path: str, query: Query) -> Answer:
        return cast(Answer, self.run(self.answer(path, query)))

    def post(self, _: type[Answer], path: str, query: Query, body: Query) -> Answer:
        return cast(Answer, self.run(self.posted(path, query, body)))

    def slices(
        self, _: type[Answer], path: str, query: Query, body: Query, name: str, size: int
    ) -> Answer:
        return cast(Answer, self.run(self.sliced(path, query, body, name, size)))

    def pages(
        self, _: type[Answer], path: str, query: Query, defaults: Query
    ) -> Pages[Answer, Any]:
        """Returns a list. Iterating it sends the defaults that are not given."""
        first = path + query_of(whole(query, defaults))
        return Pages(
            lambda: self.get(_, path, query),
            lambda following: self.run(self.page(following or first)),
        )


class AsyncTransport(Protocol):
    """Sends requests, and waits between them, without blocking."""

    def __init__(self, options: Options, http: httpx.AsyncClient) -> None:
        super().__init__(options, http)
        self._http = http

    async def run(self, flow: Flow[Result]) -> Result:
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as end:
                return cast(Result, end.value)
            if isinstance(step, httpx.Request):
                reply = await self._send(step)
            else:
                reply = None
                await asyncio.sleep(step)

    async def _send(self, request: httpx.Request) -> Reply:
        try:
            return await self._http.send(request)
        except httpx.TransportError as error:
            return error

    async def get(self, _: type[Answer], path: str, query: Query) -> Answer:
        return cast(Answer, await self.run(self.answer(path, query)))

    async def post(self, _: type[Answer], path: str, query: Query, body: Query) -> Answer:
        return cast(Answer, await self.run(self.posted(path, query, body)))

    async def slices(
        self, _: type[Answer], path: str, query: Query, body: Query, name: str, size: int
    ) -> Answer:
        return cast(Answer, await self.run(self.sliced(path, query, body, name, size)))

    def pages(
        self, _: type[Answer], path: str, query: Query, defaults: Query
    ) -> AsyncPages[Answer, Any]:
        """Returns a list. Iterating it sends the defaults that are not given."""
        first = path + query_of(whole(query, defaults))
        return AsyncPages(
            lambda: self.get(_, path, query),
            lambda following: self.run(self.page(following or first)),
        )


def path_of(template: str, *parts: str) -> str:
    """Fills the places of a path."""
    return template.format(*(quote(part, safe="") for part in parts))


def query_of(query: Query) -> str:
    """Writes parameters as a query, with its question mark. None is not sent."""
    given = {name: text_of(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def whole(query: Query, defaults: Query) -> Query:
    """Returns a query with defaults for what it does not give. An offset excludes a cursor."""
    given = {name: value for name, value in query.items() if value is not None}
    added = {} if "offset" in given else defaults
    return {"limit": defaults["limit"], **added, **given}


def text_of(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Joins the lists of two answers."""
    lists = {
        name: first[name] + value
        for name, value in second.items()
        if isinstance(value, list) and name in first
    }
    return {**first, **second, **lists}


def parsed(text: str) -> Any:
    """Returns a JSON value; None for other texts."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def quota_in(headers: httpx.Headers) -> Quota | None:
    try:
        limit = int(headers["x-ratelimit-limit"])
        remaining = int(headers["x-ratelimit-remaining"])
        reset = int(headers["x-ratelimit-reset"])
    except (KeyError, ValueError):
        return None
    # Answers to requests without a valid key have no limit.
    return Quota(limit, remaining, datetime.fromtimestamp(reset, UTC)) if limit > 0 else None


def moment_of(text: str | None) -> float | None:
    """Reads a date of HTTP as Unix seconds."""
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except ValueError:
        return None


def seconds_of(text: str | None) -> float | None:
    """Reads ``Retry-After``: seconds, or as proxies write it, a date."""
    if text is None or text.isdigit():
        return None if text is None else float(text)
    moment = moment_of(text)
    return None if moment is None else max(0.0, moment - time.time())


def is_spent(response: httpx.Response, retry_after: float | None) -> bool:
    """Whether an answer refuses requests until the quota of the day resets."""
    reset = response.headers.get("x-ratelimit-reset", "")
    if response.status_code != 429 or retry_after is None or not reset.isdigit():
        return False
    now = moment_of(response.headers.get("date")) or time.time()
    return retry_after >= int(reset) - now - 1
