"""Tests of the clients against a scripted server, each once sync and once async."""

import asyncio
import inspect
import json
import threading
import time
import unittest
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from cardprice import (
    AsyncCardprice,
    AsyncPages,
    CachedAnswer,
    Cardprice,
    CardpriceError,
    MemoryCache,
    Pages,
    to_dataframe,
)

Script = Callable[[BaseHTTPRequestHandler, bytes], None]

GAMES = {"data": [{"id": "mtg", "name": "Magic", "cardCount": 1, "setCount": 1}]}
DAY = 86_400


def answer(body: object, status: int = 200, **headers: str) -> Script:
    """Answers with JSON. Underscores in the names of headers are hyphens."""

    def script(handler: BaseHTTPRequestHandler, _sent: bytes) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        handler.send_response_only(status)
        for name, value in {"content_length": str(len(content)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return script


def failure(status: int, code: str, **headers: str) -> Script:
    """Answers with an error of the service."""
    error = {"code": code, "message": f"This is {code}.", "status": status}
    return answer({"error": error}, status, x_request_id="r1", **headers)


def text(body: bytes) -> Script:
    """Answers with what is not JSON."""

    def script(handler: BaseHTTPRequestHandler, _sent: bytes) -> None:
        handler.send_response_only(200)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return script


def silence(_handler: BaseHTTPRequestHandler, _sent: bytes) -> None:
    """Answers nothing for a while."""
    time.sleep(0.5)


def hang_up(handler: BaseHTTPRequestHandler, _sent: bytes) -> None:
    """Closes the connection."""
    handler.close_connection = True


class Server:
    """Answers requests by scripts, in order; the last one repeats."""

    def __init__(self, *scripts: Script) -> None:
        self.asked: list[tuple[str, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                sent = self.rfile.read(int(self.headers.get("content-length", 0)))
                script = scripts[min(len(server.asked), len(scripts) - 1)]
                server.asked.append((self.path, self.headers))
                script(self, sent)

            do_GET = do_POST = handle_any

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        serve = partial(self._http.serve_forever, poll_interval=0.01)
        threading.Thread(target=serve, daemon=True).start()

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def sent(self, header: str) -> list[str | None]:
        return [headers.get(header) for _, headers in self.asked]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


Calls = Callable[[Any], Iterable[Any]]


def results_of(is_async: bool, url: str, calls: Calls, **options: Any) -> list[Any]:
    """Makes the calls that a function returns for a client, and returns their results.

    A list is a call for all of its items.
    """
    if not is_async:
        with Cardprice(url, "cp_live_1", **options) as client:
            return [list(call) if isinstance(call, Pages) else call for call in calls(client)]

    async def run() -> list[Any]:
        async with AsyncCardprice(url, "cp_live_1", **options) as client:
            return [await result_of(call) for call in calls(client)]

    return asyncio.run(run())


async def result_of(call: object) -> Any:
    if isinstance(call, AsyncPages):
        return [item async for item in call]
    return await call if inspect.isawaitable(call) else call


class ClientTest(unittest.TestCase):
    is_async = False

    def serve(self, *scripts: Script) -> Server:
        server = Server(*scripts)
        self.addCleanup(server.close)
        return server

    def calls(self, server: Server, calls: Calls, **options: Any) -> list[Any]:
        return results_of(self.is_async, server.url + "/", calls, **options)

    def error(self, server: Server, calls: Calls, **options: Any) -> CardpriceError:
        with self.assertRaises(CardpriceError) as raised:
            self.calls(server, calls, **options)
        return raised.exception

    def test_sends_the_key_and_parameters_that_are_set(self) -> None:
        server = self.serve(answer({"data": {}}))
        self.calls(server, lambda client: [client.get_card("a/b", currency="EUR", strict=True)])
        self.assertEqual(server.paths, ["/v1/cards/a%2Fb?currency=EUR&strict=true"])
        self.assertEqual(server.sent("x-api-key"), ["cp_live_1"])

    def test_accepts_compressed_answers_and_sends_the_headers_of_its_http_client(self) -> None:
        server = self.serve(answer(GAMES))
        kind = httpx.AsyncClient if self.is_async else httpx.Client
        http = kind(headers={"user-agent": "shop/1"})
        self.calls(server, lambda client: [client.list_games()], http_client=http)
        self.assertEqual(server.sent("user-agent"), ["shop/1"])
        self.assertIn("gzip", str(server.sent("accept-encoding")[0]))

    def test_gives_every_item_of_a_list_page_by_page(self) -> None:
        link = '</v1/sets?limit=200&offset=2>; rel="next", </v1/sets>; rel="first"'
        server = self.serve(answer({"data": [1, 2]}, link=link), answer({"data": [3]}))
        items = self.calls(server, lambda client: [client.list_sets(game="mtg")])
        self.assertEqual(items, [[1, 2, 3]])
        self.assertEqual(
            server.paths, ["/v1/sets?limit=200&cursor=&game=mtg", "/v1/sets?limit=200&offset=2"]
        )

    def test_reads_by_a_cursor_and_the_largest_pages_unless_told_otherwise(self) -> None:
        server = self.serve(answer({"data": []}))

        def calls(client: Any) -> Iterable[Any]:
            yield client.list_cards_of_set("s", include=["history"])
            yield client.list_cards_of_set("s", limit=7, offset=0)
            yield client.list_marketplace_changes()

        self.calls(server, calls)
        queries = [path.split("?")[1] for path in server.paths]
        expected = ["limit=100&cursor=&include=history", "limit=7&offset=0", "limit=200"]
        self.assertEqual(queries, expected)

    def test_requests_the_first_page_alone(self) -> None:
        server = self.serve(answer({"data": [1], "total": 3}, link='</v1/sets?o>; rel="next"'))
        pages = self.calls(server, lambda client: [client.list_sets(limit=1).first()])
        self.assertEqual(pages, [{"data": [1], "total": 3}])
        self.assertEqual(server.paths, ["/v1/sets?limit=1"])

    def test_sends_a_long_batch_in_slices_and_joins_their_answers(self) -> None:
        def echo(handler: BaseHTTPRequestHandler, sent: bytes) -> None:
            ids = json.loads(sent)["ids"]
            answer({"data": ids, "missing": [str(len(ids))]})(handler, sent)

        server = self.serve(echo)
        ids = [f"card-{index}" for index in range(41)]
        (joined,) = self.calls(server, lambda client: [client.get_cards(ids, currency="JPY")])
        self.assertEqual(joined, {"data": ids, "missing": ["20", "20", "1"]})
        self.assertEqual(server.paths, ["/v1/cards/batch?currency=JPY"] * 3)

    def test_does_not_ask_for_what_has_not_changed(self) -> None:
        server = self.serve(
            answer(GAMES, etag='"1"'), answer(None, 304), answer({"data": []}, etag='"2"')
        )
        answers = self.calls(server, lambda client: (client.list_games() for _ in range(3)))
        self.assertEqual(answers, [GAMES, GAMES, {"data": []}])
        self.assertEqual(server.sent("if-none-match"), [None, '"1"', '"1"'])

    def test_keeps_nothing_without_a_cache(self) -> None:
        server = self.serve(answer(GAMES, etag='"1"'))
        self.calls(server, lambda client: (client.list_games() for _ in range(2)), cache=False)
        self.assertEqual(server.sent("if-none-match"), [None, None])

    def test_gives_the_quota_of_the_latest_answer(self) -> None:
        server = self.serve(
            answer(
                GAMES,
                x_ratelimit_limit="200",
                x_ratelimit_remaining="7",
                x_ratelimit_reset="86400",
            )
        )

        def calls(client: Any) -> Iterable[Any]:
            yield client.quota
            yield client.list_games()
            yield client.quota

        before, _, quota = self.calls(server, calls)
        self.assertIsNone(before)
        self.assertEqual((quota.limit, quota.remaining), (200, 7))
        self.assertEqual(quota.resets_at.timestamp(), 86_400)

    def test_waits_as_long_as_the_service_says_and_tries_again(self) -> None:
        server = self.serve(
            failure(503, "SERVICE_UNAVAILABLE", retry_after="1"),
            failure(429, "RATE_LIMIT_EXCEEDED", retry_after="0"),
            answer(GAMES),
        )
        started_at = time.monotonic()
        self.assertEqual(self.calls(server, lambda client: [client.list_games()]), [GAMES])
        self.assertGreaterEqual(time.monotonic() - started_at, 1)

    def test_tries_again_only_so_often_and_only_what_may_succeed(self) -> None:
        for status, seconds, requests in [(503, "0", 3), (503, "61", 1), (500, "0", 1)]:
            server = self.serve(failure(status, "CODE", retry_after=seconds))
            error = self.error(server, lambda client: [client.list_games()])
            self.assertEqual((error.status, error.retry_after), (status, float(seconds)))
            self.assertEqual(len(server.asked), requests)

    def test_never_waits_for_the_quota_of_the_next_day(self) -> None:
        headers = {
            "date": formatdate(DAY - 20, usegmt=True),
            "retry_after": "20",
            "x_ratelimit_reset": str(DAY),
        }
        server = self.serve(failure(429, "RATE_LIMIT_EXCEEDED", **headers))
        error = self.error(server, lambda client: [client.list_games()])
        self.assertEqual(error.code, "RATE_LIMIT_EXCEEDED")
        self.assertEqual(len(server.asked), 1)

    def test_raises_errors_with_code_request_details_and_documentation(self) -> None:
        details = [{"parameter": "limit", "message": "is too large."}]
        body = {"code": "INVALID_PARAMETER", "message": "No.", "status": 400, "details": details}
        server = self.serve(answer({"error": body}, 400, x_request_id="r1"))
        error = self.error(server, lambda client: [client.list_games()])
        self.assertEqual((error.code, error.status, str(error)), ("INVALID_PARAMETER", 400, "No."))
        self.assertEqual((error.request_id, error.details), ("r1", details))
        self.assertEqual(error.documentation, f"{server.url}/docs/errors")

    def test_says_so_when_something_else_answers_nothing_does_or_too_late(self) -> None:
        expected = [(text(b"<html>"), "UNREADABLE_ANSWER", 200), (hang_up, "NO_ANSWER", 0)]
        for script, code, status in [*expected, (silence, "TIMEOUT", 0)]:
            server = self.serve(script)
            error = self.error(
                server, lambda client: [client.list_games()], retries=0, timeout=0.1
            )
            self.assertEqual((error.code, error.status), (code, status))


class AsyncClientTest(ClientTest):
    is_async = True

    def test_awaits_the_first_page_of_a_list(self) -> None:
        server = self.serve(answer({"data": [1], "total": 3}))

        async def run() -> object:
            async with AsyncCardprice(server.url, "cp_live_1") as client:
                return await client.list_sets(limit=1)

        self.assertEqual(asyncio.run(run()), {"data": [1], "total": 3})


class MemoryCacheTest(unittest.TestCase):
    def test_forgets_what_was_not_used_for_longest(self) -> None:
        cache = MemoryCache(max_length=20)
        for url in ["/a", "/b"]:
            cache.set(url, CachedAnswer('"1"', "0123456789"))
        cache.get("/a")
        cache.set("/c", CachedAnswer('"1"', "0123456789"))
        self.assertEqual([cache.get(url) is None for url in ["/a", "/b", "/c"]], [False, True, False])
        cache.set("/d", CachedAnswer('"1"', "0" * 21))
        self.assertEqual([cache.get(url) is None for url in ["/c", "/d"]], [False, True])


class DataframeTest(unittest.TestCase):
    def test_has_a_column_for_each_field_inside_others(self) -> None:
        items = [
            {"id": "a", "prices": {"market": 1.5, "conditions": {"near_mint": 1}}},
            {"id": "b", "prices": {"market": None}, "sources": ["tcgplayer"]},
        ]
        table = to_dataframe(items)
        columns = ["id", "prices.market", "prices.conditions.near_mint", "sources"]
        self.assertEqual(list(table.columns), columns)
        self.assertEqual(table["prices.market"].sum(), 1.5)
        self.assertEqual(table["sources"][1], ["tcgplayer"])

    def test_has_one_type_for_the_numbers_of_a_column(self) -> None:
        prices = [{"market": value, "count": 1} for value in (13, None, 12.5)]
        table = to_dataframe(prices)
        self.assertEqual([str(kind) for kind in table.dtypes], ["float64", "int64"])
        self.assertEqual(len(to_dataframe([])), 0)


if __name__ == "__main__":
    unittest.main()
