/**
 * Yields the same items, and asks for the next one before it is needed: while a consumer waits, as
 * for a database, the next item is made. One item more than without it is in memory.
 */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // An error is thrown to the consumer once it asks for that item, or to nobody if it never does.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
