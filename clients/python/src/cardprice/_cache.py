"""Keeps answers, so that unchanged ones are not sent again."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Protocol


@dataclass(frozen=True)
class CachedAnswer:
    """An answer and the ``ETag`` under which the service knows it."""

    etag: str
    #: The body, as JSON.
    text: str


class Cache(Protocol):
    """Keeps answers by their addresses. It belongs to one API key: plans get other answers."""

    def get(self, url: str) -> CachedAnswer | None: ...

    def set(self, url: str, answer: CachedAnswer) -> None: ...


class MemoryCache:
    """Keeps answers in memory, and forgets those that were not used for longest."""

    def __init__(self, max_length: int = 5_000_000) -> None:
        """Keeps at most ``max_length`` characters of bodies."""
        self._max_length = max_length
        self._answers: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._length = 0
        self._lock = Lock()

    def get(self, url: str) -> CachedAnswer | None:
        with self._lock:
            answer = self._answers.get(url)
            if answer is not None:
                self._answers.move_to_end(url)
            return answer

    def set(self, url: str, answer: CachedAnswer) -> None:
        with self._lock:
            before = self._answers.pop(url, None)
            self._length -= len(before.text) if before else 0
            if len(answer.text) > self._max_length:
                return
            self._answers[url] = answer
            self._length += len(answer.text)
            while self._length > self._max_length:
                _, oldest = self._answers.popitem(last=False)
                self._length -= len(oldest.text)
