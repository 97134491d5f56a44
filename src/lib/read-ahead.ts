/**
 * Yields the same items, but requests each one early: the next item is made while the consumer
 * waits, for example for a database. Keeps one extra item in memory.
 */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // The consumer gets an error when it asks for that item. If it never asks, the error is lost.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
