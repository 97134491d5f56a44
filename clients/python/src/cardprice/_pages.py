"""Lists that the service answers page by page."""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeVar, cast

Answer = TypeVar("Answer")
Item = TypeVar("Item")

#: Requests a page, the first or the one at a path; returns it with the path of the next one.
Loader = Callable[[str | None], tuple[Any, str | None]]
AsyncLoader = Callable[[str | None], Awaitable[tuple[Any, str | None]]]


class Pages(Generic[Answer, Item]):
    """A list, which requests its pages as they are needed. Iterating it gives every item."""

    def __init__(self, first: Callable[[], Answer], load: Loader) -> None:
        self._first = first
        self._load = load

    def first(self) -> Answer:
        """Returns the first page, with the ``total``."""
        return self._first()

    def pages(self) -> Iterator[Answer]:
        """Returns the answers with the pages, one after the other."""
        answer, following = self._load(None)
        yield answer
        while following is not None:
            answer, following = self._load(following)
            yield answer

    def __iter__(self) -> Iterator[Item]:
        for answer in self.pages():
            yield from items_of(answer)


class AsyncPages(Generic[Answer, Item]):
    """A list, which requests its pages as they are needed.

    ``await`` it for its first page. ``async for`` gives every item.
    """

    def __init__(self, first: Callable[[], Awaitable[Answer]], load: AsyncLoader) -> None:
        self._first = first
        self._load = load

    async def first(self) -> Answer:
        """Returns the first page, with the ``total``."""
        return await self._first()

    def __await__(self) -> Generator[Any, None, Answer]:
        return self._first().__await__()

    async def pages(self) -> AsyncIterator[Answer]:
        """Returns the answers with the pages, one after the other."""
        answer, following = await self._load(None)
        yield answer
        while following is not None:
            answer, following = await self._load(following)
            yield answer

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for answer in self.pages():
            for item in items_of(answer):
                yield item


def items_of(answer: Any) -> list[Any]:
    """Returns the items on a page."""
    return cast(list[Any], answer["data"])
